package symptom

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// This file compares the network traffic of interfaces. The excess traffic of an interface is its
// traffic minus the median traffic of its peers. Excess traffic is a symptom if all of these
// conditions hold:
//
//   - No drive read or wrote the data.
//   - No client and no other server of the system sent or received the data.
//   - The frames are too large to be requests.
//   - The traffic is so large that clients notice it: at least FeltShare · (traffic of the peers +
//     explained traffic), and at least LinkPercent of the link's speed.

// usualLinkBytes is the speed that is assumed for a link whose speed is not known, in bytes per
// second. It is about the speed of a gigabit link.
const usualLinkBytes = 100e6

const megabyte = 1e6

// examineNetwork notes the signs of interfaces in a window, for each direction of the traffic. A
// sign is one symptom of one interface.
func (o *limits) examineNetwork(w *Window) {
	w.Groups(topology.Interface, func(g *Group) {
		most := busiestTraffic(w, g)
		w.EachMember(g, func(c int) {
			l, least := w.LoadOf(c), o.minExcess(w.ByComponent[c].Mean(window.IfSpeed), most)
			in := o.noteTraffic(w, g, c, least, finding.Receives, window.RxBytes, window.RxPackets,
				w.explainedTraffic(g, c, window.RxBytes, l.FromClients, l.FromServers))
			out := o.noteTraffic(w, g, c, least, finding.Sends, window.TxBytes, window.TxPackets,
				w.explainedTraffic(g, c, window.TxBytes, l.ToClients, l.ToServers))
			o.noteServing(w, g, c, least, in || out)
			if s := w.serverOf[c]; s >= 0 {
				w.loads[s].FeltIn += o.minNoticed(least, g.Medians[window.RxBytes])
				w.loads[s].FeltOut += o.minNoticed(least, g.Medians[window.TxBytes])
			}
		})
	})
}

// explainedTraffic returns the part of an interface's excess traffic that has an explanation, for
// one direction (bytes), in bytes per second. There are two explanations: work for clients, and
// data for other servers of the system. At the same time, a server of Ceph reads data for clients
// and sends copies of written data to other servers. So for sent traffic of Ceph, the two
// explanations are added. In all other cases the larger explanation counts, because the same data
// may have both explanations. For example, a server that repairs another server reads the data that
// it sends, and a server writes all data that it receives.
func (w *Window) explainedTraffic(g *Group, c int, bytes window.Column, clients, servers float64) float64 {
	l := w.LoadOf(c)
	forClients := l.ExplainedTraffic(w.drivesTraffic(g, c, bytes), clients, g.Medians[bytes])
	forServers := max(w.forwarded(c, bytes), l.exchangeTraffic(servers))
	if w.isOfCeph(c) && bytes == window.TxBytes {
		return forClients + forServers
	}
	return max(forClients, forServers)
}

// busiestTraffic returns the traffic of the busiest interface of a group, in bytes per second. Of
// the two directions of this interface, the direction with more traffic is used.
func busiestTraffic(w *Window, g *Group) (most float64) {
	w.EachMember(g, func(c int) {
		for _, bytes := range [...]window.Column{window.RxBytes, window.TxBytes} {
			if carried := w.ByComponent[c].Mean(bytes); carried > most {
				most = carried
			}
		}
	})
	return most
}

// minExcess returns the smallest excess traffic on a link that clients notice, in bytes per second.
// It is a share of the link's speed. A virtual link may report any speed, so the traffic of the
// busiest interface (most) limits the result.
func (o *limits) minExcess(speed, most float64) float64 {
	unknown := o.LinkPercent / percent * usualLinkBytes
	if table.IsMissing(speed) {
		return unknown
	}
	return min(o.LinkPercent/percent*speed, max(unknown, o.FeltShare*most))
}

// noteTraffic notes the symptom Receives or Sends: an interface has more traffic than its peers,
// and nothing explains the excess traffic. Drives, clients and other servers of the system can
// explain it. Only bulk transfers count. The server with the root directory gets many times as many
// requests as other servers (F10 §12), and sends as many answers. But requests and answers are
// small. Acknowledgements, which packet loss doubles, are small as well. noteTraffic returns true
// if the sign is anomalous.
func (o *limits) noteTraffic(w *Window, g *Group, c int, least float64, symptom finding.Symptom, bytes, packets window.Column, explained float64) bool {
	own := w.ByComponent[c].Mean(bytes)
	if table.IsMissing(own) || table.IsMissing(g.Medians[bytes]) {
		return false
	}
	bulk := bulkBytes(w.Excess(g, c, bytes), w.Excess(g, c, packets))
	return w.Note(symptom, bytes, finding.NoDoubt, finding.Evidence{
		Component: c, Own: own, Peers: g.Medians[bytes], Score: (bulk - explained) / megabyte,
		Threshold: o.minNoticed(least, g.Medians[bytes]+explained) / megabyte, Scale: finding.MegabytesBeyond,
	})
}

// minNoticed returns the smallest excess traffic that clients notice on a link that also carries
// other traffic. The parameter `beside` is this other traffic, and the parameter `least` is the
// result of minExcess. The result and the parameters are in bytes per second.
func (o *limits) minNoticed(least, beside float64) float64 { return max(least, o.FeltShare*beside) }

// noteServing notes the symptom Serves: a server serves several times as much data as its peers.
// For example, it has taken over the work of servers that lost their paths. The hardware is not at
// fault. Two conditions must hold: the interface carries several times the peers' traffic, and the
// drives read and write more than the drives of a peer. This difference must be about as large as
// the excess traffic. Of the two directions of the traffic, the direction with the greater excess
// is used. The parameter `hog` is true if the interface has traffic that nothing explains.
func (o *limits) noteServing(w *Window, g *Group, c int, least float64, hog bool) {
	bytes := window.RxBytes
	if w.Excess(g, c, window.TxBytes) > w.Excess(g, c, window.RxBytes) {
		bytes = window.TxBytes
	}
	own, peers := w.ByComponent[c].Mean(bytes), g.Medians[bytes]
	if table.IsMissing(own) || !(peers > 0) {
		return
	}
	doubt := finding.NoDoubt
	switch l, excess := w.LoadOf(c), own-peers; {
	case excess < least:
		doubt = finding.LittleMore
	case hog || l.Interfaces*excess-w.drivesTraffic(g, c, bytes) >= o.FeltShare*l.Interfaces*own:
		doubt = finding.NotMoved
	}
	w.Note(finding.Serves, bytes, doubt, finding.Evidence{
		Component: c, Own: own, Peers: peers, Score: own / peers, Threshold: o.criteria.DoubleTimes, Scale: finding.TimesPeers,
	})
}
