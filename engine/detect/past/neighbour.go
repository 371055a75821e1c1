package past

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// A neighbour is a component or a server that may be a noisy neighbour. A noisy neighbour gets many
// more requests than before, and so makes other components at the same place slower.
type neighbour struct {
	place                       blame.Place
	members                     []int   // the components of the place
	requestsNow, requestsBefore float64 // requests per second of all components of the place
	share                       float64 // share of all additional requests that this place gets
}

// noisyNeighbour returns the neighbour that explains why the members of a cause became slower. This
// neighbour gets clearly more requests than before, and at least half of all additional requests at
// the place of the cause. If both a single component and a server explain the slowness,
// noisyNeighbour returns the component.
func (d *Detector) noisyNeighbour(s *cause) (best neighbour, ok bool) {
	if !d.facts.CountsRequests() || len(s.members) < 2 {
		return best, false
	}
	var beside []int
	for _, c := range d.facts.Attachments {
		if d.courses[c].compared && (s.place.Tier == blame.System || d.facts.DependsOn(c, s.place)) {
			beside = append(beside, c)
		}
	}
	ratios := slices.Sorted(slices.Values(d.ratios(beside, nil)))
	for _, single := range []bool{true, false} {
		for _, n := range d.neighbours(beside, single) {
			others := len(beside) - len(n.members)
			if n.place == s.place || others < minOthers || d.greatestRatio(n.members) < ratios[(others-1)/2]+math.Log(d.criteria.ClearTimes) {
				continue // the requests of neighbour n did not grow clearly more than the requests of the other components; this quick test uses a lower bound for the median growth of the other components, and the slower method compare computes this median
			}
			d.compare(&n, beside)
			if n.requestsNow >= d.criteria.ClearTimes*n.requestsBefore && n.share >= max(d.criteria.HalfShare, best.share) {
				best, ok = n, true
			}
		}
		if ok {
			break
		}
	}
	return best, ok
}

// minOthers is the minimum number of components that a neighbour is compared with.
const minOthers = 2

// neighbours returns one neighbour for each of the given components if `single` is true. Otherwise
// it returns one neighbour for each of their servers.
func (d *Detector) neighbours(beside []int, single bool) (list []neighbour) {
	index := make(map[blame.Place]int)
	for _, c := range beside {
		at := blame.Place{Tier: blame.Server, Name: d.facts.Component(c).Server}
		if single {
			at = d.facts.PlaceIfAlone(c)
		}
		i, ok := index[at]
		if !ok {
			i, list = len(list), append(list, neighbour{place: at})
			index[at] = i
		}
		list[i].members = append(list[i].members, c)
	}
	return list
}

// compare computes the requests of neighbour n and its share of the additional requests. The number
// of requests depends on the time of day. So compare first computes the usual growth: the median of
// the ratio (present requests / earlier requests) over the other components in `beside`. Only
// requests beyond this growth are additional requests.
func (d *Detector) compare(n *neighbour, beside []int) {
	usual := math.Exp(quantile.Median(d.ratios(beside, n.members)))
	all, own := 0.0, 0.0
	for _, c := range beside {
		w := &d.courses[c]
		now, before := math.Exp(w.recent.load)/float64(d.step), usual*math.Exp(w.usual.load)/float64(d.step)
		all += max(now-before, 0)
		if slices.Contains(n.members, c) {
			n.requestsNow += now
			n.requestsBefore += before
			own += max(now-before, 0)
		}
	}
	if all > 0 {
		n.share = own / all
	}
}

// ratios compares the requests of components with their earlier requests. It returns the logarithm
// of the ratio (present requests / earlier requests) for each component that is in the list
// `beside` and not in the list `without`. The returned slice is valid until the next call of a
// method of d.
func (d *Detector) ratios(beside, without []int) []float64 {
	d.sorted = d.sorted[:0]
	for _, c := range beside {
		if w := &d.courses[c]; !slices.Contains(without, c) {
			d.sorted = append(d.sorted, w.recent.load-w.usual.load)
		}
	}
	return d.sorted
}

// greatestRatio returns the logarithm of the ratio (present requests / earlier requests) for the
// member whose requests have grown most.
func (d *Detector) greatestRatio(members []int) float64 {
	most := math.Inf(-1)
	for _, c := range members {
		most = max(most, d.courses[c].recent.load-d.courses[c].usual.load)
	}
	return most
}

// evidence returns the requests per second of the neighbour, now and before.
func (n *neighbour) evidence(from, to int64) finding.Evidence {
	name := finding.MoreRequests
	if n.place.Tier == blame.Server {
		name = finding.MoreServerRequests
	}
	return finding.Evidence{Metric: name, Component: n.members[0], Unit: "1/s", Own: n.requestsNow, Peers: n.requestsBefore, Score: n.share, Scale: finding.ShareOfRise, From: from, To: to}
}
