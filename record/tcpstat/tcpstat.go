package tcpstat

import "net/netip"

// A Peer holds the counters of the connections with one remote host in one direction (dialled or
// accepted). The counters do not decrease when sockets close: the sums keep the counts of closed
// sockets. The counters begin again, with the counts of the open sockets, if the recorder is
// started again or has not seen the remote host for long. A reader must treat a lower value as a
// new beginning, not as growth.
type Peer struct {
	Remote    netip.Addr
	Dialled   bool    // this machine opened the connections; otherwise it accepted them
	Sockets   uint32  // number of established sockets
	Cwnd      float64 // segments; mean over the sockets, with idle sockets
	RTT       float64 // seconds; mean over the sockets
	Retrans   uint64  // segments sent again; this and the next counters include sockets that are being closed
	Delivered uint64  // segments that the remote host has acknowledged
	Sent      uint64  // bytes that the remote host has acknowledged
	Received  uint64  // bytes
	// CwndDelivered is the sum, over the delivered segments, of the congestion window of each
	// segment's socket. Its growth divided by the growth of Delivered is the mean window weighted
	// by traffic: an idle socket, which still has its first window, does not count. Files of
	// version 1 have 0.
	CwndDelivered uint64
	// Control is the congestion control of the established socket that has sent the most bytes. It
	// is zero if no socket is established, and in files of version 1.
	Control Control
}
