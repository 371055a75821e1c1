package peers

import (
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/window"
)

// SectorBytes is the unit in which kernels count.
const SectorBytes = 512

// Load is what a server has beyond its peers, in bytes a second where not said
// otherwise; negative where it has less.
type Load struct {
	Read, Written      float64 // by its drives
	Received, Sent     float64 // by its interfaces
	PacketsIn          float64 // a second
	Drives, Interfaces float64
}

// measureLoads finds the loads of all servers.
func (w *Window) measureLoads() {
	clear(w.loads)
	w.Groups(topology.Attachment, func(g *Group) {
		w.Each(g, func(c int) {
			if s := w.serverOf[c]; s >= 0 {
				w.loads[s].Drives++
				w.loads[s].Read += SectorBytes * w.Excess(g, c, window.Read)
				w.loads[s].Written += SectorBytes * w.Excess(g, c, window.Written)
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
func (o *Options) CalledFor(l *Load, bytes float64) float64 {
	if l.Drives == 0 {
		return 0
	}
	requests := l.PacketsIn - max(0, l.Received)/o.FullFrameBytes
	return (max(0, bytes) + o.RequestBytes*max(0, requests)) / l.Drives
}

// Served is the traffic that the drives' excess explains on one interface.
func (l *Load) Served(bytes float64) float64 {
	if l.Interfaces == 0 {
		return 0
	}
	return max(0, bytes) / l.Interfaces
}

// Bulk is the part of some bytes that went in full frames, given in how many
// frames they went. Full frames count whole, small ones not at all: frames of
// the smaller mean size are requests, answers and acknowledgements.
func (o *Options) Bulk(bytes, frames float64) float64 {
	if frames <= 0 {
		return bytes
	}
	full := max(0, bytes-o.SmallFrameBytes*frames) / (o.FullFrameBytes - o.SmallFrameBytes)
	return min(bytes, full*o.FullFrameBytes)
}
