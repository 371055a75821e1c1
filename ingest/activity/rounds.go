package activity

import (
	"cmp"
	"io"
	"math"

	"github.com/limpet-storage/limpet/internal/workers"
)

// aheadSeconds is the time, in seconds, by which the clock of a machine may be ahead of limpet's
// clock. A step that ends in the next 3600 s waits until its end has come. A step that ends later
// is left out. If such a step waited too, limpet would read no further record of the machine until
// the end of the step.
const aheadSeconds = 3600

// round makes rows from new records. Then it closes the complete rows that end at or before the
// Unix time `due`. A closed row takes no more data. The result is true if more records may be ready
// to read.
func (f *Following) round(now, due int64) (more bool) {
	e, b := f.latest, f.openBatch(now)
	if b == nil {
		workers.Each(f.ctx, e.Machines, func(m *machine) { f.retry(m, due, m.Peek) })
		b = f.beginBatch(now, due)
	}
	if b == nil {
		return false
	}
	workers.Each(f.ctx, e.Machines, func(m *machine) { f.retry(m, due, func() { m.Fill(b) }) })
	if f.ctx.Err() != nil || f.addSightings() {
		return true
	}
	f.closeRows(b, f.horizon(due))
	f.noteEnded()
	if f.follow.Once && f.allDone() {
		f.closeRows(b, math.MaxInt64/2)
		f.end(io.EOF)
	}
	return b.Closed == len(b.Rows)
}

// retry calls the function `read`, which reads records of the machine. If several files of the
// machine cover the same time, `read` prefers the file with the shortest interval, and waits for
// further records of this file. If rows that must be closed still lack data of the machine, retry
// calls `read` a second time. This time `read` does not wait. If data are still lacking, retry lets
// the steps that are held back go into rows, and calls `read` a third time.
func (f *Following) retry(m *machine, due int64, read func()) {
	end := f.deadline(due) * m.StepSeconds()
	isOverdue := func() bool { return m.Grow.Dry && m.Step == nil && m.LastUsed < end }
	read()
	if !isOverdue() {
		return
	}
	m.Records.Hurry(true)
	m.Grow.Dry = false
	read()
	m.Records.Hurry(false)
	if isOverdue() {
		m.Flush(end)
		read()
	}
}

// A step waits for the data of late machines, but only for a limited time. deadline returns the
// number of the newest step whose waiting time is over.
func (f *Following) deadline(due int64) int64 {
	step := f.latest.Schema.StepSeconds
	return (due-cmp.Or(f.follow.LateSeconds, 2*step))/step - 2
}

// openBatch returns the batch that is being filled. It returns nil if all rows of the last batch
// are closed (take no more data).
func (f *Following) openBatch(now int64) *batch {
	b := f.latest.Filling
	if b == nil || b.Closed == len(b.Rows) {
		return nil
	}
	b.LatestEnd = f.latestEnd(now)
	return b
}

// beginBatch begins a batch. Its first row is for the first step that is not closed and may still
// get data of a machine. Before this, the caller must call Peek of each machine. beginBatch returns
// nil if no batch is free. A batch becomes free when the caller of Next has taken its rows.
func (f *Following) beginBatch(now, due int64) *batch {
	e := f.latest
	f.mu.Lock()
	defer f.mu.Unlock()
	b := e.Vacant()
	if b == nil {
		return nil
	}
	first := f.closed + 1
	if next := f.bound(due); next < math.MaxInt64 {
		first = max(first, next+1)
	}
	b.Begin(first)
	b.LatestEnd = f.latestEnd(now)
	e.Append(b)
	return b
}

// latestEnd returns the latest time at which a step may end. If a step of a machine ends later, the
// clock of the machine is too far ahead, and the step is left out.
func (f *Following) latestEnd(now int64) int64 {
	if f.follow.Once {
		return math.MaxInt64
	}
	return now + aheadSeconds
}

// bound returns the number of the newest step that needs no more data of any machine. A step needs
// no data of a machine that already has a later step, or that is too late. The result is
// math.MaxInt64 if no step needs data.
func (f *Following) bound(due int64) int64 {
	step, last := f.latest.Schema.StepSeconds, int64(math.MaxInt64)
	for _, m := range f.latest.Machines {
		switch {
		case m.Step != nil:
			last = min(last, m.Step.End/step-1)
		case m.Done || m.Grow.Behind:
		default:
			last = min(last, max(m.LastUsed/step, f.deadline(due)))
		}
	}
	return last
}

// horizon returns the number of the last step that may be closed. These conditions must hold for
// the step:
//
//   - It needs no more data of any machine (see bound).
//   - At least one machine has data for this step or for a later step.
//   - If Once is not set, the step ends at or before the given Unix time.
func (f *Following) horizon(due int64) int64 {
	step, last, pending := f.latest.Schema.StepSeconds, f.bound(due), false
	used := f.closed
	for _, m := range f.latest.Machines {
		pending = pending || m.Step != nil
		used = max(used, m.Grow.Used/step)
	}
	if !pending {
		last = min(last, used)
	}
	if !f.follow.Once {
		last = min(last, due/step)
	}
	return last
}

// closeRows closes rows: they take no more data, and Next may return them. The caller passes the
// number of the last step to close. A machine without data for the last closed step falls behind
// (growth.FallBehind) in two cases: it has no later record, or its clock is too far ahead.
func (f *Following) closeRows(b *batch, last int64) {
	n := int(min(last-b.First+1, int64(len(b.Rows))))
	if n <= b.Closed {
		return
	}
	for at := b.Closed; at < n; at++ {
		f.latest.Inward.PutRow(b.Rows[at], at)
	}
	f.mu.Lock()
	b.Closed = n
	f.mu.Unlock()
	signal(f.ready)
	f.closed = b.First + int64(n) - 1
	for _, m := range f.latest.Machines {
		if end := f.closed * b.StepSeconds; m.Step == nil && m.LastUsed < end {
			m.Grow.FallBehind(m.Ends <= end || m.Ends > b.LatestEnd, f.closed)
		}
	}
}

// addSightings adds new devices and addresses to growth.Known of their machines. It reports whether
// a new epoch must begin, because the system may have changed.
func (f *Following) addSightings() bool {
	for _, m := range f.latest.Machines {
		if m.Grow.Changed {
			m.Grow.Known.Learn(m)
			f.stale = true
		}
	}
	return f.stale
}

// noteEnded stores the time of the last record of each file that was read to
// its end.
func (f *Following) noteEnded() {
	if f.follow.Once {
		return
	}
	for _, m := range f.latest.Machines {
		for _, e := range m.Records.Ended() {
			if file := f.files[e.Path]; file != nil {
				file.ends = max(e.Last, 1)
			}
		}
	}
}

func (f *Following) allDone() bool {
	for _, m := range f.latest.Machines {
		if !m.Done || m.Step != nil {
			return false
		}
	}
	return true
}
