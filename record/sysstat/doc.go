// Package sysstat reads and writes the activity files of sysstat (sadc, sar, sadf).
//
// In: the bytes of a file. Out: the counters of the file, each with its time; callers compute
// rates. The package reads every format that is in use, on any machine. It does not need the
// matching version of sysstat, a machine of the same byte order or the device tree of the recording
// host.
//
// A Reader streams: its memory does not depend on the length of the file. Next walks from record to
// record; the items of a record are decoded when the caller requests them. If a file is damaged,
// the Reader skips the damaged records with a Warning and reads the rest.
//
// Read reader.go first, then layout.go (the structures of each version) and disk.go (an activity).
//
//	magic 0x2170   sysstat  9.0   –  9.1.5   fixed structures, those of RHEL 6
//	magic 0x2171   sysstat  9.1.6 – 10.2.1   fixed structures
//	magic 0x2173   sysstat 10.3.1 – 11.6.x   fixed structures, CPU count may change
//	magic 0x2175   sysstat 11.7.1 – today    structures describe themselves
//
// Package record/sadf prints these files as sysstat's own sadf does.
package sysstat
