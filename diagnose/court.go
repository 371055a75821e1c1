package diagnose

import (
	"slices"

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
	judged   [symptom.NumKinds]bool // in some window
	unlike   [symptom.NumKinds]int  // windows in which half of the servers showed it
}

func newExamination(o *Options, system *topology.System, schema table.Schema) (*examination, error) {
	x, err := symptom.New(o.Symptoms, system, schema)
	return &examination{examiner: x, ranking: explain.NewRanking(system, schema, o.Symptoms)}, err
}

func (x *examination) row(row *table.Row, excused func(string) bool) {
	x.ranking.Row(row)
	x.examiner.Push(row, func(w *symptom.Window) {
		if len(w.Signs) > 0 {
			x.heard++
		}
		for i := range w.Signs {
			x.judged[w.Signs[i].Kind] = true
		}
		for _, kind := range w.Unlike {
			x.unlike[kind]++
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

// Limits is what an examination by symptoms could not say.
type Limits struct {
	Unjudged []string // resources that were never judged
	Unlike   []string // what half of the servers showed, so that nobody is odd in it
}

// Limits returns what could not be judged, nothing where there was no
// examination by symptoms.
func (e *Engine) Limits() Limits {
	var l Limits
	x, ok := e.court.(*examination)
	if !ok || x.heard == 0 {
		return l
	}
	for _, resource := range []struct {
		name  string
		kinds []symptom.Kind
	}{
		{"disks", []symptom.Kind{symptom.Slow, symptom.Loaded}},
		{"network traffic", []symptom.Kind{symptom.Receives, symptom.Sends}},
		{"packet loss on the way to servers", []symptom.Kind{symptom.LosesIn}},
		{"packet loss on the way from servers", []symptom.Kind{symptom.LosesOut}},
	} {
		if !slices.ContainsFunc(resource.kinds, func(k symptom.Kind) bool { return x.judged[k] }) {
			l.Unjudged = append(l.Unjudged, resource.name)
		}
	}
	for kind, windows := range x.unlike {
		if windows >= e.opts.Symptoms.K {
			l.Unlike = append(l.Unlike, symptom.Kind(kind).String())
		}
	}
	return l
}
