package symptom

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// Servers of Ceph differ from servers of a parallel file system in two ways.
//
// Placement groups are spread over OSDs at random, and only the primary of a placement group serves
// its reads. So one drive of a server may serve twice as much as the other drives of the server.
// Requests from the network explain only the total work of all drives of the server, and not the
// work of each drive.
//
// Servers send data to each other. A primary receives the data that a client writes, and sends the
// data to the servers of the other copies. A primary of an erasure-coded placement group receives
// the parts of an object from other servers, and sends the object to the client. So traffic in one
// direction explains traffic in the other direction, even if no drive of the server reads or writes
// these data.

// maxForwarded is the largest number of bytes that a primary sends to other servers for each byte
// that it receives. It is two, because an object has three copies: the primary stores one copy, and
// sends two copies.
const maxForwarded = 2

// traffic holds the bytes per second that a server receives, and the bytes per second that it sends,
// each over all its interfaces.
type traffic struct{ received, sent float64 }

// isOfCeph reports whether a component belongs to a server of Ceph.
func (w *Window) isOfCeph(component int) bool {
	s := w.serverOf[component]
	return s >= 0 && w.ceph[s]
}

// unrequestedWork returns how many bytes per second the drives of a component's server read or
// write without a request from the network. The parameter `of` is window.Read or window.Written. A
// typical server has the median work and the median traffic of the group. unrequestedWork adds up
// the bytes per second of all drives of the server, and subtracts the work of a typical server. If
// the server has more traffic than a typical server, it also subtracts the work that this
// additional traffic causes. One byte of traffic causes b bytes on drives. Here b is the number of
// bytes on drives per byte of traffic on a typical server, but at least 1. The ratio may be above
// 1, because a store also writes a log.
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

// forwarded returns how much traffic of an interface is explained by the server's excess traffic in
// the other direction, in bytes per second. The parameter `of` is the direction of the explained
// traffic. The result is 0 if the server is not a server of Ceph.
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

// byWork appends the members of a group that have work to a list. Drives of Ceph are sorted by
// their work, the drive with the most work first, because they are examined in this order. The long
// wait of a drive with more work may explain the wait of a drive with less work. This is so only if
// the drive with more work is not accused of waiting too long (queueExplains).
func (w *Window) byWork(list []int, g *Group) []int {
	for _, c := range g.Members {
		if w.works[c] {
			list = append(list, c)
		}
	}
	if len(list) > 0 && w.isOfCeph(list[0]) {
		slices.SortStableFunc(list, func(a, b int) int {
			return cmp.Compare(workOf(&w.ByComponent[b]).bytes, workOf(&w.ByComponent[a]).bytes)
		})
	}
	return list
}

// queueExplains reports whether requests to a drive of Ceph may wait because of its load alone. The
// loads of OSDs differ. Near saturation, a load that is only a few percent higher makes requests
// wait many times as long. The load explains the wait in two cases:
//
//   - A peer has at least as much work, its requests wait at least as long, and it is not accused
//     of waiting too long (diskDetector.accused).
//   - The drive has more work than any peer ever had, and its requests wait no longer than a queue
//     predicts from the wait of the peer with the most work.
//
// Most clients wait for the answer to a request before they send the next request. Then a slow OSD
// slows down all clients, and all drives have less work than before the fault of this OSD. So if a
// fault of the drive began after the first row, the second case does not hold. If clients send
// requests at a constant rate, the busiest drive has as much work as before the fault. A fault of this
// drive is then found only if the effect of the fault is larger than the effect of the load.
func (d *diskDetector) queueExplains(w *Window, g *Group, c int, does work, own float64) bool {
	if !w.isOfCeph(c) {
		return false
	}
	busiest, wait := 0.0, 0.0
	for _, other := range g.Members {
		bytes, theirs := workOf(&w.ByComponent[other]).bytes, d.await(w, other)
		if other == c || table.IsMissing(bytes) || table.IsMissing(theirs) {
			continue
		}
		if bytes >= does.bytes && theirs >= own && !slices.Contains(d.accused, other) {
			return true
		}
		if bytes > busiest {
			busiest, wait = bytes, theirs
		}
	}
	return busiest > 0 && does.bytes > d.maxServedByPeers(w, g, c) && own <= wait*criteria.MaxQueueTimes(does.bytes/busiest, criteria.SaturatedShare)
}
