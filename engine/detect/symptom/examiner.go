package symptom

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// examiner finds the signs of a system's components, window by window.
type examiner struct {
	opts     Options
	serverOf []int
	totals   *window.Totals
	window   *Window
	disks    *detector
	filters  []filters         // by component
	unlike   []finding.Symptom // that so many servers show in this window that they are no peers in it
	crowd    []crowd           // by server, after one for those without a server
}

// filters are those of one component's symptoms.
type filters [finding.NumSymptoms]persistence.Filter

// crowd says whether a server was judged in a symptom, and is odd in it.
type crowd struct{ judged, odd bool }

func newExaminer(o Options, m *blame.Map, schema table.Schema) (*examiner, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.ShiftSeconds%schema.StepSeconds != 0 {
		return nil, fmt.Errorf("windows every %d s of rows every %d s: choose a step that divides the shift", o.ShiftSeconds, schema.StepSeconds)
	}
	totals := window.NewTotals(schema, o.ShiftSeconds, int(o.WinSeconds/o.ShiftSeconds))
	return &examiner{
		opts: o, serverOf: m.ServerOf, totals: totals, window: newPeers(o.Peers, m, totals, o.WinSeconds),
		disks: newDisk(o.Disk, schema.Components), filters: make([]filters, schema.Components), crowd: make([]crowd, len(m.System.Servers)+1),
	}, nil
}

// push takes the next row and calls emit for each window that it completes.
// Where too few rows came there is no window.
func (x *examiner) push(row *table.Row, emit func()) {
	x.totals.Row(row, func(end int64, steps int) {
		if x.window.Measure(end, steps) {
			x.examine()
			emit()
		}
	})
}

// examine judges one window.
func (x *examiner) examine() {
	x.disks.Window(x.window)
	x.opts.Network.Judge(x.window)
	x.opts.Loss.Judge(x.window)
	x.excuseCrowds()
	for i := range x.window.Signs {
		s := &x.window.Signs[i]
		s.Suspect = x.filters[s.Component][s.Symptom].Push(s.Odd, x.opts.KWindows)
	}
}

// excuseCrowds: what half of the servers or more show is nobody's fault. They
// may be doing different things, or the drives of one server different ones.
func (x *examiner) excuseCrowds() {
	x.unlike = x.unlike[:0]
	for symptom := range finding.NumSymptoms {
		judged, odd := x.count(symptom)
		if odd >= x.opts.CrowdServers && float64(odd) >= x.opts.CrowdRatio*float64(judged) {
			x.unlike = append(x.unlike, symptom)
			x.excuse(symptom)
		}
	}
}

// count says how many servers were judged in a symptom, and are odd in it.
func (x *examiner) count(symptom finding.Symptom) (judged, odd int) {
	clear(x.crowd)
	for i := range x.window.Signs {
		s := &x.window.Signs[i]
		if s.Symptom != symptom {
			continue
		}
		of := &x.crowd[x.serverOf[s.Component]+1]
		if !of.judged {
			of.judged = true
			judged++
		}
		if s.Odd && !of.odd {
			of.odd = true
			odd++
		}
	}
	return judged, odd
}

// excuse makes nobody odd in a symptom.
func (x *examiner) excuse(symptom finding.Symptom) {
	for i := range x.window.Signs {
		if s := &x.window.Signs[i]; s.Symptom == symptom && s.Odd {
			s.Odd, s.Doubt = false, finding.Widespread
		}
	}
}

func (x *examiner) state(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Components, x.filters, func(c *state.Codec, f *filters) {
		for kind := range f {
			state.Uint(c, &f[kind])
		}
	})
	x.totals.State(c, axes)
	x.disks.State(c, axes)
}
