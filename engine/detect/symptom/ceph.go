package symptom

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// Servers of Ceph differ from servers of a parallel file system in two ways.
//
// Placement groups are spread over OSDs at random, and only the primary of a placement group serves
// its reads. So one drive of a server may serve twice as much as the other drives of the server.
// Requests from the network explain only the total work of all drives of the server, and not the work
// of each drive.
//
// Servers send data to each other. A primary receives the data that a client writes, and sends the data
// to the servers of the other copies. A primary of an erasure-coded placement group receives the parts
// of an object from other servers, and sends the object to the client. So traffic in one direction
// explains traffic in the other direction, even if no drive of the server reads or writes these data.

// maxForwarded is the largest number of bytes that a primary sends for each byte that it receives.
// It is two, because an object has three copies.
const maxForwarded = 2

// traffic holds the bytes per second that all interfaces of a server receive and send together.
type traffic struct{ received, sent float64 }

// isOfCeph reports whether a component belongs to a server of Ceph.
func (w *Window) isOfCeph(component int) bool {
	s := w.serverOf[component]
	return s >= 0 && w.ceph[s]
}

// unrequestedWork returns how many bytes per second the drives of a server read or write without a
// request from the network. It adds up all drives of the server, and subtracts two numbers: the bytes
// per second of a typical server of the group, and the bytes per second that the additional traffic of
// the server explains. A byte of traffic explains as many bytes on drives as it does at the peers,
// because a store also writes a log. The column is window.Read or window.Written.
func (w *Window) unrequestedWork(g *Group, component int, of window.Column) float64 {
	drives := func(c int) float64 {
		if s := w.serverOf[c]; s >= 0 && of == window.Read {
			return w.moved[s].read
		} else if s >= 0 {
			return w.moved[s].written
		}
		return table.Missing
	}
	traffic := func(c int) float64 {
		if s := w.serverOf[c]; s >= 0 && of == window.Read {
			return w.carried[s].sent
		} else if s >= 0 {
			return w.carried[s].received
		}
		return table.Missing
	}
	theirs, typical := w.Median(g, drives), w.Median(g, traffic)
	more, called := drives(component)-theirs, max(0, traffic(component)-typical)
	if typical > 0 {
		called *= max(1, theirs/typical)
	}
	if uncalled := more - called; !table.IsMissing(uncalled) {
		return uncalled
	}
	return more
}

// forwarded returns how much traffic in one direction is explained by the server's traffic in the other
// direction, in bytes per second for each interface. The result is 0 if the server is not a server of
// Ceph.
func (w *Window) forwarded(component int, of window.Column) float64 {
	l := w.LoadOf(component)
	if !w.isOfCeph(component) || l.Interfaces == 0 {
		return 0
	}
	if of == window.TxBytes {
		return maxForwarded * max(0, l.Received) / l.Interfaces
	}
	return max(0, l.Sent) / l.Interfaces
}
