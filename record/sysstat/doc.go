// Package sysstat reads and writes the activity files of sysstat (sadc, sar, sadf).
//
// It stands at the beginning of the stream: bytes of a file in, counters at a
// time out. It reads every format in the field natively, so that a file is
// understood wherever it was recorded: no sysstat of the right version, no
// machine of the right byte order and no device tree of the recording host is
// needed. Counters are handed on as they stand in the file; rates are the
// business of who asks.
//
// A Reader streams: its memory does not depend on the length of the file.
// Next only walks from record to record; what a record holds is decoded when
// it is asked for. Damage costs the records that it hit and a Warning, not the
// rest of the file.
//
//	magic 0x2170   sysstat  9.0   –  9.1.5   fixed structures, those of RHEL 6
//	magic 0x2171   sysstat  9.1.6 – 10.2.1   fixed structures
//	magic 0x2173   sysstat 10.3.1 – 11.6.x   fixed structures, CPU count may change
//	magic 0x2175   sysstat 11.7.1 – today    structures describe themselves
//
// Package sadf, beside this one, prints what sysstat's own sadf prints.
package sysstat
