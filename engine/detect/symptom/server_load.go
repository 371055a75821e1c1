package symptom

import (
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// sectorBytes is the size of a sector in kernel counters.
const sectorBytes = 512

// Sizes of frames and requests, in bytes. With these sizes, the packets and bytes of a server are
// divided into requests and data.
const (
	smallFrameBytes = 512.0  // a frame with only a request, an answer or an acknowledgement is smaller than this size
	fullFrameBytes  = 1448.0 // data of a full Ethernet frame with TCP timestamps
	requestBytes    = 4096.0 // data that a small request may read or write on a disk: the usual size of a block in a file system
)

// Load is the load of a server minus the median load of its peers. The unit is bytes per second,
// unless the comment of a field names another unit. A value is negative if the server has less load
// than its peers.
type Load struct {
	Received, Sent     float64 // bytes per second that the interfaces of the server receive and send
	PacketsIn          float64 // received packets per second
	Drives, Interfaces float64 // numbers of compared drives and interfaces of the server
	// FromClients shows how many more segments the server receives from clients than a typical
	// peer: (segments of the server / segments of the peer) − 1. ToClients shows the same for
	// segments that the server sends to clients. A value is 0 if it is not known.
	FromClients, ToClients float64
	// FromServers is the traffic from other servers of the system to the server. ToServers is the
	// traffic from the server to other servers of the system. The median traffic of the peers is
	// subtracted from both. A value is 0 if connections are not recorded.
	FromServers, ToServers float64
	// FeltIn is the smallest excess of received traffic that clients notice. FeltOut is the same
	// for sent traffic. A value is 0 if the server has no interface that is compared with peers.
	FeltIn, FeltOut float64
}

// moved holds the bytes per second that all drives of a server read and write together.
type moved struct{ read, written float64 }

// measureLoads sets the loads of all servers, and the bytes per second that their drives and
// interfaces move.
func (w *Window) measureLoads() {
	clear(w.loads)
	clear(w.moved)
	clear(w.carried)
	clear(w.partners)
	for _, c := range w.drives {
		s := w.serverOf[c]
		if read := w.ByComponent[c].Mean(window.Read); s >= 0 && !table.IsMissing(read) {
			w.moved[s].read += sectorBytes * read
		}
		if written := w.ByComponent[c].Mean(window.Written); s >= 0 && !table.IsMissing(written) {
			w.moved[s].written += sectorBytes * written
		}
	}
	w.Groups(topology.Attachment, func(g *Group) {
		w.EachMember(g, func(c int) {
			if s := w.serverOf[c]; s >= 0 {
				w.loads[s].Drives++
			}
		})
	})
	w.Groups(topology.Interface, func(g *Group) {
		w.EachMember(g, func(c int) {
			if s := w.serverOf[c]; s >= 0 {
				w.loads[s].Interfaces++
				w.carried[s].received += w.ByComponent[c].Mean(window.RxBytes)
				w.carried[s].sent += w.ByComponent[c].Mean(window.TxBytes)
				w.loads[s].Received += w.Excess(g, c, window.RxBytes)
				w.loads[s].Sent += w.Excess(g, c, window.TxBytes)
				w.loads[s].PacketsIn += w.Excess(g, c, window.RxPackets)
			}
		})
	})
	w.Groups(topology.Host, func(g *Group) {
		w.EachMember(g, func(c int) {
			if s := w.serverOf[c]; s >= 0 {
				w.loads[s].FromClients = w.excessShare(g, c, window.DlvIn)
				w.loads[s].ToClients = w.excessShare(g, c, window.DlvOut)
				w.partners[s] = traffic{w.ByComponent[c].Mean(window.RxServers), w.ByComponent[c].Mean(window.TxServers)}
				w.loads[s].FromServers = w.Excess(g, c, window.RxServers)
				w.loads[s].ToServers = w.Excess(g, c, window.TxServers)
			}
		})
	})
}

// excessShare returns by how much a component's mean of the metric `of` exceeds the median of its
// peers, divided by this median. It returns 0 if the median is 0 or unknown.
func (w *Window) excessShare(g *Group, component int, of window.Column) float64 {
	if !(g.Medians[of] > 0) {
		return 0
	}
	return w.Excess(g, component, of) / g.Medians[of]
}

// LoadOf returns the load of a component's server, or the zero Load if the component has
// no server.
func (w *Window) LoadOf(component int) Load {
	if s := w.serverOf[component]; s >= 0 {
		return w.loads[s]
	}
	return Load{}
}

// explainedWork returns the additional work that requests from the network explain, in bytes per
// second for each drive of a server. The drives may have this much more work than the drives of a
// peer. The parameter `bytes` is the network traffic of the server in excess of its peers. Each of
// these bytes explains one byte of work. In addition, each small request explains one block of
// requestBytes.
func (l *Load) explainedWork(bytes float64) float64 {
	if l.Drives == 0 {
		return 0
	}
	requests := l.PacketsIn - max(0, l.Received)/fullFrameBytes
	return (max(0, bytes) + requestBytes*max(0, requests)) / l.Drives
}

// ExplainedTraffic returns the additional traffic that work for clients explains, in bytes per
// second for each interface of a server. The interfaces may carry this much more traffic than the
// interfaces of a peer. ExplainedTraffic returns the larger of two estimates:
//
//   - `moved` / number of interfaces. The parameter `moved` is the bytes per second that the drives
//     of the server read or wrote in excess of the drives of a peer (drivesTraffic).
//   - `exchanged` · `peers`. The parameter `exchanged` is (segments from or to clients / segments
//     of the peers) − 1, and the parameter `peers` is the traffic of the peers. This estimate is
//     needed because data from memory cause no work on a drive.
func (l *Load) ExplainedTraffic(moved, exchanged, peers float64) float64 {
	if l.Interfaces == 0 {
		return 0
	}
	return max(0, moved/l.Interfaces, exchanged*peers)
}

// exchangeTraffic returns the traffic that an exchange with other servers of the system adds to
// each interface of a server, in bytes per second. The parameter `bytes` is the exchange over all
// interfaces of the server, in bytes per second.
func (l *Load) exchangeTraffic(bytes float64) float64 {
	if l.Interfaces == 0 {
		return 0
	}
	return max(0, bytes) / l.Interfaces
}

// drivesTraffic returns how many more bytes per second the drives of a server read or write than
// the drives of a typical server of the group. This is the additional traffic that the work of the
// drives explains, over all interfaces of the server. The drives of a server count together. A
// server with more drives than its peers has more work, even if none of its drives has more work
// than a drive of the peers. The parameter `traffic` is the direction of the traffic: a server
// writes the data that it receives, and reads the data that it sends.
func (w *Window) drivesTraffic(g *Group, component int, traffic window.Column) float64 {
	bytes := func(c int) float64 {
		s := w.serverOf[c]
		switch {
		case s < 0:
			return table.Missing
		case traffic == window.RxBytes:
			return w.moved[s].written
		}
		return w.moved[s].read
	}
	more := bytes(component) - w.Median(g, bytes)
	if table.IsMissing(more) {
		return 0
	}
	return more
}

// bulkBytes estimates how many of the bytes are in full frames. It uses only the number of bytes
// and the number of frames. It assumes that each frame is either full, with fullFrameBytes, or
// small, with smallFrameBytes. Bytes in small frames do not count, because small frames are
// requests, answers and acknowledgements.
func bulkBytes(bytes, frames float64) float64 {
	if frames <= 0 {
		return bytes
	}
	full := max(0, bytes-smallFrameBytes*frames) / (fullFrameBytes - smallFrameBytes)
	return min(bytes, full*fullFrameBytes)
}
