package evaluate

import (
	"math"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
)

// Result compares a diagnosis with the truth about its data.
type Result struct {
	Components  int       // number of components that were judged
	HealthyDays float64   // days for which healthy components were judged, in total
	Windows     Confusion // component-windows
	Verdicts    []Verdicts
	Faults      []FaultResult
}

// Verdicts are the counts of one kind of verdict.
type Verdicts struct {
	Persist     int // accumulator value that makes a verdict
	Components  Confusion
	Found       int // faults with a verdict
	FalseAlarms int
	Harmless    int // false alarms about events that the truth calls harmless
	HealthyDays float64
}

// FalseAlarmRate returns the number of false alarms per 1,000 days of a healthy component.
func (v *Verdicts) FalseAlarmRate() float64 {
	if v.HealthyDays == 0 {
		return math.NaN()
	}
	return 1000 * float64(v.FalseAlarms) / v.HealthyDays
}

// FaultResult is one fault, with the time until each kind of verdict on it; negative: there was no
// verdict.
type FaultResult struct {
	Kind, Component string
	ToVerdict       []time.Duration // by kind of verdict
}

// never stands in the place of a time if there was no verdict.
const never = time.Duration(-1)

// Result returns the result of the diagnosis.
func (l *ledger) Result() *Result {
	r := &Result{Windows: l.windows, HealthyDays: l.healthyDays()}
	for _, seen := range l.seen {
		if seen {
			r.Components++
		}
	}
	for i, persist := range l.persist {
		v := Verdicts{
			Persist: persist, Components: l.components(i), HealthyDays: r.HealthyDays,
			FalseAlarms: l.levels[i].alarms, Harmless: l.levels[i].harmless,
		}
		for _, f := range l.tracks {
			if _, ok := f.first(i); ok {
				v.Found++
			}
		}
		r.Verdicts = append(r.Verdicts, v)
	}
	for i, f := range l.tracks {
		r.Faults = append(r.Faults, l.faultResult(&l.truth.Faults[i], f))
	}
	return r
}

func (l *ledger) faultResult(fault *simulate.Fault, f *faultTrack) FaultResult {
	out := FaultResult{Kind: string(fault.Kind), Component: fault.Component}
	for i := range l.persist {
		took := never
		if at, ok := f.first(i); ok {
			took = time.Duration(at-max(f.from, l.first)) * time.Second
		}
		out.ToVerdict = append(out.ToVerdict, took)
	}
	return out
}
