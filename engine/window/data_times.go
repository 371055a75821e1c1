package window

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// DataTimes records when each server sent data. All times are Unix times.
type DataTimes struct {
	Begin     int64   // start of the data
	Last      int64   // end of the last row
	HasData   []bool  // by server: whether it sent data for the last row
	FirstData []int64 // by server: start of the first row with its data; 0 if there was no such row
	LastData  []int64 // by server: end of the last row with its data; 0 if there was no such row

	serverOf   []int
	step       int64
	overlapped []bool // by server: whether at least one row has data both of this server and of another server; true if the system has only one server
	missed     []int  // by server: number of rows since its last data
	silentRows int    // number of rows without data after which a server is silent
	sparse     bool
}

// NewDataTimes returns a DataTimes of a stream that has no rows yet. A server is silent if it has
// sent no data for SilentSeconds, and for at least TickSteps rows.
func NewDataTimes(c criteria.Options, m *blame.Map, s table.Schema) *DataTimes {
	n := len(m.System.Servers)
	return &DataTimes{
		HasData: make([]bool, n), FirstData: make([]int64, n), LastData: make([]int64, n), overlapped: make([]bool, n), missed: make([]int, n), serverOf: m.ServerOf, step: s.StepSeconds,
		silentRows: max(int(c.TickSteps), int((c.SilentSeconds+s.StepSeconds-1)/s.StepSeconds)), sparse: s.Sparse,
	}
}

// Row records which servers sent data for the next row.
func (h *DataTimes) Row(row *table.Row) {
	if h.Begin == 0 {
		h.Begin = row.End - h.step
	}
	h.Last = row.End
	row.HeardFrom(h.serverOf, h.HasData)
	others := false
	if at := slices.Index(h.HasData, true); at >= 0 {
		others = slices.Contains(h.HasData[at+1:], true)
	}
	for i, heard := range h.HasData {
		if h.missed[i]++; heard {
			h.missed[i], h.LastData[i] = 0, row.End
			h.overlapped[i] = h.overlapped[i] || others || len(h.HasData) == 1
			if h.FirstData[i] == 0 {
				h.FirstData[i] = row.End - h.step
			}
		}
	}
}

// NeverOverlaps reports whether a server has sent data, but never for the same row as another
// server. Such a server cannot be compared.
func (h *DataTimes) NeverOverlaps(server int) bool {
	return h.LastData[server] > 0 && !h.overlapped[server]
}

// IsSilent reports whether a server has stopped sending data while other servers continue. It
// returns false for a server that never sent data together with another server. It also returns
// false for a sparse source (table.Schema.Sparse), because such a source may have lost the data.
func (h *DataTimes) IsSilent(server int) bool {
	return !h.sparse && h.overlapped[server] && h.missed[server] >= h.silentRows
}

// HasStopped reports whether a server has stopped sending data. For a sparse source
// (table.Schema.Sparse) it may return true where IsSilent returns false. Missing data of a sparse
// source do not prove that the server is down, but they are worth a warning.
func (h *DataTimes) HasStopped(server int) bool {
	return h.IsSilent(server) || h.sparse && h.missed[server] >= h.silentRows
}

// State writes or reads the times.
func (h *DataTimes) State(c *state.Codec, axes *blame.Axes) {
	state.Int(c, &h.Begin)
	state.Int(c, &h.Last)
	state.By(c, axes.Servers, h.HasData, (*state.Codec).Bool)
	state.By(c, axes.Servers, h.FirstData, state.Int[int64])
	state.By(c, axes.Servers, h.LastData, state.Int[int64])
	state.By(c, axes.Servers, h.overlapped, (*state.Codec).Bool)
	state.By(c, axes.Servers, h.missed, state.Int[int])
}
