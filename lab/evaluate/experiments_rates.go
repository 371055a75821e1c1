package evaluate

import (
	"github.com/limpet-storage/limpet/lab/testbed"
)

// group is some of the runs.
type group struct {
	name  string // the subject in CSV, which does not change
	title string // what people read, where that differs
	has   func(*ExperimentsOutcome) bool
}

// The groups that are counted, from what F10 measured to everything.
var groups = []group{
	{"F10's faults, observable", "faults of the paper F10, observable", func(o *ExperimentsOutcome) bool { return o.Fault.OfF10() && o.Fault.Observable(o.Workload) }},
	{"F10's faults", "faults of the paper F10", func(o *ExperimentsOutcome) bool { return o.Fault.OfF10() }},
	{"faults of life", "everyday faults", func(o *ExperimentsOutcome) bool { return !o.Fault.OfF10() && !o.Fault.Harmless() }},
	{"control runs", "", func(o *ExperimentsOutcome) bool { return o.Fault == testbed.None }},
	{"harmless work", "harmless extra work", func(o *ExperimentsOutcome) bool { return o.Fault.Harmless() && o.Fault != testbed.None }},
	{"all", "", func(*ExperimentsOutcome) bool { return true }},
}

// experimentRates are F10's four rates of some runs.
type experimentRates [numRates]Share

// rates counts the runs of a group. True positives are of runs with a fault,
// false ones of all.
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

// wrong reports whether a diagnosis is anything but right.
func (o *ExperimentsOutcome) wrong() bool {
	missed := len(o.Faulty) > 0 && !o.Is(dtp)
	return missed || o.Is(ifp) || o.Is(dfp)
}
