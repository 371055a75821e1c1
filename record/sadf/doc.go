// Package sadf prints activity files as text, for the command limpet dump: as "sadf -d" of sysstat
// does, to the byte, and the activities that only limpet record writes (connections, latencies of
// requests) in the same form.
//
// An activity file comes in as records of package sysstat; lines of text go out. limpet dump prints
// files that the installed sysstat cannot read, such as files of an older version, of another
// machine or with activities of limpet record. Tests compare its output with the output of sadf,
// which checks package sysstat as a whole.
//
// Each version of sysstat prints in its own way. A file is printed in the way of the version that
// wrote it: the owner of the file has seen this form before.
//
// Read sadf.go first, then printer.go; recorder.go has the activities of limpet record.
package sadf
