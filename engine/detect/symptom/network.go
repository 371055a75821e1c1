// This file judges the interfaces of servers: traffic is a symptom where
// no drive took or gave it and no client exchanged it, and where it comes in
// frames too full for requests.
//
// It reads the window of package peers and notes signs in it. It remembers
// nothing.

package symptom

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// NetworkOptions are the bounds from which traffic is a symptom.
type NetworkOptions struct {
	PeersRatio     float64 `json:"peers_ratio"`      // traffic beyond the peers', as a part of theirs and of what is explained beyond it,
	LinkPercent    float64 `json:"link_percent"`     // and of what the link can carry,
	MostRatio      float64 `json:"most_ratio"`       // but no more than this part of what any interface of the group carries,
	BytesPerSecond float64 `json:"bytes_per_second"` // or than this, if that is more; it is asked for where nobody knows the link
}

// defaultNetworkOptions ask for a hundredth of a link, and for a fifth of what peers
// carry: the least that clients can feel.
func defaultNetworkOptions() NetworkOptions {
	return NetworkOptions{PeersRatio: 0.2, LinkPercent: 1, MostRatio: 0.2, BytesPerSecond: 1e6}
}

// Validate reports every setting that cannot work.
func (o *NetworkOptions) Validate() error { return bounds.Check(*o) }

const megabyte = 1e6

// Judge notes what interfaces show, each way.
func (o *NetworkOptions) Judge(w *Window) {
	w.Groups(topology.Interface, func(g *Group) {
		most := mostCarried(w, g)
		w.Each(g, func(c int) {
			l, least := w.LoadOf(c), o.least(w.Of[c].Mean(window.IfSpeed), most)
			o.traffic(w, g, c, least, finding.Receives, window.RxBytes, window.RxPackets, l.Served(l.Written, l.FromClients, g.Medians[window.RxBytes]))
			o.traffic(w, g, c, least, finding.Sends, window.TxBytes, window.TxPackets, l.Served(l.Read, l.ToClients, g.Medians[window.TxBytes]))
		})
	})
}

// mostCarried is the traffic of the busiest interface of a group, either way.
func mostCarried(w *Window, g *Group) (most float64) {
	w.Each(g, func(c int) {
		for _, bytes := range [...]window.Column{window.RxBytes, window.TxBytes} {
			if carried := w.Of[c].Mean(bytes); carried > most {
				most = carried
			}
		}
	})
	return most
}

// least is the traffic that clients can feel on a link. A virtual link claims any
// speed, so that what is carried says more where that is far less.
func (o *NetworkOptions) least(speed, most float64) float64 {
	known := max(o.BytesPerSecond, o.MostRatio*most)
	if table.IsMissing(speed) {
		return o.BytesPerSecond
	}
	return min(o.LinkPercent/networkPercent*speed, known)
}

const networkPercent = 100

// traffic: the interface carries more than its peers', and neither drives nor
// connections of clients explain it.
// Only bulk counts. The server that happens to hold the root directory gets many
// times the requests of the others (F10 §12), and its answers are as many. But
// they are small, and so are acknowledgements, which loss doubles.
func (o *NetworkOptions) traffic(w *Window, g *Group, c int, least float64, symptom finding.Symptom, bytes, packets window.Column, explained float64) {
	own := w.Of[c].Mean(bytes)
	if table.IsMissing(own) || table.IsMissing(g.Medians[bytes]) {
		return
	}
	bulk := w.Options.Bulk(w.Excess(g, c, bytes), w.Excess(g, c, packets))
	w.Note(symptom, bytes, finding.NoDoubt, finding.Evidence{
		Component: c, Own: own, Peers: g.Medians[bytes], Score: (bulk - explained) / megabyte,
		Threshold: max(least, o.PeersRatio*(g.Medians[bytes]+explained)) / megabyte, Scale: finding.MegabytesBeyond,
	})
}
