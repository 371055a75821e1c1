// Package tcpstat keeps the TCP connections of a machine, by remote host, as
// an activity of its own in activity files: sar and sadf skip it, limpet
// reads from it what sysstat has no place for (F10 §6: the congestion
// window).
//
// It is a format and nothing else: whoever samples the kernel, or simulates
// one, fills in a [Peer] for each remote host; whoever reads a file gets the
// same back.
package tcpstat
