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

// TruthOptions choose how data are diagnosed and what counts as a verdict.
type TruthOptions struct {
	Diagnose engine.Options
	Model    *persistence.Model
	// Persist are accumulators that make a verdict, each scored apart.
	Persist   []int
	Simulated bool // the data are, and the report says so
}

// DefaultTruthOptions score three kinds of verdict. An accumulator of 1 is
// anything ever listed. One of 8 is what outlasts an hour at L13's settings:
// lists are made every hour, and what does not stay from one to the next is
// nothing that an operator could look into. One of 100 is half a day, and where
// L13's operator does look into it (§5.1).
func DefaultTruthOptions() TruthOptions {
	return TruthOptions{Diagnose: engine.DefaultOptions(), Persist: []int{1, 8, 100}, Simulated: true}
}

// Validate reports every setting that cannot work.
func (o *TruthOptions) Validate() error {
	return errors.Join(o.Diagnose.Validate(), checkPersist(o.Persist))
}

func checkPersist(persist []int) error {
	for i, p := range persist {
		if p < 1 || i > 0 && p <= persist[i-1] {
			return fmt.Errorf("the accumulators for a verdict are %v: give whole numbers of 1 or more, in ascending order", persist)
		}
	}
	if len(persist) == 0 {
		return errors.New("the accumulator for a verdict is missing: give at least one whole number")
	}
	return nil
}

// TruthResult is a diagnosis held against the truth about its data.
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
