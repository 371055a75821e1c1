package evaluate

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/report"
)

// trainingDay is the day that L13 §5 trains on.
var trainingDay = time.Date(2011, time.April, 14, 0, 0, 0, 0, time.UTC)

// Intrepid simulates the events one by one, and diagnoses them by every measure.
func Intrepid(ctx context.Context, o IntrepidOptions, tell Progress) (*IntrepidResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	published, err := ReadPublished()
	if err != nil {
		return nil, err
	}
	s := &intrepidEvaluation{IntrepidOptions: o, steps: steps{tell: tell, total: 1 + len(o.Incidents)}}
	if err := s.train(ctx); err != nil {
		return nil, err
	}
	s.steps.did()
	r := &IntrepidResult{Options: o}
	err = inOrder(ctx, o.Workers, len(o.Incidents), func(ctx context.Context, i int) (EventResult, error) {
		return s.watch(ctx, &o.Incidents[i])
	}, func(_ int, e EventResult) error {
		e.Paper, e.Source = published.latency(e.At)
		r.Events = append(r.Events, e)
		s.steps.did()
		return nil
	})
	return r, err
}

// intrepidEvaluation holds the state of a running evaluation.
type intrepidEvaluation struct {
	IntrepidOptions
	models map[string]*persistence.Model // by measure
	steps  steps
}

// options returns the options of L13, with one of its measures. Lists are not shortened, because
// the operator leaves lines out.
func (s *intrepidEvaluation) options(measure string) engine.Options {
	o, _ := engine.Preset("l13") // no error: this preset exists
	o.Detect.Measure = measure
	o.Top = math.MaxInt
	return o
}

// rows returns the rows of a scenario, with the metrics that detection needs.
func (s *intrepidEvaluation) rows(scenario *arrays.Scenario) (*arrays.Rows, error) {
	return scenario.Rows(persistence.L13Options().StepSeconds, metric.TPS.Name, metric.Await.Name)
}

// train learns the thresholds of every measure from the same day.
func (s *intrepidEvaluation) train(ctx context.Context) error {
	o := s.System
	o.Start, o.Days, o.Quiet = trainingDay, 1, true
	scenario, err := arrays.Intrepid(o)
	if err != nil {
		return err
	}
	rows, err := s.rows(scenario)
	if err != nil {
		return err
	}
	trainers := map[string]*persistence.Trainer{}
	for _, m := range s.Measures {
		o := s.options(m)
		if trainers[m], err = persistence.NewTrainer(o.Detect, rows.System(), rows.Schema(), o.Metrics); err != nil {
			return err
		}
	}
	err = each(ctx, rows, func(row *table.Row) {
		for _, t := range trainers {
			t.Push(row)
		}
	})
	s.models = map[string]*persistence.Model{}
	for m, t := range trainers {
		s.models[m] = t.Model()
	}
	return err
}

// watch simulates one event and diagnoses it by every measure.
func (s *intrepidEvaluation) watch(ctx context.Context, e *arrays.Incident) (EventResult, error) {
	out := EventResult{
		At: e.At, Device: strings.Join(e.Components, ", "), Category: string(e.Category),
		Seen: map[string]Sighting{}, Scores: map[string]*Result{},
	}
	scenario, err := e.Scenario(s.System)
	if err != nil {
		return out, fmt.Errorf("event %s: %w", e.Name(), err)
	}
	rows, err := s.rows(scenario)
	if err != nil {
		return out, fmt.Errorf("event %s: %w", e.Name(), err)
	}
	watchers := make([]*watcher, len(s.Measures))
	for i, m := range s.Measures {
		if watchers[i], err = s.watcher(m, rows, e.At); err != nil {
			return out, fmt.Errorf("event %s, measure %s: %w", e.Name(), m, err)
		}
	}
	err = each(ctx, rows, func(row *table.Row) {
		for _, w := range watchers {
			w.engine.Push(row)
		}
	})
	for i, m := range s.Measures {
		watchers[i].engine.Finish()
		out.Seen[m], out.Scores[m] = watchers[i].run.Sighting(), watchers[i].ledger.Result()
	}
	return out, err
}

// watcher is a diagnosis by one measure, and its listeners.
type watcher struct {
	engine *engine.Engine
	run    *OperatorRun
	ledger *ledger
}

func (s *intrepidEvaluation) watcher(measure string, rows *arrays.Rows, onset time.Time) (*watcher, error) {
	o, truth := s.options(measure), rows.Truth()
	run, err := s.Operator.NewRun(rows.System(), truth.Faults, truth.Harmless, onset)
	if err != nil {
		return nil, err
	}
	ledger, err := newLedger(&o.Detect, s.Persist, rows.System(), truth)
	if err != nil {
		return nil, err
	}
	engine, err := engine.New(o, rows.System(), rows.Schema(), s.models[measure], report.Several(run, ledger))
	return &watcher{engine, run, ledger}, err
}
