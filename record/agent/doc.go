// Package agent is the recorder of the machine that it runs on: record's rules
// over kernel's counters and inetdiag's connections, with what an operator
// sets and a service manager wants to hear.
//
// It is where the stream begins, on servers that have other things to do. What
// cannot be read is said once and left out, the rest is recorded; nothing that
// may hang, a device's driver or a service manager, is waited for on the path
// of sampling. Both commands, limpet record and the small limpet-record, are
// this package and their flags.
package agent
