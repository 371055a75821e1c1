// This file orders what stays odd. In a large system some component is
// always odd for a moment. What matters is what persists (L13 §4.3).
//
// It stands behind detect in the stream: windows go in, ordered lists come out.
// Operators say which components were repaired or are known (package feedback).

package persistence

import (
	"cmp"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine/command"
)

// Accumulators hold one counter for every component and metric: one more for
// each window where the component is suspect, one less where it is not, never
// below zero.
type Accumulators struct {
	values map[rankKey]*accumulator
	muted  map[int]bool
}

type rankKey struct{ metric, component int }

type accumulator struct {
	value int
	since int64 // end of the first window of this climb from zero
	last  Verdict
	fades bool
}

// Entry is one line of a list.
type Entry struct {
	Value     int
	Component int
	Metric    int
	Since     int64   // Unix time at which it rose from zero
	Last      Verdict // the last that was anomalous
	Fades     bool    // it is no longer suspect
}

// NewRank returns accumulators at zero.
func NewRank() *Accumulators {
	return &Accumulators{values: map[rankKey]*accumulator{}, muted: map[int]bool{}}
}

// Push counts the verdicts of a window. What was not judged stays as it was.
func (a *Accumulators) Push(w *Window) {
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.State != Unjudged {
			a.count(w, v)
		}
	}
}

func (a *Accumulators) count(w *Window, v *Verdict) {
	k := rankKey{w.Metric, v.Component}
	acc := a.values[k]
	switch {
	case acc == nil && !v.Suspect:
		return
	case acc == nil:
		acc = &accumulator{since: w.End}
		a.values[k] = acc
	}
	if v.State == Anomalous {
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

// Apply executes an operator's command on components of these numbers.
func (a *Accumulators) Apply(verb command.Verb, components []int) {
	for _, c := range components {
		switch verb {
		case command.Mute:
			a.muted[c] = true
		case command.Unmute:
			delete(a.muted, c)
		case command.Resolve:
			maps.DeleteFunc(a.values, func(k rankKey, _ *accumulator) bool { return k.component == c })
		}
	}
}
