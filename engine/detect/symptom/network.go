package symptom

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// NetworkOptions are the bounds that decide whether network traffic is a symptom. The method
// Examine compares interfaces. The excess traffic of an interface is its traffic minus the median
// traffic of its peers. Excess traffic is a symptom if no drive read or wrote the data, if no
// client sent or received the data, and if the frames are too large to be requests.
type NetworkOptions struct {
	// PeersRatio is a lower bound for excess traffic without an explanation. Such traffic is a
	// symptom only if it is at least this share of a sum: the peers' traffic plus the excess
	// traffic that has an explanation.
	PeersRatio float64 `json:"peers_ratio"`
	// LinkPercent is a second lower bound for excess traffic without an explanation, in percent of
	// the link's speed.
	LinkPercent float64 `json:"link_percent"`
	// MostRatio limits the bound that LinkPercent gives, because a virtual link may
	// report a speed that is far too high. The limit is this share of the traffic of the
	// busiest interface of the group.
	MostRatio float64 `json:"most_ratio"`
	// BytesPerSecond replaces the bound that LinkPercent gives if the link's speed is unknown. It
	// is also the smallest value of the limit that MostRatio gives.
	BytesPerSecond float64 `json:"bytes_per_second"`
}

// defaultNetworkOptions returns the default bounds. Clients do not notice excess traffic
// below a hundredth of the link's speed, or below a fifth of the peers' traffic.
func defaultNetworkOptions() NetworkOptions {
	return NetworkOptions{PeersRatio: 0.2, LinkPercent: 1, MostRatio: 0.2, BytesPerSecond: 1e6}
}

// Validate returns an error that names every invalid setting.
func (o *NetworkOptions) Validate() error { return bounds.Check(*o) }

const megabyte = 1e6

// Examine notes the signs of interfaces, for each direction of the traffic.
func (o *NetworkOptions) Examine(w *Window) {
	w.Groups(topology.Interface, func(g *Group) {
		most := mostCarried(w, g)
		w.Each(g, func(c int) {
			l, least := w.LoadOf(c), o.leastExcess(w.Of[c].Mean(window.IfSpeed), most)
			o.traffic(w, g, c, least, finding.Receives, window.RxBytes, window.RxPackets, l.Served(l.Written, l.FromClients, g.Medians[window.RxBytes]))
			o.traffic(w, g, c, least, finding.Sends, window.TxBytes, window.TxPackets, l.Served(l.Read, l.ToClients, g.Medians[window.TxBytes]))
		})
	})
}

// mostCarried returns the traffic of the busiest interface of a group, in bytes per second. Of the
// two directions of this interface, the direction with more traffic is used.
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

// leastExcess returns the least excess traffic on a link that clients notice, in bytes per
// second. A virtual link may report any speed, so the traffic of the busiest interface
// limits the result.
func (o *NetworkOptions) leastExcess(speed, most float64) float64 {
	known := max(o.BytesPerSecond, o.MostRatio*most)
	if table.IsMissing(speed) {
		return o.BytesPerSecond
	}
	return min(o.LinkPercent/percent*speed, known)
}

// traffic notes an interface with more traffic than its peers, if neither drives nor
// clients explain the excess. Only bulk transfers count. The server with the root
// directory gets many times as many requests as other servers (F10 §12), and sends as
// many answers. But requests and answers are small. Acknowledgements, which packet loss
// doubles, are small as well.
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
