package evaluate

import (
	"context"
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// TruthOptions choose how data are diagnosed, and which accumulator values are verdicts.
type TruthOptions struct {
	Diagnose engine.Options
	Model    *persistence.Model
	// Persist are the accumulator values that make a verdict. The verdicts of each value are
	// counted apart.
	Persist   []int
	Simulated bool // the data are simulated, and the report mentions it
}

// DefaultTruthOptions returns options with three kinds of verdict, by the value of the accumulator:
//
//   - 1: the component was in a list at least once.
//   - 8: the anomaly lasted for more than an hour at L13's settings. Lists are made every hour, and
//     an operator cannot examine a component that is in one list only.
//   - 100: the anomaly lasted for half a day. From there on, L13's operator examines it (§5.1).
func DefaultTruthOptions() TruthOptions {
	return TruthOptions{Diagnose: engine.DefaultOptions(), Persist: []int{1, 8, 100}, Simulated: true}
}

// Validate returns an error that names every invalid setting.
func (o *TruthOptions) Validate() error {
	return errors.Join(o.Diagnose.Validate(), checkPersist(o.Persist))
}

func checkPersist(persist []int) error {
	for i, p := range persist {
		if p < 1 || i > 0 && p <= persist[i-1] {
			return fmt.Errorf("the thresholds of the accumulator are %v: give whole numbers of 1 or more, in ascending order", persist)
		}
	}
	if len(persist) == 0 {
		return errors.New("the threshold of the accumulator is missing: give at least one whole number")
	}
	return nil
}

// TruthResult compares a diagnosis with the truth about its data.
type TruthResult struct {
	System    string
	Method    string
	Metrics   []string
	Simulated bool
	*Result
}

// Truth diagnoses a stream and compares the result with the known faults.
func Truth(ctx context.Context, o TruthOptions, system *topology.System, s table.Stream, truth *simulate.Truth) (*TruthResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	l, err := newLedger(&o.Diagnose.Detect, o.Persist, system, truth)
	if err != nil {
		return nil, err
	}
	engine, err := engine.New(o.Diagnose, system, s.Schema(), o.Model, l)
	if err != nil {
		return nil, err
	}
	if err := each(ctx, s, engine.Push); err != nil {
		return nil, err
	}
	engine.Finish()
	return &TruthResult{
		System: truth.System, Method: o.Diagnose.Method, Metrics: o.Diagnose.Metrics, Simulated: o.Simulated,
		Result: l.Result(),
	}, nil
}
