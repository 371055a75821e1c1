package rank

import (
	"cmp"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine/detect"
	"github.com/limpet-storage/limpet/engine/feedback"
)

// Accumulators hold one counter for every component and metric: one more for
// each window where the component is suspect, one less where it is not, never
// below zero.
type Accumulators struct {
	values map[key]*accumulator
	muted  map[int]bool
}

type key struct{ metric, component int }

type accumulator struct {
	value int
	since int64 // end of the first window of this climb from zero
	last  detect.Verdict
	fades bool
}

// Entry is one line of a list.
type Entry struct {
	Value     int
	Component int
	Metric    int
	Since     int64          // Unix time at which it rose from zero
	Last      detect.Verdict // the last that was anomalous
	Fades     bool           // it is no longer suspect
}

// New returns accumulators at zero.
func New() *Accumulators {
	return &Accumulators{values: map[key]*accumulator{}, muted: map[int]bool{}}
}

// Push counts the verdicts of a window. What was not judged stays as it was.
func (a *Accumulators) Push(w *detect.Window) {
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.State != detect.Unjudged {
			a.count(w, v)
		}
	}
}

func (a *Accumulators) count(w *detect.Window, v *detect.Verdict) {
	k := key{w.Metric, v.Component}
	acc := a.values[k]
	switch {
	case acc == nil && !v.Suspect:
		return
	case acc == nil:
		acc = &accumulator{since: w.End}
		a.values[k] = acc
	}
	if v.State == detect.Anomalous {
		acc.last = *v
	}
	acc.fades = !v.Suspect
	if v.Suspect {
		acc.value++
	} else if acc.value--; acc.value == 0 {
		delete(a.values, k)
	}
}

// Top lists the n largest accumulators, largest first; those of equal value
// stand in the order of metric and component. Muted components are left out.
func (a *Accumulators) Top(n int) []Entry {
	var list []Entry
	for k, acc := range a.values {
		if !a.muted[k.component] {
			list = append(list, Entry{acc.value, k.component, k.metric, acc.since, acc.last, acc.fades})
		}
	}
	slices.SortFunc(list, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(y.Value, x.Value), cmp.Compare(x.Metric, y.Metric), cmp.Compare(x.Component, y.Component))
	})
	return list[:min(n, len(list))]
}

// Apply does what an operator says.
func (a *Accumulators) Apply(f feedback.Feedback) {
	for _, c := range f.Components {
		switch f.Verb {
		case feedback.Mute:
			a.muted[c] = true
		case feedback.Unmute:
			delete(a.muted, c)
		case feedback.Resolve:
			maps.DeleteFunc(a.values, func(k key, _ *accumulator) bool { return k.component == c })
		}
	}
}
