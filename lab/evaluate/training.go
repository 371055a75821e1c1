package evaluate

import (
	"context"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

func (b *bench) trains() bool {
	return slices.ContainsFunc(b.Methods, func(m Method) bool { return m.Trained })
}

// train learns the thresholds of a cluster for each method from its training runs. Workers simulate
// the runs in advance; the runs are learned in order.
func (b *bench) train(ctx context.Context, c testbench.Cluster) error {
	plans := b.trainingPlans(c)
	if !b.trains() {
		return nil
	}
	trainers, err := b.trainers(plans[0])
	if err != nil {
		return err
	}
	err = inOrder(ctx, b.Workers, len(plans), func(ctx context.Context, i int) ([]*table.Row, error) {
		return b.record(ctx, plans[i])
	}, func(_ int, rows []*table.Row) error {
		for _, t := range trainers {
			for _, row := range rows {
				t.Push(row)
			}
			t.EndRun()
		}
		b.steps.did()
		return nil
	})
	models := map[string]*persistence.Model{}
	for _, m := range b.Methods {
		if m.Trained {
			models[m.Name] = trainers[m.trainerKey()].ModelWith(m.Options.Detect.K, m.Options.Detect.TrainFactor)
		}
	}
	b.models[c.String()] = models
	return err
}

// trainerKey returns a key of the scores that a method learns. The scores depend neither on its
// filter nor on its factor. Methods with the same key share a trainer.
func (m *Method) trainerKey() string {
	o := m.Options.Detect
	o.K, o.TrainFactor = 0, 0
	return fmt.Sprintf("%+v %v", o, m.Options.Metrics)
}

// trainers returns, by trainerKey, the trainers of the methods that need one.
func (b *bench) trainers(p plan) (map[string]*persistence.Trainer, error) {
	run, err := b.experiment(p).Run()
	if err != nil {
		return nil, fmt.Errorf("experiment %s cannot run: %w", p, err)
	}
	out := map[string]*persistence.Trainer{}
	for _, m := range b.Methods {
		if !m.Trained || out[m.trainerKey()] != nil {
			continue
		}
		t, err := persistence.NewTrainer(m.Options.Detect, run.System(), run.Schema(), m.Options.Metrics)
		if err != nil {
			return nil, fmt.Errorf("experiment %s cannot be evaluated with method %s: %w", p, m.Name, err)
		}
		out[m.trainerKey()] = t
	}
	return out, nil
}

// record returns the rows of a run. Ten minutes of a cluster take 3 MB.
func (b *bench) record(ctx context.Context, p plan) ([]*table.Row, error) {
	run, err := b.experiment(p).Run()
	if err != nil {
		return nil, fmt.Errorf("experiment %s cannot run: %w", p, err)
	}
	var rows []*table.Row
	err = each(ctx, run, func(row *table.Row) { rows = append(rows, clone(row)) })
	return rows, err
}

func clone(row *table.Row) *table.Row {
	out := &table.Row{End: row.End, Heard: slices.Clone(row.Heard)}
	for _, values := range row.Values {
		out.Values = append(out.Values, slices.Clone(values))
	}
	return out
}
