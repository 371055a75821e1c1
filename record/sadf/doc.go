// Package sadf prints activity files as text, for the command limpet dump: as "sadf -d"
// of sysstat does, to the byte, and the activities that only limpet-record writes
// (connections, latencies of requests) in the same form.
//
// An activity file comes in as records of package sysstat; lines of text go out. limpet
// dump prints files that the sysstat at hand cannot read, such as those of an older
// version, of another machine or with activities of our recorder. Tests compare its
// output with that of sadf, which checks package sysstat as a whole.
//
// Each version of sysstat prints in its own way. A file is printed as the version
// prints that wrote it, which is the form that the owner of the file has seen before.
//
// Read sadf.go first, then printer.go; dump_recorder.go has the activities of
// limpet-record.
package sadf
