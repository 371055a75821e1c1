package symptom

import (
	"math"

	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/topology"
)

// judge computes the signs of a window, component by component.
func (p *plain) judge() []sign {
	var list []sign
	for c := range p.system.Components {
		if !p.judged(c) {
			continue
		}
		switch p.system.Components[c].Kind {
		case topology.Attachment:
			list = append(list, p.slow(c)...)
			list = append(list, p.loaded(c)...)
		case topology.Interface:
			list = append(list, p.traffic(c, Receives, "rxbyt", "rxpck", "wr_sec")...)
			list = append(list, p.traffic(c, Sends, "txbyt", "txpck", "rd_sec")...)
		case topology.Host:
			list = append(list, p.loss(c, LosesIn, "retr_in", "dlv_in", "cwnd_in")...)
			list = append(list, p.loss(c, LosesOut, "retr_out", "dlv_out", "cwnd_out")...)
		}
	}
	p.excuse(list)
	for i := range list {
		list[i].suspect = p.suspect(&list[i])
	}
	return list
}

// excuse lets those be who show what at least half of the servers show.
func (p *plain) excuse(list []sign) {
	for kind := range NumKinds {
		servers := map[string]bool{} // odd or not
		for _, s := range list {
			if s.kind == kind {
				name := p.system.Components[s.Component].Server
				servers[name] = servers[name] || s.odd
			}
		}
		odd := 0
		for _, is := range servers {
			if is {
				odd++
			}
		}
		for i := range list {
			if s := &list[i]; s.kind == kind && s.odd && odd >= 2 && 2*odd >= len(servers) {
				s.odd, s.doubt = false, "some"
			}
		}
	}
}

// suspect counts the odd among a symptom's last 2k−1 verdicts.
func (p *plain) suspect(s *sign) bool {
	key := [2]int{s.Component, int(s.kind)}
	p.verdicts[key] = append(p.verdicts[key], s.odd)
	odd := 0
	for i, v := range p.verdicts[key] {
		if v && i > len(p.verdicts[key])-2*p.opts.KWindows {
			odd++
		}
	}
	return odd >= p.opts.KWindows
}

func (p *plain) slow(c int) []sign {
	own, peers := p.await(c), p.typical(c, p.await)
	if math.IsNaN(own) || math.IsNaN(peers) || peers <= 0 {
		return nil
	}
	spread := p.typical(c, func(c int) float64 {
		if w := p.await(c); w <= peers {
			return math.Log(peers) - math.Log(w)
		}
		return math.NaN()
	})
	times := own / peers
	busier := p.mean(c, "%util") - p.typicalMean(c, "%util")
	enough := math.Min(p.opts.BusierPercent, p.opts.BusierRatio*p.typicalMean(c, "%util"))
	far := times >= p.opts.FarRatio && math.Log(times) >= p.opts.FarDeviations*math.Max(1.4826*spread, 0.1)
	s := sign{kind: Slow, Evidence: finding.Evidence{Component: c, Metric: "await", Own: own, Peers: peers, Score: times, Threshold: p.opts.SlowRatio}}
	return told(s, busier >= enough || far)
}

// told decides whether a sign is odd, given what the other metrics say.
func told(s sign, confirmed bool) []sign {
	s.odd = s.Score >= s.Threshold && confirmed
	if s.Score >= s.Threshold && !confirmed {
		s.doubt = "some"
	}
	return []sign{s}
}

func (p *plain) loaded(c int) []sign {
	busy, peersBusy := p.mean(c, "%util"), p.typicalMean(c, "%util")
	rd, wr := p.mean(c, "rd_sec"), p.mean(c, "wr_sec")
	peersRd, peersWr := p.typicalMean(c, "rd_sec"), p.typicalMean(c, "wr_sec")
	if math.IsNaN(busy + rd + wr + peersBusy + peersRd + peersWr) {
		return nil
	}
	drives := float64(len(p.siblings(c, topology.Attachment)))
	received, sent := p.serverBeyond(c, topology.Interface, "rxbyt"), p.serverBeyond(c, topology.Interface, "txbyt")
	requests := p.serverBeyond(c, topology.Interface, "rxpck") - math.Max(0, received)/1448
	small := 4096 * math.Max(0, requests)
	read := 512*(rd-peersRd) - (math.Max(0, sent)+small)/drives
	written := 512*(wr-peersWr) - (math.Max(0, received)+small)/drives

	cost := 0.0 // percent of a drive's time that a byte a second takes
	if peersRd+peersWr > 0 {
		cost = peersBusy / (512 * (peersRd + peersWr))
	} else if rd+wr > 0 {
		cost = busy / (512 * (rd + wr))
	}
	s := sign{kind: Loaded, Evidence: finding.Evidence{Component: c, Metric: "rd_sec", Own: rd, Peers: peersRd, Threshold: p.opts.DiskPercent}}
	if written > read {
		s.Metric, s.Own, s.Peers = "wr_sec", wr, peersWr
	}
	s.Score = math.Min(busy, math.Max(read, written)*cost)
	return told(s, true)
}

