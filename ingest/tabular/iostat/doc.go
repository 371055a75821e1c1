// Package iostat is the form of what sysstat's iostat -x -t prints, as text and
// as JSON (-o JSON), of any version:
//
//	Linux 6.1.0-30-amd64 (store-1)  11/15/26  _x86_64_  (2 CPU)
//
//	11/15/26 23:12:20
//	Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s …
//	sda              0.37     69.18     0.02   5.02    0.47   187.76    0.65 …
//
// The first report of a run tells of the time since the host was started, so
// it is left out; iostat -y leaves it out too, and then costs one interval.
// Versions from 12 on print no mean wait of all requests: it is worked out of
// reads, writes and discards, as sar does.
package iostat
