package persistence

import (
	"io"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Trainer learns thresholds from one or several runs that are assumed to be free of faults. A run
// is a part of the training data without a long gap. If a component has a fault in a run
// nevertheless, only the thresholds of this component become too high (L13 §4.2.1).
type Trainer struct {
	detector *Detector
	system   *topology.System
	seen     map[*group]*training
	last     int64 // Unix time of the end of the last row; 0 at the start of a run
}

// NewTrainer returns a trainer for the given metrics of a stream.
func NewTrainer(o Options, system *topology.System, schema table.Schema, metrics []string) (*Trainer, error) {
	d, err := New(o, system, schema, metrics, &Model{Options: o})
	if err != nil {
		return nil, err
	}
	return &Trainer{detector: d, system: system, seen: map[*group]*training{}}, nil
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

// Push takes the next row. If thresholds depend on the order of windows, a gap longer than a window
// ends the present run of training data. The row then begins a new run.
func (t *Trainer) Push(row *table.Row) {
	o := &t.detector.opts
	if gap := row.End - t.last; o.TrainStep > 0 && t.last != 0 && gap > int64(o.WinSize)*o.StepSeconds {
		t.EndRun()
	}
	t.last = row.End
	t.detector.push(row, t.learn)
}

// EndRun ends a run. The next row begins another run. The time of this row may be earlier than the
// time of the last row. Averages, windows and filters never combine rows of two runs.
func (t *Trainer) EndRun() {
	t.last = 0
	t.detector.restart()
	for _, tr := range t.seen {
		tr.scores.Split()
	}
}

// training holds the scores of a group in one metric.
type training struct {
	windows int
	seen    []bool // by member: its server sent data in some window
	scores  scores
}

// learn adds the scores of a window. It leaves out the scores of windows in which the
// whole group is idle.
func (t *Trainer) learn(g *group, w *Window) {
	tr := t.seen[g]
	if tr == nil {
		tr = &training{seen: make([]bool, len(g.members)), scores: make(scores, len(g.members))}
		t.seen[g] = tr
	}
	if !g.idle {
		tr.windows++
	}
	for i := range w.Verdicts {
		f := &g.observations[i]
		if f.silent {
			continue
		}
		tr.seen[i] = true
		if f.scored && !g.idle {
			tr.scores[i] = append(tr.scores[i], w.Verdicts[i].Score)
		}
	}
}

// Model returns the thresholds that were learned so far.
func (t *Trainer) Model() *Model { return t.ModelWith(t.detector.opts.K, t.detector.opts.TrainFactor) }

// ModelWith returns the thresholds that were learned so far. It uses the given values of the
// options K and TrainFactor. The scores in training do not depend on these two options, so one
// training is enough for several models.
func (t *Trainer) ModelWith(k int, factor float64) *Model {
	m := &Model{Options: t.detector.opts}
	m.Options.K, m.Options.TrainFactor = k, factor
	for _, l := range t.detector.lanes {
		a := approachOf(l.metric, m.Options)
		for _, g := range l.groups {
			if tr := t.seen[g]; tr != nil {
				m.Groups = append(m.Groups, t.trainedGroup(g, tr, a.thresholds(tr.scores, a.rule(t.detector.largest(l)))))
			}
		}
	}
	return m
}

// trainedGroup returns the thresholds of the members whose servers sent data in training, by the
// name of the member.
func (t *Trainer) trainedGroup(g *group, tr *training, thresholds []float64) TrainedGroup {
	out := TrainedGroup{
		Group: t.system.Groups[g.index].Name, Metric: g.lane.metric.Name,
		Windows: tr.windows, Typical: tr.scores.Typical(), Thresholds: map[string]float64{},
	}
	var seen []float64
	for i, c := range g.members {
		if tr.seen[i] {
			out.Thresholds[t.system.Components[c].Name] = thresholds[i]
			seen = append(seen, thresholds[i])
		}
	}
	out.Median = distance.Median(seen)
	return out
}
