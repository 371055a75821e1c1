package symptom

import "github.com/limpet-storage/limpet/topology"

// load is what a server has beyond its peers, in bytes a second where not
// said otherwise; negative where it has less.
type load struct {
	read, written      float64 // by its drives
	received, sent     float64 // by its interfaces
	packetsIn          float64 // a second
	drives, interfaces float64
}

const sector = 512

// weigh finds the loads of all servers.
func (x *Examiner) weigh() {
	clear(x.load)
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
func (x *Examiner) loadOf(c int) *load {
	if s := x.serverOf[c]; s >= 0 {
		return &x.load[s]
	}
	return nil
}

// What a frame carries, and what a small request may cost a disk.
const (
	fullFrame  = 1448 // bytes of data
	smallFrame = 512  // bytes on average, up to which a frame is none of a bulk transfer
	block      = 4096 // bytes: a request of a few hundred bytes may read or write one
)

// called is the work that the network's excess calls for on one drive: as many
// bytes as went over it, and a block for every request.
func (l *load) called(bytes float64) float64 {
	if l.drives == 0 {
		return 0
	}
	requests := l.packetsIn - max(0, l.received)/fullFrame
	return (max(0, bytes) + block*max(0, requests)) / l.drives
}

// served is the traffic that the drives' excess explains on one interface.
func (l *load) served(bytes float64) float64 {
	if l.interfaces == 0 {
		return 0
	}
	return max(0, bytes) / l.interfaces
}
