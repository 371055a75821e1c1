package symptom

import (
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/table"
)

// network judges one interface, each way.
func (x *examiner) network(g *group, c int) {
	var l load
	if of := x.loadOf(c); of != nil {
		l = *of
	}
	x.traffic(g, c, Receives, rxByt, rxPck, l.served(l.written))
	x.traffic(g, c, Sends, txByt, txPck, l.served(l.read))
}

// traffic: the interface carries more than its peers' and no disk explains it.
// Only bulk counts. The server that happens to hold the root directory gets many
// times the requests of the others (F10 §12), and its answers are as many. But
// they are small, and so are acknowledgements, which loss doubles.
func (x *examiner) traffic(g *group, c int, kind Kind, bytes, packets column, explained float64) {
	own := x.blocks.window[c].mean(bytes)
	if table.IsMissing(own) || table.IsMissing(g.medians[bytes]) {
		return
	}
	o := &x.opts
	small := o.SmallFrameBytes * max(0, x.excess(g, c, packets))
	bulk := x.excess(g, c, bytes) - explained - small
	threshold := max(o.NetBytesPerSecond, o.NetRatio*g.medians[bytes])
	x.sign(kind, bytes, "", finding.Evidence{
		Component: c, Own: own, Peers: g.medians[bytes],
		Score: bulk / 1e6, Threshold: threshold / 1e6, Scale: "MB/s beyond its peers'",
	})
}
