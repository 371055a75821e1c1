package symptom

import (
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// sectorBytes is the size of a sector in kernel counters.
const sectorBytes = 512

// Load is the load of a server minus the load of its peers, in bytes per second unless
// stated otherwise. It is negative if the server has less load.
type Load struct {
	Read, Written      float64 // by its drives
	Received, Sent     float64 // by its interfaces
	PacketsIn          float64 // per second
	Drives, Interfaces float64
	// FromClients and ToClients are the segments on connections with clients minus the
	// peers' segments, as a share of the peers' segments; 0 if they are not known.
	FromClients, ToClients float64
}

// measureLoads sets the loads of all servers.
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

// part returns the excess of a component as a share of its peers' median, or 0 if it is
// not known.
func (w *Window) part(g *Group, component int, of window.Column) float64 {
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

// CalledFor returns the work on one drive that the excess of requests from the network
// explains: as many bytes as the network carried, and a block for every request.
func (o *WindowOptions) CalledFor(l *Load, bytes float64) float64 {
	if l.Drives == 0 {
		return 0
	}
	requests := l.PacketsIn - max(0, l.Received)/o.FullFrameBytes
	return (max(0, bytes) + o.RequestBytes*max(0, requests)) / l.Drives
}

// Served returns the traffic on one interface that the server's work for clients
// explains: the bytes that its drives moved in excess of the peers' drives, or the bytes
// that clients exchanged with it in excess of the peers' traffic. Data served from
// memory moves no drive.
func (l *Load) Served(moved, exchanged, peers float64) float64 {
	if l.Interfaces == 0 {
		return 0
	}
	return max(0, moved/l.Interfaces, exchanged*peers)
}

// Bulk returns the part of some bytes that went in full frames, from the number of
// frames. Full frames count whole. Small frames do not count, because they are requests,
// answers and acknowledgements.
func (o *WindowOptions) Bulk(bytes, frames float64) float64 {
	if frames <= 0 {
		return bytes
	}
	full := max(0, bytes-o.SmallFrameBytes*frames) / (o.FullFrameBytes - o.SmallFrameBytes)
	return min(bytes, full*o.FullFrameBytes)
}
