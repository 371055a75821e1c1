package symptom

import (
	"fmt"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// examiner finds the signs of a system's components, window by window. A sign is one symptom of one
// component in one window.
type examiner struct {
	limits
	serverOf   []int
	totals     *window.Totals
	window     *Window
	disks      *diskDetector
	filters    []filters         // by component: one filter for each symptom
	widespread []finding.Symptom // symptoms that at least half of the compared servers show in this window
	servers    []serverSign      // index 0 is for components without a server, index s+1 is for server s
}

// limits holds the settings of this package, and the settings that all detectors share.
type limits struct {
	Options
	criteria criteria.Options
}

// filters has one filter for each symptom of a component. The filter decides whether the component
// had an anomalous sign of the symptom in at least k of the last 2k−1 windows.
type filters [finding.NumSymptoms]persistence.Filter

// serverSign records whether one symptom of a server was compared with other servers, and whether
// the server has an anomalous sign of this symptom.
type serverSign struct{ compared, anomalous bool }

func newExaminer(o Options, c criteria.Options, m *blame.Map, schema table.Schema) (*examiner, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.ShiftSeconds%schema.StepSeconds != 0 {
		return nil, fmt.Errorf("windows start every %d s, which is not a multiple of the time step of %d s: choose a time step that divides this time without a remainder", o.ShiftSeconds, schema.StepSeconds)
	}
	totals := window.NewTotals(schema, o.ShiftSeconds, int(o.WinSeconds/o.ShiftSeconds))
	return &examiner{
		limits: limits{o, c}, serverOf: m.ServerOf, totals: totals, window: newWindow(m, totals, o.WinSeconds),
		disks: newDiskDetector(limits{o, c}, schema.Components), filters: make([]filters, schema.Components), servers: make([]serverSign, len(m.System.Servers)+1),
	}, nil
}

// push takes the next row and calls the function `emit` for each window that the row completes. It
// skips windows with too few rows.
func (x *examiner) push(row *table.Row, emit func()) {
	x.totals.Row(row, func(end int64, steps int) {
		if x.window.Measure(end, steps) {
			x.examine()
			emit()
		}
	})
}

// examine finds the signs (symptoms of components) of one window, and marks the suspect signs.
func (x *examiner) examine() {
	x.disks.Examine(x.window)
	x.examineNetwork(x.window)
	x.examineLoss(x.window)
	x.ruleOutWidespread()
	for i := range x.window.Signs {
		s := &x.window.Signs[i]
		s.Suspect = x.filters[s.Component][s.Symptom].Push(s.Anomalous, x.KWindows)
	}
}

// ruleOutWidespread finds the symptoms that at least half of the compared servers show, and marks
// the signs of these symptoms as normal. When so many servers show a symptom, the likely reason is
// different work on different servers or drives, and not a fault.
func (x *examiner) ruleOutWidespread() {
	x.widespread = x.widespread[:0]
	for symptom := range finding.NumSymptoms {
		if symptom == finding.Exchanges {
			continue // an exchange is no fault, however many servers take part
		}
		compared, odd := x.count(symptom)
		if odd >= minWidespread && 2*odd >= compared {
			x.widespread = append(x.widespread, symptom)
			x.ruleOut(symptom)
		}
	}
}

// minWidespread is the minimum number of servers with a symptom at which the symptom counts as
// widespread. A symptom of one server is never widespread.
const minWidespread = 2

// count returns the number of servers that were compared for a symptom, and the number of servers
// with an anomalous sign of this symptom.
func (x *examiner) count(symptom finding.Symptom) (compared, odd int) {
	clear(x.servers)
	for i := range x.window.Signs {
		s := &x.window.Signs[i]
		if s.Symptom != symptom {
			continue
		}
		of := &x.servers[x.serverOf[s.Component]+1]
		if !of.compared {
			of.compared = true
			compared++
		}
		if s.Anomalous && !of.anomalous {
			of.anomalous = true
			odd++
		}
	}
	return compared, odd
}

// ruleOut marks all anomalous signs of a symptom as normal, with the doubt finding.Widespread.
func (x *examiner) ruleOut(symptom finding.Symptom) {
	for i := range x.window.Signs {
		if s := &x.window.Signs[i]; s.Symptom == symptom && s.Anomalous {
			s.Anomalous, s.Doubt = false, finding.Widespread
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
