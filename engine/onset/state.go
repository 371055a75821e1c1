package onset

import (
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads a history. Medians are not saved: they are computed again on
// demand.
func (h *History) State(c *state.Codec, axes *blame.Axes) {
	c.Expect("time steps of history", len(h.ring))
	h.expectSeries(c)
	state.Int(c, &h.begin)
	state.Int(c, &h.pushed)
	columns := map[metric.Subject]*state.Axis{}
	for _, of := range []metric.Subject{metric.SubjectDevice, metric.SubjectInterface, metric.SubjectHost} {
		columns[of] = c.Sub(axes.Components, h.columns[of])
	}
	for i := range h.ring {
		if state.Int(c, &h.ends[i]); h.ends[i] != 0 {
			h.stepState(c, columns, h.ring[i])
		}
	}
}

// expectSeries reports an error if the saved state has other metrics than this history.
func (h *History) expectSeries(c *state.Codec) {
	var now []string
	for i := range h.series {
		now = append(now, h.series[i].Name)
	}
	was := slices.Clone(now)
	if state.Texts(c, &was); !slices.Equal(was, now) {
		c.Failf("the saved state has the metrics %s, and these data have %s: use data with the same metrics, or start without the saved state",
			strings.Join(was, ", "), strings.Join(now, ", "))
	}
}

// stepState writes or reads one step. Components that are new since the save have no
// values.
func (h *History) stepState(c *state.Codec, columns map[metric.Subject]*state.Axis, step []float32) {
	if !c.Saving() {
		for i := range step {
			step[i] = float32(table.Missing)
		}
	}
	for i := range h.series {
		s := &h.series[i]
		c.Floats32(columns[s.Subject], step[s.first:][:len(s.columns)])
	}
}
