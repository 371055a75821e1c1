package persistence

import (
	"cmp"
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/engine/command"
)

// Accumulators hold one counter for every component and metric. A window in which the component is
// a suspect adds one to the counter. Any other window subtracts one, but never below zero. The
// input is windows. The output is a list of components, ordered by their counters (Top). So
// persistent suspects come first in the list. Without counters, the list would be full of healthy
// components: in a large system, at any time, some component is anomalous for a short while (L13
// §4.3). An operator's command mutes a component or resets its counters (package command).
type Accumulators struct {
	values map[accumulatorKey]*accumulator
	muted  map[int]bool
}

type accumulatorKey struct{ metric, component int }

type accumulator struct {
	value int
	since int64   // Unix time of the end of the window in which the counter last rose from zero
	last  Verdict // last verdict that was anomalous
	fades bool    // the component was not a suspect in its last window
}

// Entry is one line of the list of [Accumulators.Top].
type Entry struct {
	Value     int
	Component int
	Metric    int
	Since     int64   // Unix time at which the accumulator rose from zero
	Last      Verdict // last verdict that was anomalous
	Fades     bool    // the component was not a suspect in its last window
}

// NewAccumulators returns accumulators at zero.
func NewAccumulators() *Accumulators {
	return &Accumulators{values: map[accumulatorKey]*accumulator{}, muted: map[int]bool{}}
}

// Push adds the verdicts of a window to the counters. Verdicts with the state Unjudged change
// nothing.
func (a *Accumulators) Push(w *Window) {
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; v.State != Unjudged {
			a.count(w, v)
		}
	}
}

func (a *Accumulators) count(w *Window, v *Verdict) {
	k := accumulatorKey{w.Metric, v.Component}
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

// Top returns the n largest accumulators, largest first. Equal accumulators are ordered by metric
// and component. Muted components are left out.
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

// Apply executes an operator's command on the components with the given numbers.
func (a *Accumulators) Apply(verb command.Verb, components []int) {
	for _, c := range components {
		switch verb {
		case command.Mute:
			a.muted[c] = true
		case command.Unmute:
			delete(a.muted, c)
		case command.Resolve:
			delete(a.muted, c)
			maps.DeleteFunc(a.values, func(k accumulatorKey, _ *accumulator) bool { return k.component == c })
		}
	}
}
