package window

import (
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/state"
	"github.com/limpet-storage/limpet/table"
)

// Hearing is when each server was heard, row by row.
type Hearing struct {
	Begin     int64   // of the data
	Last      int64   // end of the last row
	Heard     []bool  // by server, in the last row
	LastHeard []int64 // by server: end of the last row that it sent data for, 0 where it never did

	serverOf []int
	step     int64
	missed   []int // by server: rows in a row that it sent nothing for
	patience int   // rows for which it may
	sparse   bool
}

// NewHearing has heard nobody yet.
func NewHearing(o Options, m *place.Map, s table.Schema) *Hearing {
	n := len(m.System.Servers)
	return &Hearing{
		Heard: make([]bool, n), LastHeard: make([]int64, n), missed: make([]int, n), serverOf: m.ServerOf, step: s.StepSeconds,
		patience: max(o.SilentSteps, int((o.SilentSeconds+s.StepSeconds-1)/s.StepSeconds)), sparse: s.Sparse,
	}
}

// Row takes the next row.
func (h *Hearing) Row(row *table.Row) {
	if h.Begin == 0 {
		h.Begin = row.End - h.step
	}
	h.Last = row.End
	row.HeardFrom(h.serverOf, h.Heard)
	for i, heard := range h.Heard {
		if h.missed[i]++; heard {
			h.missed[i], h.LastHeard[i] = 0, row.End
		}
	}
}

// Silent says whether a server that once sent data has stopped doing so while
// others go on. A sparse source may have lost what it sent.
func (h *Hearing) Silent(server int) bool {
	return !h.sparse && h.LastHeard[server] > 0 && h.missed[server] >= h.patience
}

// Stopped says whether a server sends no more, as far as the data tell: a sparse
// source proves nothing, but what it lacks for so long is worth a word.
func (h *Hearing) Stopped(server int) bool {
	return h.Silent(server) || h.sparse && h.missed[server] >= h.patience
}

// State writes or reads when each server was heard.
func (h *Hearing) State(c *state.Codec, axes *place.Axes) {
	state.Int(c, &h.Begin)
	state.Int(c, &h.Last)
	state.By(c, axes.Servers, h.Heard, (*state.Codec).Bool)
	state.By(c, axes.Servers, h.LastHeard, state.Int[int64])
	state.By(c, axes.Servers, h.missed, state.Int[int])
}
