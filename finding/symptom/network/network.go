// Package network judges the interfaces of servers: traffic is a symptom where
// no drive took or gave it, and where it comes in frames too full for requests.
//
// It reads the window of package peers and notes signs in it. It remembers
// nothing.
package network

import (
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/finding/symptom/peers"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/window"
)

// Options are the bounds from which traffic is a symptom.
type Options struct {
	PeersRatio     float64 `json:"peers_ratio"`      // traffic beyond the peers', as a part of theirs,
	BytesPerSecond float64 `json:"bytes_per_second"` // and at least so much
}

// DefaultOptions: a hundredth of a gigabit link, and a fifth of what peers carry,
// is the least that clients can feel.
func DefaultOptions() Options {
	return Options{PeersRatio: 0.2, BytesPerSecond: 1e6}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return finding.CheckBounds(*o) }

const megabyte = 1e6

// Judge notes what interfaces show, each way.
func (o *Options) Judge(w *peers.Window) {
	w.Groups(topology.Interface, func(g *peers.Group) {
		w.Each(g, func(c int) {
			l := w.LoadOf(c)
			o.traffic(w, g, c, finding.Receives, window.RxBytes, window.RxPackets, l.Served(l.Written))
			o.traffic(w, g, c, finding.Sends, window.TxBytes, window.TxPackets, l.Served(l.Read))
		})
	})
}

// traffic: the interface carries more than its peers' and no drive explains it.
// Only bulk counts. The server that happens to hold the root directory gets many
// times the requests of the others (F10 §12), and its answers are as many. But
// they are small, and so are acknowledgements, which loss doubles.
func (o *Options) traffic(w *peers.Window, g *peers.Group, c int, symptom finding.Symptom, bytes, packets window.Column, explained float64) {
	own := w.Of[c].Mean(bytes)
	if table.IsMissing(own) || table.IsMissing(g.Medians[bytes]) {
		return
	}
	bulk := w.Options.Bulk(w.Excess(g, c, bytes), w.Excess(g, c, packets))
	w.Note(symptom, bytes, finding.NoDoubt, finding.Evidence{
		Component: c, Own: own, Peers: g.Medians[bytes], Score: (bulk - explained) / megabyte,
		Threshold: max(o.BytesPerSecond, o.PeersRatio*g.Medians[bytes]) / megabyte, Scale: finding.MegabytesBeyond,
	})
}
