package symptom

import (
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// sectorBytes is the unit in which kernels count.
const sectorBytes = 512

// Load is what a server has beyond its peers, in bytes a second where not said
// otherwise; negative where it has less.
type Load struct {
	Read, Written      float64 // by its drives
	Received, Sent     float64 // by its interfaces
	PacketsIn          float64 // a second
	Drives, Interfaces float64
	// FromClients and ToClients are the segments that went over connections with
	// clients, as a part of what the peers have; 0 where nobody knows.
	FromClients, ToClients float64
}

// measureLoads finds the loads of all servers.
func (w *Window) measureLoads() {
	clear(w.loads)
	w.Groups(topology.Attachment, func(g *Group) {
		w.Each(g, func(c int) {
			if s := w.serverOf[c]; s >= 0 {
				w.loads[s].Drives++
				w.loads[s].Read += sectorBytes * w.Excess(g, c, window.Read)
				w.loads[s].Written += sectorBytes * w.Excess(g, c, window.Written)
			}
		})
	})
	w.Groups(topology.Interface, func(g *Group) {
		w.Each(g, func(c int) {
			if s := w.serverOf[c]; s >= 0 {
				w.loads[s].Interfaces++
				w.loads[s].Received += w.Excess(g, c, window.RxBytes)
				w.loads[s].Sent += w.Excess(g, c, window.TxBytes)
				w.loads[s].PacketsIn += w.Excess(g, c, window.RxPackets)
			}
		})
	})
	w.Groups(topology.Host, func(g *Group) {
		w.Each(g, func(c int) {
			if s := w.serverOf[c]; s >= 0 {
				w.loads[s].FromClients = w.part(g, c, window.DlvIn)
				w.loads[s].ToClients = w.part(g, c, window.DlvOut)
			}
		})
	})
}

// part is what a component has beyond its peers, as a part of what they have; 0
// where that is not known.
func (w *Window) part(g *Group, component int, of window.Column) float64 {
	if !(g.Medians[of] > 0) {
		return 0
	}
	return w.Excess(g, component, of) / g.Medians[of]
}

// LoadOf is that of the server a component belongs to; none where it has none.
func (w *Window) LoadOf(component int) Load {
	if s := w.serverOf[component]; s >= 0 {
		return w.loads[s]
	}
	return Load{}
}

// CalledFor is the work that the network's excess calls for on one drive: as
// many bytes as went over it, and a block for every request.
func (o *PeersOptions) CalledFor(l *Load, bytes float64) float64 {
	if l.Drives == 0 {
		return 0
	}
	requests := l.PacketsIn - max(0, l.Received)/o.FullFrameBytes
	return (max(0, bytes) + o.RequestBytes*max(0, requests)) / l.Drives
}

// Served is the traffic that the server's work for clients explains on one
// interface: what its drives have moved beyond the peers', or what clients have
// exchanged with it beyond the traffic of a peer. What is served from memory
// moves no drive.
func (l *Load) Served(moved, exchanged, peers float64) float64 {
	if l.Interfaces == 0 {
		return 0
	}
	return max(0, moved/l.Interfaces, exchanged*peers)
}

// Bulk is the part of some bytes that went in full frames, given in how many
// frames they went. Full frames count whole, small ones not at all: frames of
// the smaller mean size are requests, answers and acknowledgements.
func (o *PeersOptions) Bulk(bytes, frames float64) float64 {
	if frames <= 0 {
		return bytes
	}
	full := max(0, bytes-o.SmallFrameBytes*frames) / (o.FullFrameBytes - o.SmallFrameBytes)
	return min(bytes, full*o.FullFrameBytes)
}