func (p *plain) traffic(c int, kind Kind, bytes, packets, sectors string) []sign {
	own, peers := p.mean(c, bytes), p.typicalMean(c, bytes)
	if math.IsNaN(own) || math.IsNaN(peers) {
		return nil
	}
	interfaces := float64(len(p.siblings(c, topology.Interface)))
	disks := math.Max(0, 512*p.serverBeyond(c, topology.Attachment, sectors)) / interfaces
	bulk := own - peers - disks - 512*math.Max(0, p.beyond(c, packets))
	s := sign{kind: kind, Evidence: finding.Evidence{
		Component: c, Metric: bytes, Own: own, Peers: peers,
		Score: bulk / 1e6, Threshold: math.Max(p.opts.NetBytesPerSecond, p.opts.NetRatio*peers) / 1e6,
	}}
	return told(s, true)
}

// lost is the percentage of segments that were sent again; NaN where the
// window tells nothing.
func (p *plain) lost(c int, again, delivered string) float64 {
	a, d := known(p.series(c, again)), known(p.series(c, delivered))
	if len(a) == 0 || len(d) == 0 {
		return math.NaN()
	}
	return 100 * sum(a) / (sum(a) + sum(d))
}

func (p *plain) loss(c int, kind Kind, again, delivered, cwnd string) []sign {
	own := p.lost(c, again, delivered)
	peers := p.typical(c, func(c int) float64 { return p.lost(c, again, delivered) })
	if math.IsNaN(own) || math.IsNaN(peers) {
		return nil
	}
	seconds := float64(p.schema.StepSeconds)
	count := seconds * sum(known(p.series(c, again)))
	all := count + seconds*sum(known(p.series(c, delivered)))
	expected := all * math.Max(peers, 0.1) / 100
	certain := count >= 16 && count-expected >= p.opts.LossDeviations*math.Sqrt(math.Max(1, expected)) && own >= p.opts.LossRatio*peers
	s := sign{kind: kind, Evidence: finding.Evidence{Component: c, Metric: again, Own: own, Peers: peers, Score: own - peers, Threshold: p.opts.LossPercent}}
	by, perStep := p.dispersion(c, again, delivered), count/float64(len(known(p.series(c, again))))
	bursts := by > p.opts.BurstRatio && math.Sqrt((by-1)/perStep) > 0.1
	return told(s, certain && !bursts && p.shrunk(c, cwnd, own, peers))
}

// dispersion is χ² of the steps' losses, by the segments that were sent.
func (p *plain) dispersion(c int, again, delivered string) float64 {
	a, d := p.series(c, again), p.series(c, delivered)
	var lost, sent []float64
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(d[i]) {
			lost, sent = append(lost, a[i]), append(sent, a[i]+d[i])
		}
	}
	share, squares := sum(lost)/sum(sent), 0.0
	for i := range lost {
		squares += (lost[i] - share*sent[i]) * (lost[i] - share*sent[i])
	}
	if len(lost) == 0 || sum(lost) == 0 || sum(lost) == sum(sent) {
		return 0
	}
	return float64(p.schema.StepSeconds) * squares / share / (1 - share) / sum(sent)
}

func (p *plain) shrunk(c int, cwnd string, own, peers float64) bool {
	window, theirs := p.mean(c, cwnd), p.typicalMean(c, cwnd)
	if math.IsNaN(window) || math.IsNaN(theirs) || theirs < 6 {
		return own-peers >= p.opts.LossAlonePercent
	}
	return window <= p.opts.ShrunkRatio*theirs
}
