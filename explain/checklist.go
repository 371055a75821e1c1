package explain

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Checklist gathers what indicts servers over a whole run, as F10's analysis
// of an experiment does: a server is indicted where it was suspect in one or
// more metrics at any time, and the first cause of the list that fits is taken.
type Checklist struct {
	system  *topology.System
	metrics []metric.Metric // of the schema
	decides []bool          // by metric of the schema
	memory  int             // windows that the filter remembers
	charges map[string]*charge
	history *history
}

// charge is what a server is accused of, by metric.
type charge struct {
	suspect map[string]Evidence
	onset   map[string]Onset
	nearest map[string]Evidence // the strongest window, suspect or not
	odd     map[string][]int64  // ends of the odd windows, as far as the filter remembers
}

func newCharge() *charge {
	return &charge{map[string]Evidence{}, map[string]Onset{}, map[string]Evidence{}, map[string][]int64{}}
}

// NewChecklist returns one without marks, for windows of a detection with the
// given settings and rows of a schema.
func NewChecklist(system *topology.System, schema table.Schema, o detect.Options) *Checklist {
	l := &Checklist{system: system, metrics: schema.Metrics, memory: 2*o.K - 1, charges: map[string]*charge{}}
	deciding := Metrics()
	for _, m := range schema.Metrics {
		l.decides = append(l.decides, slices.Contains(deciding, m.Name))
	}
	l.history = newHistory(system, schema, deciding, int64(o.WinSize+(2*o.K-1)*o.WinShift)*o.StepSeconds)
	for _, s := range system.Servers {
		l.charges[s] = newCharge()
	}
	return l
}

// Row takes the row before the windows that end with it.
func (l *Checklist) Row(row *table.Row) { l.history.push(row) }

// Window takes what a window says, but for servers that are excused. Absence
// is evidence of another kind: the list has no cause for a drive that is gone.
func (l *Checklist) Window(w *detect.Window, excused func(server string) bool) {
	if !l.decides[w.Metric] {
		return
	}
	peers := typical(w)
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		c := l.charges[l.system.Components[v.Component].Server]
		if c == nil || v.State == detect.Unjudged || excused(l.system.Components[v.Component].Server) {
			continue
		}
		l.note(c, w, v, peers)
	}
}

func (l *Checklist) note(c *charge, w *detect.Window, v *detect.Verdict, peers float64) {
	name := l.metrics[w.Metric].Name
	seen := Evidence{
		Metric: name, Component: l.system.Components[v.Component].Name, Unit: l.metrics[w.Metric].Unit,
		Score: v.Score, Threshold: v.Threshold,
		Median: v.Median, Peers: peers, From: w.Start, To: w.End,
	}
	c.nearest[name] = stronger(c.nearest[name], seen)
	if v.Reason != detect.Differs {
		return
	}
	c.odd[name] = append(c.odd[name], w.End)
	if over := len(c.odd[name]) - l.memory; over > 0 {
		c.odd[name] = c.odd[name][over:]
	}
	if !v.Suspect {
		return
	}
	if _, known := c.suspect[name]; !known {
		c.onset[name] = l.history.onset(w.Metric, v.Component, w.Group, c.odd[name][0], w.End)
	}
	c.suspect[name] = stronger(c.suspect[name], seen)
}

// stronger keeps the stronger of two windows, and the times of both.
func stronger(known, seen Evidence) Evidence {
	if known.Metric == "" {
		return seen
	}
	from, to := min(known.From, seen.From), max(known.To, seen.To)
	own, old := seen.strength(), known.strength()
	if own > old || own == old && seen.Score > known.Score {
		known = seen
	}
	known.From, known.To = from, to
	return known
}

// typical is the median of the medians of a window's components.
func typical(w *detect.Window) float64 {
	var medians []float64
	for i := range w.Verdicts {
		if m := w.Verdicts[i].Median; !math.IsNaN(m) {
			medians = append(medians, m)
		}
	}
	return median(medians)
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// List gives the servers indicted so far, the strongest evidence first.
func (l *Checklist) List() []Indictment {
	var list []Indictment
	for _, server := range l.system.Servers {
		c := l.charges[server]
		cause, ok := check(func(name string) bool { _, ok := c.suspect[name]; return ok })
		if !ok {
			continue
		}
		in := Indictment{Server: server, Cause: cause, Metrics: inOrder(c.suspect)}
		in.span(c.onset)
		in.Next = c.next(cause)
		list = append(list, in)
	}
	strongestFirst(list)
	return list
}

// next is the cause that comes after the one chosen: another that its server
// is suspect in, or else the one that came closest to its threshold.
func (c *charge) next(chosen Cause) *Alternative {
	var best *Alternative
	for _, e := range inOrder(c.nearest) {
		cause := causeOf(e.Metric)
		if cause == chosen {
			continue
		}
		_, holds := c.suspect[e.Metric]
		a := &Alternative{Cause: cause, Evidence: e, Holds: holds}
		if best == nil || a.beats(best) {
			best = a
		}
	}
	return best
}

func (a *Alternative) beats(b *Alternative) bool {
	if a.Holds != b.Holds {
		return a.Holds
	}
	return a.Evidence.strength() > b.Evidence.strength()
}
