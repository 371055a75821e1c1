package window

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// Hearing records when each server sent data. All times are Unix times.
type Hearing struct {
	Begin      int64   // start of the data
	Last       int64   // end of the last row
	Heard      []bool  // by server: whether it sent data for the last row
	FirstHeard []int64 // by server: start of the first row with its data; 0 if there was no such row
	LastHeard  []int64 // by server: end of the last row with its data; 0 if there was no such row

	serverOf []int
	step     int64
	together []bool // by server: whether it and another server both sent data for at least one row
	missed   []int  // by server: number of rows since its last data
	patience int    // number of rows without data after which a server is silent
	sparse   bool
}

// NewHearing returns a record without data. A server is silent if it has sent no data for
// SilentSeconds, and for at least as many rows as a tick has steps.
func NewHearing(c criteria.Options, m *blame.Map, s table.Schema) *Hearing {
	n := len(m.System.Servers)
	return &Hearing{
		Heard: make([]bool, n), FirstHeard: make([]int64, n), LastHeard: make([]int64, n), together: make([]bool, n), missed: make([]int, n), serverOf: m.ServerOf, step: s.StepSeconds,
		patience: max(int(c.TickSteps), int((c.SilentSeconds+s.StepSeconds-1)/s.StepSeconds)), sparse: s.Sparse,
	}
}

// Row takes the next row.
func (h *Hearing) Row(row *table.Row) {
	if h.Begin == 0 {
		h.Begin = row.End - h.step
	}
	h.Last = row.End
	row.HeardFrom(h.serverOf, h.Heard)
	others := false
	if at := slices.Index(h.Heard, true); at >= 0 {
		others = slices.Contains(h.Heard[at+1:], true)
	}
	for i, heard := range h.Heard {
		if h.missed[i]++; heard {
			h.missed[i], h.LastHeard[i] = 0, row.End
			h.together[i] = h.together[i] || others || len(h.Heard) == 1
			if h.FirstHeard[i] == 0 {
				h.FirstHeard[i] = row.End - h.step
			}
		}
	}
}

// Apart reports whether a server has sent data, but never for a row for which another
// server sent data too. Such a server cannot be compared.
func (h *Hearing) Apart(server int) bool { return h.LastHeard[server] > 0 && !h.together[server] }

// Silent reports whether a server has stopped sending data while other servers continue. It returns
// false for a server that never sent data together with another server. It also returns false for a
// sparse source, because the source may have lost the data.
func (h *Hearing) Silent(server int) bool {
	return !h.sparse && h.together[server] && h.missed[server] >= h.patience
}

// Stopped reports whether a server sends no more data. For a sparse source this does not
// prove that the server is silent, but it is worth a warning.
func (h *Hearing) Stopped(server int) bool {
	return h.Silent(server) || h.sparse && h.missed[server] >= h.patience
}

// State writes or reads the record.
func (h *Hearing) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &h.Begin)
	state.Int(c, &h.Last)
	state.By(c, axes.Servers, h.Heard, (*state.Codec).Bool)
	state.By(c, axes.Servers, h.FirstHeard, state.Int[int64])
	state.By(c, axes.Servers, h.LastHeard, state.Int[int64])
	state.By(c, axes.Servers, h.together, (*state.Codec).Bool)
	state.By(c, axes.Servers, h.missed, state.Int[int])
}
