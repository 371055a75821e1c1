package symptom

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// Servers of a storage system repair and move data among themselves: a self-heal copies data that a
// server has missed, and a rebalance moves data to a new server. The server that does the work
// receives data from some servers and sends data to other servers. So it has far more traffic than
// its peers. Both ends of these connections are servers of the system. A network hog
// (finding.NetworkHog) exchanges data with a machine that is not a server of the system. So traffic
// between servers is not a symptom of a hog. The finding about such traffic has the harmless kind
// finding.SystemUpkeep.
//
// At least two servers take part in an exchange. All servers that exchange more data than their
// peers are reported in one finding, at the server with the largest exchange.

// examineExchange notes the symptom Exchanges: a host that exchanges more data with other servers
// of the system than its peers. The exchange must be so large that clients notice it. Each
// direction of the traffic is divided by the smallest traffic that clients notice, and the
// direction with the larger ratio is used.
func (o *limits) examineExchange(w *Window, g *Group, c int) {
	s := w.serverOf[c]
	if s < 0 || table.IsMissing(w.ByComponent[c].Mean(window.RxServers)+g.Medians[window.RxServers]) {
		return
	}
	l := &w.loads[s]
	if !(l.FeltIn > 0 && l.FeltOut > 0) {
		return
	}
	of, more, least := window.RxServers, l.FromServers, l.FeltIn
	if l.ToServers/l.FeltOut > l.FromServers/l.FeltIn {
		of, more, least = window.TxServers, l.ToServers, l.FeltOut
	}
	w.Note(finding.Exchanges, of, finding.NoDoubt, finding.Evidence{
		Component: c, Own: w.ByComponent[c].Mean(of), Peers: g.Medians[of], Score: more / megabyte, Threshold: least / megabyte, Scale: finding.MegabytesBeyond,
	})
}

// movedForServers returns how much additional work an exchange with other servers of the system may
// cause on the drives of a server. It is the work in excess of a typical server of the group, in
// bytes per second. The parameter `of` is window.Read or window.Written: data from other servers
// explain writes, and data for other servers explain reads.
//
// It is x − y, or 0 if y is larger. Here x is the whole exchange of the server. The number y is the
// part of a typical peer's exchange that the drives of this peer read or write. It does not include
// the data of clients. It is subtracted because equal exchanges may cause very different work. A
// server that is healed writes all data that it receives from other servers. Its peers may receive
// as much and write nothing, because they only compute which data the healed server has missed. In
// this case y is 0. In another system, servers copy the writes of clients to each other. There the
// peers write all data that they receive in the exchange.
func (w *Window) movedForServers(g *Group, component int, of window.Column) float64 {
	side := func(list []traffic, c int) float64 {
		switch s := w.serverOf[c]; {
		case s < 0:
			return table.Missing
		case of == window.Read:
			return list[s].sent
		default:
			return list[s].received
		}
	}
	drives := func(c int) float64 {
		switch s := w.serverOf[c]; {
		case s < 0:
			return table.Missing
		case of == window.Read:
			return w.moved[s].read
		default:
			return w.moved[s].written
		}
	}
	own := side(w.partners, component)
	if !(own > 0) {
		return 0
	}
	exchanged := w.Median(g, func(c int) float64 { return side(w.partners, c) })
	clients := w.Median(g, func(c int) float64 { return max(0, side(w.carried, c)-side(w.partners, c)) })
	typical := min(exchanged, max(0, w.Median(g, drives)-clients))
	if table.IsMissing(typical) {
		return 0
	}
	return max(0, own-typical)
}

// exchangeFinding returns one finding about all servers that exchange data with other servers of
// the system. The place is the server with the largest exchange, summed over the windows of its
// episode.
func (d *Detector) exchangeFinding(servers []int, class int) finding.Finding {
	first := servers[0]
	for _, s := range servers[1:] {
		if d.exchangeRecord(s, class).strengths > d.exchangeRecord(first, class).strengths {
			first = s
		}
	}
	f := d.finding(first, class, finding.SystemUpkeep)
	for _, s := range servers {
		if s == first {
			continue
		}
		other := d.finding(s, class, finding.SystemUpkeep)
		for _, e := range other.Evidence {
			e.Decides = false
			f.Evidence = append(f.Evidence, e)
		}
		f.Members = append(f.Members, other.Members...)
		f.Judged += other.Judged
	}
	f.Elsewhere = finding.Tally{Odd: d.all.Odd, Judged: d.all.Judged}
	for _, s := range servers {
		f.Elsewhere.Odd -= d.tallies[s].Odd
		f.Elsewhere.Judged -= d.tallies[s].Judged
	}
	for i := range f.Members {
		f.Members[i].Role = finding.Exchanging
	}
	return f
}

// exchangeRecord returns the record of the symptom Exchanges of a server.
func (d *Detector) exchangeRecord(server, class int) *symptomRecord {
	return &d.episodes[class][server].symptoms[finding.Exchanges]
}
