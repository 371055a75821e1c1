// Package tcpstat keeps the TCP connections of a machine, by remote host, as
// an activity of its own in activity files: sar and sadf skip it, limpet
// reads from it what sysstat has no place for (F10 §6: the congestion
// window).
//
// It is a format and nothing else: whoever samples the kernel, or simulates
// one, fills in a [Peer] for each remote host; whoever reads a file gets the
// same back.
package tcpstat

import "net/netip"

// A Peer is what a machine knows of its established connections with one
// remote host on one side. Counters never fall: what closed sockets have
// counted stays in the sums.
type Peer struct {
	Remote    netip.Addr
	Dialled   bool    // this machine opened the connections; otherwise it accepted them
	Sockets   uint32  // established now
	Cwnd      float64 // segments, mean over the sockets
	RTT       float64 // seconds, mean over the sockets
	Retrans   uint64  // segments sent again
	Delivered uint64  // segments that the remote host has acknowledged
	Sent      uint64  // bytes that the remote host has acknowledged
	Received  uint64  // bytes
}
