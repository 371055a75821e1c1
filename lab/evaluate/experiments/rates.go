package experiments

import (
	"github.com/limpet-storage/limpet/lab/evaluate/score"
	"github.com/limpet-storage/limpet/lab/testbed"
)

// group is some of the runs.
type group struct {
	name string
	has  func(*Outcome) bool
}

// The groups that are counted, from what F10 measured to everything.
var groups = []group{
	{"F10's faults, observable", func(o *Outcome) bool { return o.Fault.OfF10() && o.Fault.Observable(o.Workload) }},
	{"F10's faults", func(o *Outcome) bool { return o.Fault.OfF10() }},
	{"faults of life", func(o *Outcome) bool { return !o.Fault.OfF10() && !o.Fault.Harmless() }},
	{"control runs", func(o *Outcome) bool { return o.Fault == testbed.None }},
	{"harmless work", func(o *Outcome) bool { return o.Fault.Harmless() && o.Fault != testbed.None }},
	{"all", func(*Outcome) bool { return true }},
}

// Rates are F10's four rates of some runs.
type Rates [score.NumRates]score.Share

// rates counts the runs of a group. True positives are of runs with a fault,
// false ones of all.
func (r *Result) rates(has func(*Outcome) bool) Rates {
	var all Rates
	for i := range r.Runs {
		o := &r.Runs[i]
		if !has(o) {
			continue
		}
		for rate := range score.NumRates {
			if len(o.Faulty) == 0 && (rate == score.ITP || rate == score.DTP) {
				continue
			}
			all[rate].All++
			if o.Is(rate) {
				all[rate].Of++
			}
		}
	}
	return all
}

// Controls counts the control runs that accuse somebody.
func (r *Result) Controls() score.Share {
	return r.rates(func(o *Outcome) bool { return o.Fault == testbed.None })[score.IFP]
}

// wrong says whether a diagnosis is anything but right.
func (o *Outcome) wrong() bool {
	missed := len(o.Faulty) > 0 && !o.Is(score.DTP)
	return missed || o.Is(score.IFP) || o.Is(score.DFP)
}
