package window

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// Hearing is when each server was heard, row by row.
type Hearing struct {
	Begin      int64   // of the data
	Last       int64   // end of the last row
	Heard      []bool  // by server, in the last row
	FirstHeard []int64 // by server: begin of the first row that it sent data for, 0 where it never did
	LastHeard  []int64 // by server: end of the last row that it sent data for, 0 where it never did

	serverOf []int
	step     int64
	together []bool // by server: another sent data at the same time, once
	missed   []int  // by server: rows in a row that it sent nothing for
	patience int    // rows for which it may
	sparse   bool
}

// NewHearing has heard nobody yet.
func NewHearing(o Options, m *blame.Map, s table.Schema) *Hearing {
	n := len(m.System.Servers)
	return &Hearing{
		Heard: make([]bool, n), FirstHeard: make([]int64, n), LastHeard: make([]int64, n), together: make([]bool, n), missed: make([]int, n), serverOf: m.ServerOf, step: s.StepSeconds,
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

// Apart says whether a server has sent data, and never while another did: nobody knows
// what it was like when others were there.
func (h *Hearing) Apart(server int) bool { return h.LastHeard[server] > 0 && !h.together[server] }

// Silent says whether a server that once sent data beside others has stopped doing so
// while others go on. A sparse source may have lost what it sent.
func (h *Hearing) Silent(server int) bool {
	return !h.sparse && h.together[server] && h.missed[server] >= h.patience
}

// Stopped says whether a server sends no more, as far as the data tell: a sparse
// source proves nothing, but what it lacks for so long is worth a word.
func (h *Hearing) Stopped(server int) bool {
	return h.Silent(server) || h.sparse && h.missed[server] >= h.patience
}

// State writes or reads when each server was heard.
func (h *Hearing) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &h.Begin)
	state.Int(c, &h.Last)
	state.By(c, axes.Servers, h.Heard, (*state.Codec).Bool)
	state.By(c, axes.Servers, h.FirstHeard, state.Int[int64])
	state.By(c, axes.Servers, h.LastHeard, state.Int[int64])
	state.By(c, axes.Servers, h.together, (*state.Codec).Bool)
	state.By(c, axes.Servers, h.missed, state.Int[int])
}
