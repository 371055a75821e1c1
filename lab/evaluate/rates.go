package evaluate

import (
	"maps"
	"math"
	"slices"
)

// None is the fault of a control run, which has none.
const None = "none"

// Rates are the four rates of some experiments, in percent; NaN of none.
type Rates [numRates]float64

// Experiment is an outcome with the place that it has in the tables.
type Experiment struct {
	Cluster, Workload, Fault string
	Run                      int // from 0
	Method                   string
	Conditions               string // that were drawn for the run, none where it was as in F10
	Outcome
	Evidence []string // beside Indicted: what speaks against each
	// OnsetErrors are the seconds by which the onsets of faulty servers that
	// were indicted are too late; negative: too early.
	OnsetErrors []float64
}

// unknown are the rates of no experiments.
func unknown() Rates {
	return Rates{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
}

// ratesOf counts the experiments that belong.
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

// aggregateRates averages the rows of a table as F10 does: the faults for true
// positives, the faults and the control row for false ones.
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

// observableFaults reports whether a workload lets a fault be seen: a lost packet
// costs time only where data flow its way (F10 §11).
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
