package symptom

import "github.com/limpet-storage/limpet/topology"

// load is what a server has beyond its peers, in bytes a second where not said
// otherwise; negative where it has less.
type load struct {
	read, written      float64 // by its drives
	received, sent     float64 // by its interfaces
	packetsIn          float64 // a second
	drives, interfaces float64
}

// sector is the unit in which kernels count, in bytes.
const sector = 512

// measureLoads finds the loads of all servers.
func (x *examiner) measureLoads() {
	clear(x.loads)
	x.each(topology.Attachment, func(g *group, c int) {
		if l := x.loadOf(c); l != nil {
			l.drives++
			l.read += sector * x.excess(g, c, rd)
			l.written += sector * x.excess(g, c, wr)
		}
	})
	x.each(topology.Interface, func(g *group, c int) {
		if l := x.loadOf(c); l != nil {
			l.interfaces++
			l.received += x.excess(g, c, rxByt)
			l.sent += x.excess(g, c, txByt)
			l.packetsIn += x.excess(g, c, rxPck)
		}
	})
}

// loadOf is that of the server a component belongs to; nil where it has none.
func (x *examiner) loadOf(c int) *load {
	if s := x.serverOf[c]; s >= 0 {
		return &x.loads[s]
	}
	return nil
}

// calledFor is the work that the network's excess calls for on one drive: as
// many bytes as went over it, and a block for every request.
func (o *Options) calledFor(l *load, bytes float64) float64 {
	if l.drives == 0 {
		return 0
	}
	requests := l.packetsIn - max(0, l.received)/o.FullFrameBytes
	return (max(0, bytes) + o.RequestBytes*max(0, requests)) / l.drives
}

// served is the traffic that the drives' excess explains on one interface.
func (l *load) served(bytes float64) float64 {
	if l.interfaces == 0 {
		return 0
	}
	return max(0, bytes) / l.interfaces
}
