package evaluate

import (
	"github.com/limpet-storage/limpet/lab/testbed"
)

// group is a group of runs.
type group struct {
	name  string // subject in CSV, which does not change
	title string // name for people; empty: the same
	has   func(*ExperimentsOutcome) bool
}

// groups are the groups of runs in a report, from the faults of F10 to all runs.
var groups = []group{
	{"F10's faults, observable", "observable faults of the paper F10", func(o *ExperimentsOutcome) bool { return o.Fault.OfF10() && o.Fault.Observable(o.Workload) }},
	{"F10's faults", "faults of the paper F10", func(o *ExperimentsOutcome) bool { return o.Fault.OfF10() }},
	{"faults of life", "everyday faults", func(o *ExperimentsOutcome) bool { return !o.Fault.OfF10() && !o.Fault.Harmless() }},
	{"control runs", "", func(o *ExperimentsOutcome) bool { return o.Fault == testbed.None }},
	{"harmless work", "harmless extra work", func(o *ExperimentsOutcome) bool { return o.Fault.Harmless() && o.Fault != testbed.None }},
	{"all", "", func(*ExperimentsOutcome) bool { return true }},
}

// experimentRates holds F10's four rates of some runs.
type experimentRates [numRates]Share

// rates counts the runs of a group. True positives are counted in runs with a fault, false
// positives in all runs.
func (r *ExperimentsResult) rates(has func(*ExperimentsOutcome) bool) experimentRates {
	var all experimentRates
	for i := range r.Runs {
		o := &r.Runs[i]
		if !has(o) {
			continue
		}
		for rate := range numRates {
			if len(o.Faulty) == 0 && (rate == itp || rate == dtp) {
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

// Controls counts the control runs in which a server is blamed.
func (r *ExperimentsResult) Controls() Share {
	return r.rates(func(o *ExperimentsOutcome) bool { return o.Fault == testbed.None })[ifp]
}

// wrong reports whether a diagnosis misses the fault, or accuses or names anything wrong.
func (o *ExperimentsOutcome) wrong() bool {
	missed := len(o.Faulty) > 0 && !o.Is(dtp)
	return missed || o.Is(ifp) || o.Is(dfp)
}
