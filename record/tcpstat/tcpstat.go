package tcpstat

import "net/netip"

// A Peer is what a machine knows of its connections with one remote host on
// one side. Counters do not fall when sockets close: what those have counted
// stays in the sums. They do begin anew, with what the open sockets have
// counted so far, when the recorder is started again or has not seen the remote host for
// long: a reader takes a fall for that, and not for growth.
type Peer struct {
	Remote    netip.Addr
	Dialled   bool    // this machine opened the connections; otherwise it accepted them
	Sockets   uint32  // established now
	Cwnd      float64 // segments, mean over the sockets, idle ones too
	RTT       float64 // seconds, mean over the sockets
	Retrans   uint64  // segments sent again, as all that follow also of sockets that are being closed
	Delivered uint64  // segments that the remote host has acknowledged
	Sent      uint64  // bytes that the remote host has acknowledged
	Received  uint64  // bytes
	// CwndDelivered is the sum, over the delivered segments, of the congestion
	// window of the socket that each went through. Its growth divided by that of
	// Delivered is the mean window weighted by traffic: a socket that is idle, at
	// the window that it began with, has no part in it. Files of version 1 have
	// 0.
	CwndDelivered uint64
	// Control is the congestion control of the established socket that has sent
	// the most; none where no socket is established, and in files of version 1.
	Control Control
}
