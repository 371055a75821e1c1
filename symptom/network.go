package symptom

import "github.com/limpet-storage/limpet/table"

// network judges one interface, each way.
func (x *Examiner) network(g *group, c int) {
	var l load
	if of := x.loadOf(c); of != nil {
		l = *of
	}
	x.traffic(g, c, Receives, rxByt, rxPck, l.served(l.written))
	x.traffic(g, c, Sends, txByt, txPck, l.served(l.read))
}

// traffic: the interface carries more than its peers' and no disk explains it.
// Only bulk counts. The server that happens to hold the root directory gets
// many times the requests of the others (F10 §12), and its answers are as
// many; but they are small, and so are acknowledgements, which loss doubles.
func (x *Examiner) traffic(g *group, c int, kind Kind, bytes, packets column, explained float64) {
	own := x.blocks.window[c].mean(bytes)
	if table.IsMissing(own) || table.IsMissing(g.medians[bytes]) {
		return
	}
	small := smallFrame * max(0, x.excess(g, c, packets))
	bulk := x.excess(g, c, bytes) - explained - small
	threshold := max(x.opts.NetBytes, x.opts.NetRatio*g.medians[bytes])
	x.sign(Sign{
		Component: c, Kind: kind, Metric: columns[bytes].Name, Own: own, Peers: g.medians[bytes], Unit: columns[bytes].Unit,
		Score: bulk / 1e6, Threshold: threshold / 1e6, Scale: "MB/s beyond its peers'",
	}, true, "")
}
