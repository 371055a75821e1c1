// Package tcpstat keeps the TCP connections of a machine, by remote host, as
// an activity of its own in activity files: sar and sadf skip it, limpet
// reads from it what sysstat has no place for (F10 §6: the congestion
// window).
//
// It is a format and nothing else: inetdiag or a simulator fills in a [Peer] for each
// remote host, and a reader of the file gets the same peers back. Read item.go first.
package tcpstat
