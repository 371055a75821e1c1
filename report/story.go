package report

import (
	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/topology"
)

// story is a run of entries that look alike: they began together, in one group,
// in one metric and for one reason. A failed controller tells one on each of
// its LUNs, and what else is wrong stands behind them.
type story struct {
	entries []rank.Entry // most persistent first
}

// together is how far apart, in seconds, entries of one story may begin.
const together = 1800

// stories sorts a list into stories, in the order of their first entries.
func stories(system *topology.System, top []rank.Entry) []*story {
	type key struct {
		group, metric int
		reason        detect.Reason
		fades         bool
	}
	var all []*story
	open := map[key][]*story{}
	for _, e := range top {
		k := key{system.Components[e.Component].Group, e.Metric, e.Last.Reason, e.Fades}
		s := begunWith(open[k], e)
		if s == nil {
			s = &story{}
			all = append(all, s)
			open[k] = append(open[k], s)
		}
		s.entries = append(s.entries, e)
	}
	return all
}

// begunWith finds the story that began when e did.
func begunWith(open []*story, e rank.Entry) *story {
	for _, s := range open {
		if apart := e.Since - s.entries[0].Since; apart < together && apart > -together {
			return s
		}
	}
	return nil
}
