package agent

import (
	"math"

	"github.com/limpet-storage/limpet/record/tcpstat"
)

// peerFamilies are the metrics of the connections with a remote host on one side. If no connection
// is left, the window and the round-trip time are left out, because their last mean would look like
// a measurement.
var peerFamilies = []family[tcpstat.Peer]{
	{"limpet_tcp_sockets", gauge, "Number of established connections.", func(p *tcpstat.Peer) float64 {
		return float64(p.Sockets)
	}},
	{"limpet_tcp_cwnd_segments", gauge, "Congestion window, mean over the connections.", func(p *tcpstat.Peer) float64 {
		return whileOpen(p, p.Cwnd)
	}},
	{"limpet_tcp_rtt_seconds", gauge, "Smoothed round-trip time, mean over the connections.", func(p *tcpstat.Peer) float64 {
		return whileOpen(p, p.RTT)
	}},
	{"limpet_tcp_retransmitted_segments_total", counter, "Segments retransmitted.", func(p *tcpstat.Peer) float64 {
		return float64(p.Retrans)
	}},
	{"limpet_tcp_delivered_segments_total", counter, "Segments that the remote host has acknowledged.", func(p *tcpstat.Peer) float64 {
		return float64(p.Delivered)
	}},
	{"limpet_tcp_sent_bytes_total", counter, "Bytes that the remote host has acknowledged.", func(p *tcpstat.Peer) float64 {
		return float64(p.Sent)
	}},
	{"limpet_tcp_received_bytes_total", counter, "Bytes received.", func(p *tcpstat.Peer) float64 {
		return float64(p.Received)
	}},
	{"limpet_tcp_cwnd_delivered_segments_total", counter, "Sum of the congestion window at the time of each delivered segment. Divide by the number of delivered segments to get the mean window, weighted by traffic.", func(p *tcpstat.Peer) float64 {
		return float64(p.CwndDelivered)
	}},
}

// controlFamilies have the congestion control in a label.
var controlFamilies = []family[tcpstat.Peer]{
	{"limpet_tcp_congestion_control_info", gauge, "Congestion control of the connection that has sent the most data.", func(*tcpstat.Peer) float64 {
		return 1
	}},
}

func whileOpen(p *tcpstat.Peer, mean float64) float64 {
	if p.Sockets == 0 {
		return math.NaN()
	}
	return mean
}

func writePeers(out exposition, items []byte) {
	var peers, controlled []tcpstat.Peer
	var ends, controls []labelSet
	for ; len(items) >= tcpstat.Size; items = items[tcpstat.Size:] {
		var p tcpstat.Peer
		if tcpstat.Decode(items[:tcpstat.Size], &p) != nil {
			continue
		}
		peers = append(peers, p)
		ends = append(ends, labelSet{"remote", p.Remote.String(), "side", side(&p)})
		if p.Control != (tcpstat.Control{}) {
			controlled = append(controlled, p)
			controls = append(controls, labelSet{"remote", p.Remote.String(), "side", side(&p), "control", p.Control.String()})
		}
	}
	writeFamilies(out, peerFamilies, peers, ends)
	writeFamilies(out, controlFamilies, controlled, controls)
}

// side returns which side opened the connections.
func side(p *tcpstat.Peer) string {
	if p.Dialled {
		return "dialled"
	}
	return "accepted"
}
