// Package sysstat reads and writes the activity files of sysstat (sadc, sar, sadf).
//
// In: the bytes of a file. Out: counters at a time, as they stand in the file; callers
// compute rates. The package reads every format in the field natively, on any machine: no
// sysstat of the right version, no machine of the right byte order and no device tree of
// the recording host is needed.
//
// A Reader streams: its memory does not depend on the length of the file. Next walks from
// record to record; the items of a record are decoded when the caller requests them.
// Damage costs the damaged records and a Warning, not the rest of the file.
//
// Read reader.go first, then layout.go (the structures of each version) and disk.go (an
// activity).
//
//	magic 0x2170   sysstat  9.0   –  9.1.5   fixed structures, those of RHEL 6
//	magic 0x2171   sysstat  9.1.6 – 10.2.1   fixed structures
//	magic 0x2173   sysstat 10.3.1 – 11.6.x   fixed structures, CPU count may change
//	magic 0x2175   sysstat 11.7.1 – today    structures describe themselves
//
// Package record/sadf prints these files as sysstat's own sadf does.
package sysstat
