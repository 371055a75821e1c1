package evaluate

import (
	"maps"
	"math"
	"slices"
)

// None stands in the place of a fault in control runs.
const None = "none"

// Rates are the four rates of some experiments, in percent; NaN if there are no experiments.
type Rates [numRates]float64

// Experiment is an outcome with the settings of its run.
type Experiment struct {
	Cluster, Workload, Fault string
	Run                      int // from 0
	Method                   string
	Conditions               string // conditions drawn for the run; empty: the conditions of F10
	Outcome
	Evidence []string // evidence against each server of Indicted, in the same order
	// OnsetErrors are the seconds by which the onsets of indicted faulty servers are too late;
	// negative: too early.
	OnsetErrors []float64
}

// unknown returns rates that are all NaN.
func unknown() Rates {
	return Rates{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
}

// ratesOf returns the rates and the number of the experiments for which belongs is true.
func ratesOf(all []Experiment, belongs func(*Experiment) bool) (r Rates, n int) {
	for i := range all {
		e := &all[i]
		if !belongs(e) {
			continue
		}
		n++
		for rate := range numRates {
			if e.Is(rate) {
				r[rate]++
			}
		}
	}
	if n == 0 {
		return unknown(), 0
	}
	for rate := range r {
		r[rate] *= 100 / float64(n)
	}
	return r, n
}

// aggregateRates averages the rows of a table as F10 does: true positives over the rows of faults,
// false positives over the rows of faults and of control runs.
func aggregateRates(rows map[string]Rates) Rates {
	out := unknown()
	for rate := range numRates {
		sum, n := 0.0, 0
		for _, fault := range slices.Sorted(maps.Keys(rows)) { // sums depend on their order
			row := rows[fault]
			if fault == None && rate.truePositive() || math.IsNaN(row[rate]) {
				continue
			}
			sum += row[rate]
			n++
		}
		if n > 0 {
			out[rate] = sum / float64(n)
		}
	}
	return out
}

// observableFaults reports whether a fault can be seen under a workload. A lost packet costs time
// only if data flow in the direction of the loss (F10 §11).
func observableFaults(fault, workload string) bool {
	switch fault {
	case None:
		return false
	case "receive-pktloss":
		return workload == "ddw" || workload == "iozonew"
	case "send-pktloss":
		return workload == "ddr" || workload == "iozoner"
	}
	return true
}
