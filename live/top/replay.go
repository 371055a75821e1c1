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

// A Replay shows a model, and any earlier time of its source. For an earlier time it reads the source
// again up to that time, so that suspects and incidents are those that the diagnosis had then.
//
// To read less, it begins with the last kept state of the engine before that time.
type Replay struct {
	*Model
	// Open opens the source again. Its rows begin after a Unix time, and are about the given system. A
	// time of 0 means from the beginning.
	Open func(ctx context.Context, after int64, system *topology.System) (ingest.Source, error)

	mu    sync.Mutex
	past  *Model // model whose last row is the last at or before asked; nil: no earlier time was shown yet
	asked int64
	read  readRows
}

// readRows are the rows that a Replay has read last, so that small steps of time read no file.
type readRows struct {
	after  int64 // the rows begin after this Unix time
	system *topology.System
	schema table.Schema
	list   []*table.Row
	values int  // number of values in the list
	tooBig bool // the list has not all rows
}

// mostReadValues bounds the values in readRows: 32 MB.
const mostReadValues = 4 << 20

// add keeps a copy of a row. Rows with latencies are too large to keep.
func (r *readRows) add(row *table.Row) {
	if r.tooBig = r.tooBig || row.Latency != nil || r.values > mostReadValues; r.tooBig {
		r.list = nil
		return
	}
	kept := &table.Row{End: row.End, Heard: slices.Clone(row.Heard), Upkeep: slices.Clone(row.Upkeep), Standing: slices.Clone(row.Standing)}
	for _, values := range row.Values {
		kept.Values = append(kept.Values, slices.Clone(values))
		r.values += len(values)
	}
	r.list = append(r.list, kept)
}

// covers reports whether the list has all rows from one Unix time to another.
func (r *readRows) covers(after, end int64) bool {
	n := len(r.list)
	return n > 0 && !r.tooBig && r.after == after && r.list[n-1].End >= end
}

// A keptState is the state of an engine after a row.
type keptState struct {
	end    int64 // end of the row
	saved  engine.Saved
	system *topology.System
	schema table.Schema
}

// Bounds of the states that a model keeps for a Replay.
const (
	keepEvery     = 240      // rows from one state to the next, at first
	mostKeptBytes = 48 << 20 // if the states take more, every second state is dropped
)

// keep keeps the state of the engine, if it is time for it.
func (m *Model) keep(end int64) {
	if !m.options.Replayed || m.verdicts.Engine == nil || m.rows%max(m.keepStride, keepEvery) != 0 {
		return
	}
	saved, err := m.verdicts.Save()
	if err != nil {
		return // an earlier state does as well
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

// from returns the last kept state at or before a Unix time.
func (m *Model) from(end int64) (s keptState, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.kept {
		if k.end <= end {
			s, ok = k, true
		}
	}
	return s, ok
}

// lookSpan returns the time, in seconds, of the rows that decide how sure a mark of the ranking is.
func (m *Model) lookSpan() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.schema.StepSeconds * int64(m.lookSteps()*(m.options.Look.OftenLooks+1))
}

// lastEnd returns the end of the last row; 0 if there is none.
func (m *Model) lastEnd() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.history.ends); n > 0 {
		return m.history.ends[n-1]
	}
	return 0
}

// Frame returns the frame of the last row that ended at or before a Unix time, or of the last row if
// the time is 0.
func (r *Replay) Frame(end int64) *Frame {
	if end == 0 || end >= r.lastEnd() {
		return r.Model.Frame(0)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.at(end)
	if errors.Is(err, errFirst) && r.past != nil { // the time shown before is the first one
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

// Evidence returns what is known of a component at a Unix time, or now if the time is 0.
func (r *Replay) Evidence(name string, end int64, steps int) *Evidence {
	if end == 0 || end >= r.lastEnd() {
		return r.Model.Evidence(name, 0, steps)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at(end) != nil {
		return r.Model.Evidence(name, end, steps)
	}
	return r.past.Evidence(name, 0, steps)
}

// errFirst is the error for times before the first row.
var errFirst = errors.New("there are no data before this time")

// at makes the model of an earlier time.
func (r *Replay) at(end int64) error {
	if r.past != nil && r.asked == end {
		return nil
	}
	o := r.options
	o.Replayed, o.CompareFrom = false, end-r.lookSpan()
	begin, ok := r.from(o.CompareFrom)
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
	r.past, r.asked = m, end
	return nil
}

// push gives a model the rows from a kept state, or from the beginning, to a Unix time.
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

// reread is push with rows of the source, which it keeps for the next call of push.
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
		r.read.tooBig = r.read.tooBig || len(r.read.list) > 0 // rows of two systems
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

// resume begins with a kept state.
func (m *Model) resume(s keptState) error {
	m.verdicts.resume = s.saved
	return m.Change(s.system, s.schema)
}

// settleVerdicts lists the suspects and incidents after the last row.
func (m *Model) settleVerdicts() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.history.ends); n > 0 && m.verdicts.Engine != nil {
		m.verdicts.list(m.history.ends[n-1])
		m.now = nil
	}
}
