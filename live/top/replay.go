package top

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/topology"
)

// A Replay shows the present data of a model, or the data of an earlier time. For an earlier time,
// it reads the source again up to that time. So it shows the suspects and incidents that the
// diagnosis had at that time. The model keeps some states of the engine (keptState). To read fewer
// rows, a Replay begins with the last kept state before the earlier time.
type Replay struct {
	*Model
	// Open opens the source again. The rows begin after the given Unix time, and have the components of
	// the given system. If the time is 0, the rows begin with the first row of the source.
	Open func(ctx context.Context, after int64, system *topology.System) (ingest.Source, error)

	mu      sync.Mutex
	past    *Model // model whose last row is the last row that ends at or before pastEnd; nil if no earlier time was shown yet
	pastEnd int64
	read    readRows
}

// readRows holds the rows that a Replay has read last. If a user moves to a time nearby, the Replay
// uses these rows and does not read the files again.
type readRows struct {
	after      int64 // the rows begin after this Unix time
	system     *topology.System
	schema     table.Schema
	list       []*table.Row
	values     int  // number of values in the list
	incomplete bool // true if rows were left out of the list, or if the rows belong to two systems
}

// mostReadValues is the largest number of values in readRows. They take 32 MB.
const mostReadValues = 4 << 20

// add adds a copy of a row to the list. If the row has latencies of requests, or the list is too
// large, add drops the whole list and marks it as incomplete.
func (r *readRows) add(row *table.Row) {
	if r.incomplete = r.incomplete || row.Latency != nil || r.values > mostReadValues; r.incomplete {
		r.list = nil
		return
	}
	kept := &table.Row{End: row.End, Heard: slices.Clone(row.Heard), Upkeep: slices.Clone(row.Upkeep), Gauges: slices.Clone(row.Gauges)}
	for _, values := range row.Values {
		kept.Values = append(kept.Values, slices.Clone(values))
		r.values += len(values)
	}
	r.list = append(r.list, kept)
}

// covers reports whether the list has all rows between two Unix times.
func (r *readRows) covers(after, end int64) bool {
	n := len(r.list)
	return n > 0 && !r.incomplete && r.after == after && r.list[n-1].End >= end
}

// A keptState is the state of an engine after a row.
type keptState struct {
	end    int64 // end of the row
	saved  engine.Saved
	system *topology.System
	schema table.Schema
}

// Limits of the states that a model keeps for a Replay.
const (
	keepEvery     = 240      // distance between two kept states at the beginning, in rows; the distance doubles when states are dropped
	mostKeptBytes = 48 << 20 // largest size of all kept states, in bytes; above this size, every second state is dropped
)

// keepState saves the state of the engine if enough rows have passed since the last kept state.
func (m *Model) keepState(end int64) {
	if !m.options.Replayed || m.verdicts.Engine == nil || m.rows%max(m.keepStride, keepEvery) != 0 {
		return
	}
	saved, err := m.verdicts.Save()
	if err != nil {
		return // an error does no harm: a Replay can begin with an earlier state
	}
	m.kept = append(m.kept, keptState{end, saved, m.system, m.schema})
	bytes := 0
	for i := range m.kept {
		bytes += len(m.kept[i].saved.Engine)
	}
	if bytes > mostKeptBytes {
		kept := m.kept[:0]
		for i := range m.kept {
			if i%2 == 1 {
				kept = append(kept, m.kept[i])
			}
		}
		m.kept, m.keepStride = slices.Clone(kept), 2*max(m.keepStride, keepEvery)
	}
}

// stateBefore returns the last kept state at or before a Unix time.
func (m *Model) stateBefore(end int64) (s keptState, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.kept {
		if k.end <= end {
			s, ok = k, true
		}
	}
	return s, ok
}

// lookSpan returns a length of time in seconds. The Level of a line depends only on the rows within
// this time before the frame.
func (m *Model) lookSpan() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.schema.StepSeconds * int64(m.lookSteps()*(m.options.Look.OftenLooks+1))
}

