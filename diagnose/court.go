package diagnose

import (
	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/symptom"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// court indicts servers by what it hears of them.
type court interface {
	row(row *table.Row, excused func(server string) bool)
	window(w *detect.Window, excused func(server string) bool)
	indictments() []explain.Indictment
	windows() int // that it has heard
}

// checklist is F10's.
type checklist struct {
	list  *explain.Checklist
	heard int
}

func (c *checklist) row(row *table.Row, _ func(string) bool) { c.list.Row(row) }
func (c *checklist) indictments() []explain.Indictment       { return c.list.List() }
func (c *checklist) windows() int                            { return c.heard }

func (c *checklist) window(w *detect.Window, excused func(string) bool) {
	c.heard++
	c.list.Window(w, excused)
}

// examination is by symptoms.
type examination struct {
	examiner *symptom.Examiner
	ranking  *explain.Ranking
	heard    int
}

func newExamination(o *Options, system *topology.System, schema table.Schema) (*examination, error) {
	x, err := symptom.New(o.Symptoms, system, schema)
	return &examination{examiner: x, ranking: explain.NewRanking(system, schema)}, err
}

func (x *examination) row(row *table.Row, excused func(string) bool) {
	x.ranking.Row(row)
	x.examiner.Push(row, func(w *symptom.Window) {
		if len(w.Signs) > 0 {
			x.heard++
		}
		x.ranking.Window(w, excused)
	})
}

func (x *examination) window(*detect.Window, func(string) bool) {}
func (x *examination) indictments() []explain.Indictment        { return x.ranking.List() }
func (x *examination) windows() int                             { return x.heard }

// Indictments returns the servers that are indicted as it stands, none where
// the options do not ask for them.
func (e *Engine) Indictments() []explain.Indictment {
	if e.court == nil {
		return nil
	}
	return e.court.indictments()
}

// Examined says in how many windows servers could be judged.
func (e *Engine) Examined() int {
	if e.court == nil {
		return 0
	}
	return e.court.windows()
}
