package incident

import (
	"slices"

	"github.com/limpet-storage/limpet/metric"
)

// A server may do light work of its own, through all of its attachments
// whatever their priority (L13 §5.3.2). Its standby paths then look as if they
// had taken over, and the LUNs that it works on, which others reach through
// their first path, look different from all that it does not. Nothing is wrong.

// lightSectors is the throughput of a LUN below which work is a server's own:
// 10 kB/s (L13 §5.3.2).
var lightSectors = metric.RdSec.Noise

// work finds the servers with work of their own: through at least half of their
// standby paths, lightly, and past paths that could serve.
func (p *paths) work() {
	standby, used, rates := make([]int, len(p.own)), make([]int, len(p.own)), make([][]float64, len(p.own))
	for _, c := range p.watched {
		server := p.serverOf[c]
		if server < 0 || !p.standby(c) || p.all[c].now > working {
			continue // it is not there
		}
		standby[server]++
		if p.all[c].now == serving && p.passedBy(c) {
			used[server]++
			rates[server] = append(rates[server], p.facts.rate(c))
		}
	}
	for s := range p.own {
		p.own[s] = standby[s] > 0 && 2*used[s] >= standby[s] && median(rates[s]) < lightSectors
	}
	for _, c := range p.watched {
		if s := p.serverOf[c]; s >= 0 && p.own[s] && p.standby(c) && p.all[c].now == serving && p.facts.rate(c) < lightSectors {
			p.all[c].now = working
		}
	}
}

// passedBy says whether a path before this one could serve and does not need
// to be stood in for.
func (p *paths) passedBy(c int) bool {
	if p.lunOf[c] < 0 {
		return false
	}
	for _, other := range p.paths[p.lunOf[c]] {
		if other == c {
			return false
		}
		if x := &p.all[other]; (x.now == serving || x.now == resting) && !x.odd {
			return true
		}
	}
	return false
}

// skewing is the share of a LUN's requests, one in so many, that changes how it
// looks: a twentieth moves a mean by less than what counts as slow.
const skewing = 20

// skews says whether work that a server does for itself goes past this path and
// makes it look different from its peers, which do have such work, in more than
// a tenth of the window.
func (p *paths) skews(c int) bool {
	lun := p.lunOf[c]
	if lun < 0 || 10*p.facts.aside(lun) <= p.facts.steps() {
		return false
	}
	return slices.ContainsFunc(p.paths[lun], func(other int) bool { return other != c && p.all[other].now == working })
}

// median of values, which it sorts; 0 where there are none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	mid := len(values) / 2
	if len(values)%2 == 0 {
		return (values[mid-1] + values[mid]) / 2
	}
	return values[mid]
}