// lastEnd returns the end of the last row. It returns 0 if there is no row.
func (m *Model) lastEnd() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.history.ends); n > 0 {
		return m.history.ends[n-1]
	}
	return 0
}

// Frame returns the frame of the last row that ended at or before a Unix time. If the time is 0, it
// returns the frame of the last row.
func (r *Replay) Frame(end int64) *Frame {
	if end == 0 || end >= r.lastEnd() {
		return r.Model.Frame(0)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.rebuild(end)
	if errors.Is(err, errFirst) && r.past != nil { // there are no earlier data: keep the frame that is shown
		err = nil
	}
	if err != nil {
		f := r.Model.Frame(end)
		f.Warnings = []string{fmt.Sprintf("limpet does not know the suspects and incidents at this time: %v", err)}
		return f
	}
	f := r.past.Frame(0)
	f.Past, f.Judged = true, true
	return f
}

// Evidence returns the Evidence of a component for a Unix time. If the time is 0, it returns the
// Evidence for the last step.
func (r *Replay) Evidence(name string, end int64, steps int) *Evidence {
	if end == 0 || end >= r.lastEnd() {
		return r.Model.Evidence(name, 0, steps)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rebuild(end) != nil {
		return r.Model.Evidence(name, end, steps)
	}
	return r.past.Evidence(name, 0, steps)
}

// errFirst is the error for times before the first row.
var errFirst = errors.New("there are no data before this time")

// rebuild sets r.past to a model whose last row is the last row that ends at or before a Unix time.
func (r *Replay) rebuild(end int64) error {
	if r.past != nil && r.pastEnd == end {
		return nil
	}
	o := r.options
	o.Replayed, o.CompareFrom = false, end-r.lookSpan()
	begin, ok := r.stateBefore(o.CompareFrom)
	m := New(o)
	if ok {
		if err := m.resume(begin); err != nil {
			return err
		}
	}
	if err := r.push(m, begin, end); err != nil {
		return err
	}
	if m.Rows() == 0 {
		return errFirst
	}
	m.settleVerdicts()
	r.past, r.pastEnd = m, end
	return nil
}

// push pushes rows into a model, up to a Unix time. It begins after a kept state. If there is no kept
// state, it begins with the first row of the source.
func (r *Replay) push(m *Model, begin keptState, end int64) error {
	if !r.read.covers(begin.end, end) {
		return r.reread(m, begin, end)
	}
	if begin.system == nil {
		if err := m.Change(r.read.system, r.read.schema); err != nil {
			return err
		}
	}
	for _, row := range r.read.list {
		if row.End <= end {
			m.Push(row)
		}
	}
	return nil
}

// reread pushes rows like push, but reads them from the source. It keeps these rows for the next
// call of push.
func (r *Replay) reread(m *Model, begin keptState, end int64) error {
	r.read = readRows{after: begin.end}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	src, err := r.Open(ctx, begin.end, begin.system)
	if err != nil {
		return err
	}
	defer src.Close()
	change := func() error {
		r.read.incomplete = r.read.incomplete || len(r.read.list) > 0 // a list with rows of two systems cannot be used
		r.read.system, r.read.schema = src.System(), src.Schema()
		return m.Change(r.read.system, r.read.schema)
	}
	if src.System() != nil && begin.system == nil {
		if err := change(); err != nil {
			return err
		}
	}
	for {
		row, err := src.Next(ctx)
		switch {
		case errors.Is(err, ingest.ErrChanged):
			if err := change(); err != nil {
				return err
			}
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		r.read.add(row)
		if row.End > end {
			return nil
		}
		m.Push(row)
	}
}

// resume makes the model begin with a kept state.
func (m *Model) resume(s keptState) error {
	m.verdicts.resume = s.saved
	return m.Change(s.system, s.schema)
}

// settleVerdicts updates the lists of suspects and incidents after the last row.
func (m *Model) settleVerdicts() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.history.ends); n > 0 && m.verdicts.Engine != nil {
		m.verdicts.list(m.history.ends[n-1])
		m.now = nil
	}
}
