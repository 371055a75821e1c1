package symptom

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// NetworkOptions are the bounds at which traffic is a symptom. Examine compares
// interfaces: traffic is a symptom if no drive read or wrote its data, no client sent or
// received it, and its frames are too full for requests.
type NetworkOptions struct {
	// PeersRatio bounds the traffic in excess of the peers' traffic. It is a ratio to
	// the sum of the peers' traffic and the explained traffic.
	PeersRatio float64 `json:"peers_ratio"`
	// LinkPercent is the least excess traffic, in percent of the link's speed.
	LinkPercent float64 `json:"link_percent"`
	// MostRatio bounds LinkPercent: the least excess traffic need not be more than this
	// share of the traffic of the busiest interface of the group.
	MostRatio float64 `json:"most_ratio"`
	// BytesPerSecond is the least value of the bound by MostRatio. It is the least
	// excess traffic if the link's speed is not known.
	BytesPerSecond float64 `json:"bytes_per_second"`
}

// defaultNetworkOptions returns the default bounds. A hundredth of a link, and a fifth
// of the peers' traffic, are the least that clients notice.
func defaultNetworkOptions() NetworkOptions {
	return NetworkOptions{PeersRatio: 0.2, LinkPercent: 1, MostRatio: 0.2, BytesPerSecond: 1e6}
}

// Validate reports every setting that cannot work.
func (o *NetworkOptions) Validate() error { return bounds.Check(*o) }

const megabyte = 1e6

// Examine notes the signs of interfaces, for each direction.
func (o *NetworkOptions) Examine(w *Window) {
	w.Groups(topology.Interface, func(g *Group) {
		most := mostCarried(w, g)
		w.Each(g, func(c int) {
			l, least := w.LoadOf(c), o.least(w.Of[c].Mean(window.IfSpeed), most)
			o.traffic(w, g, c, least, finding.Receives, window.RxBytes, window.RxPackets, l.Served(l.Written, l.FromClients, g.Medians[window.RxBytes]))
			o.traffic(w, g, c, least, finding.Sends, window.TxBytes, window.TxPackets, l.Served(l.Read, l.ToClients, g.Medians[window.TxBytes]))
		})
	})
}

// mostCarried returns the traffic of the busiest interface of a group, in either
// direction.
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

// least returns the traffic on a link that clients notice. A virtual link may report any
// speed, so the traffic of the busiest interface bounds the result.
func (o *NetworkOptions) least(speed, most float64) float64 {
	known := max(o.BytesPerSecond, o.MostRatio*most)
	if table.IsMissing(speed) {
		return o.BytesPerSecond
	}
	return min(o.LinkPercent/percent*speed, known)
}

// traffic notes an interface with more traffic than its peers, if neither drives nor
// connections of clients explain it. Only bulk transfers count. The server with the root
// directory gets many times the requests of the others (F10 §12), and sends as many
// answers. But both are small, and so are acknowledgements, which loss doubles.
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
