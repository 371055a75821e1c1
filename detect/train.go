package detect

import (
	"io"

	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Trainer learns thresholds from a period that is taken to be free of faults.
// Imperfect data only dampen alarms on the component that was faulty then
// (L13 §4.2.1).
type Trainer struct {
	detector *Detector
	system   *topology.System
	seen     map[[2]int]*training
}

// training is what a group's scores were.
type training struct {
	windows int
	most    []float64 // by member
	seen    []bool    // by member: its server was heard in some window
	all     []float64 // every score: a day of 768 components takes 1.2 MB
	largest float64
}

// NewTrainer returns a trainer for the given metrics of a stream.
func NewTrainer(o Options, system *topology.System, schema table.Schema, metrics []string) (*Trainer, error) {
	d, err := New(o, system, schema, metrics, &Model{Options: o})
	if err != nil {
		return nil, err
	}
	return &Trainer{detector: d, system: system, seen: map[[2]int]*training{}}, nil
}

// Run learns from a whole stream.
func (t *Trainer) Run(s table.Stream) error {
	for {
		row, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		t.Push(row)
	}
}

// Push takes the next row.
func (t *Trainer) Push(row *table.Row) {
	t.detector.push(row, t.learn)
}

func (t *Trainer) learn(g *group, w *Window) {
	key := [2]int{w.Metric, w.Group}
	tr := t.seen[key]
	if tr == nil {
		n := len(w.Verdicts)
		tr = &training{most: make([]float64, n), seen: make([]bool, n), largest: g.measure.Largest()}
		t.seen[key] = tr
	}
	if !g.scratch.idle {
		tr.windows++
	}
	for i, v := range w.Verdicts {
		if g.scratch.facts[i].silent {
			continue
		}
		tr.seen[i] = true
		if g.scratch.idle {
			continue
		}
		tr.most[i] = max(tr.most[i], v.Score)
		tr.all = append(tr.all, v.Score)
	}
}

// Model returns the thresholds learned so far.
func (t *Trainer) Model() *Model {
	m := &Model{Options: t.detector.opts}
	for _, s := range t.detector.lanes {
		for _, g := range s.groups {
			if tr := t.seen[[2]int{g.column, g.index}]; tr != nil {
				m.Groups = append(m.Groups, t.thresholds(g, tr))
			}
		}
	}
	return m
}

// thresholds doubles the largest score of every component, but goes neither
// below what is typical for the group nor above half of what is possible:
// otherwise an untouched component has a hair trigger, and one odd window in
// training blinds it for ever.
func (t *Trainer) thresholds(g *group, tr *training) TrainedGroup {
	out := TrainedGroup{
		Group: t.system.Groups[g.index].Name, Metric: g.metric.Name,
		Windows: tr.windows, Thresholds: map[string]float64{},
	}
	if tr.windows > 0 { // an idle group scores nothing, and any load there is odd
		out.Typical = median(tr.all)
	}
	var all []float64
	for i, c := range g.members {
		if !tr.seen[i] {
			continue
		}
		threshold := max(t.detector.opts.TrainFactor*tr.most[i], out.Typical)
		threshold = min(threshold, tr.largest/2)
		out.Thresholds[t.system.Components[c].Name] = threshold
		all = append(all, threshold)
	}
	out.Median = median(all)
	return out
}
