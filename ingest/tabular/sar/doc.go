// Package sar is the form of what sar -d of sysstat prints, and sadf of the
// same: text, sadf -j (JSON), sadf -x (XML) and sadf -d, of any version.
//
//	Linux 6.1.0-30-amd64 (store-1)  11/15/26  _x86_64_  (2 CPU)
//
//	23:12:26          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
//	23:12:27          sda     67.00    264.00   7978.50      0.00    123.02      0.10      1.48      0.40
//	Average:          sda     67.00 …
//
// Other reports between, as sar -A prints them, are passed over. Times are
// those of the zone that sar ran in, on the date of the first line; one that
// falls is of the next day.
package sar
