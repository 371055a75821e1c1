package symptom

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// Servers of Ceph differ from servers of a parallel file system in two ways.
//
// Placement groups are spread over OSDs at random, and only the primary of a placement group serves
// its reads. So one drive of a server may serve twice as much as the other drives of the server, and
// more requests from the network explain the work of all drives of the server together, not an equal
// share of each.
//
// Servers send data to each other. A primary receives what a client writes and sends it to the other
// copies. A primary of an erasure-coded placement group receives the parts of an object from the
// others, and sends the object to the client. So traffic in one direction explains traffic in the
// other, although no drive of the server reads or writes it.

// mostForwarded is how many bytes a primary sends for one byte that it receives: two, for three copies
// of an object.
const mostForwarded = 2

// carried holds the bytes per second that all interfaces of a server receive and send together.
type carried struct{ received, sent float64 }

// ofCeph reports whether a component belongs to a server of Ceph.
func (w *Window) ofCeph(component int) bool {
	s := w.serverOf[component]
	return s >= 0 && w.ceph[s]
}

// uncalledOfServer returns how much more the drives of a server read or write, all together, than the
// drives of a typical server of the group, minus what the traffic of the server calls for, in bytes per
// second. A byte of traffic calls for as many bytes on drives as it does at the peers: a store writes
// its log too. The column is what the drives do: window.Read or window.Written.
func (w *Window) uncalledOfServer(g *Group, component int, of window.Column) float64 {
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

// forwarded returns how much traffic in a direction the traffic of a server in the other direction
// explains, in bytes per second for each interface. It is 0 for servers that are not of Ceph.
func (w *Window) forwarded(component int, of window.Column) float64 {
	l := w.LoadOf(component)
	if !w.ofCeph(component) || l.Interfaces == 0 {
		return 0
	}
	if of == window.TxBytes {
		return mostForwarded * max(0, l.Received) / l.Interfaces
	}
	return max(0, l.Sent) / l.Interfaces
}
