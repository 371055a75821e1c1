package activity

import (
	"io"
	"math"

	"github.com/limpet-storage/limpet/collect/internal/parallel"
)

// aheadSeconds is how far ahead of now a clock may be: its steps wait. Steps
// of one that is farther ahead are left out, or nothing of the machine would
// be read until then.
const aheadSeconds = 3600

// round reads what there is into rows, and closes those that are complete. It
// says whether there may be more to read at once.
func (f *Following) round(now int64) (more bool) {
	e := f.latest
	parallel.Each(f.ctx, e.machines, func(m *machine) { f.tryTwice(m, now, m.peek) })
	b := f.openBatch(now)
	if b == nil {
		return false
	}
	parallel.Each(f.ctx, e.machines, func(m *machine) { f.tryTwice(m, now, func() { m.fill(b) }) })
	if f.ctx.Err() != nil || f.learn() {
		return true
	}
	f.closeRows(b, f.horizon(now))
	f.noteEnded()
	if f.follow.Once && f.allDone() {
		f.closeRows(b, math.MaxInt64/2)
		f.end(io.EOF)
	}
	return b.closed == len(b.rows)
}

// tryTwice reads, and where a machine's steps would be closed without it, once
// more with what is held back for records that do not come.
func (f *Following) tryTwice(m *machine, now int64, read func()) {
	end := f.deadline(now) * m.stepSeconds()
	isOverdue := func() bool { return m.grow.dry && m.step == nil && m.given < end }
	read()
	if !isOverdue() {
		return
	}
	m.records.Hurry(true)
	m.grow.dry = false
	read()
	m.records.Hurry(false)
	if isOverdue() {
		m.flush(end)
		read()
	}
}

// deadline is the number of the last step that nobody is waited for any more.
func (f *Following) deadline(now int64) int64 {
	step := f.latest.schema.StepSeconds
	late := f.follow.LateSeconds
	if late == 0 {
		late = 2 * step
	}
	return (now-late)/step - 2
}

// openBatch is the batch that is filled. Where the one before is complete, the
// next begins with the first step that anyone may still have.
func (f *Following) openBatch(now int64) *batch {
	e := f.latest
	if b := e.filling; b != nil && b.closed < len(b.rows) {
		b.until = f.until(now)
		return b
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	b := e.vacant()
	if b == nil {
		return nil
	}
	first := f.closed + 1
	if next := f.bound(now); next < math.MaxInt64 {
		first = max(first, next+1)
	}
	b.begin(first)
	b.until = f.until(now)
	e.filling, e.queue = b, append(e.queue, b)
	return b
}

// until is the end of the last step that a clock is believed.
func (f *Following) until(now int64) int64 {
	if f.follow.Once {
		return math.MaxInt64
	}
	return now + aheadSeconds
}

// bound is the number of the last step that all machines have, or are not
// waited for; MaxInt64 where nobody is.
func (f *Following) bound(now int64) int64 {
	step, last := f.latest.schema.StepSeconds, int64(math.MaxInt64)
	for _, m := range f.latest.machines {
		switch {
		case m.step != nil:
			last = min(last, m.step.End/step-1)
		case m.done || m.grow.behind:
		default:
			last = min(last, max(m.given/step, f.deadline(now)))
		}
	}
	return last
}

// horizon is the number of the last step that may be closed: all have it, and
// it lies neither behind all data nor ahead of now.
func (f *Following) horizon(now int64) int64 {
	step, last, pending := f.latest.schema.StepSeconds, f.bound(now), false
	used := f.closed
	for _, m := range f.latest.machines {
		pending = pending || m.step != nil
		used = max(used, m.grow.used/step)
	}
	if !pending {
		last = min(last, used)
	}
	if !f.follow.Once {
		last = min(last, now/step)
	}
	return last
}

// closeRows closes the rows up to a step. Who has neither a step nor a later
// record by then is behind.
func (f *Following) closeRows(b *batch, last int64) {
	n := int(min(last-b.first+1, int64(len(b.rows))))
	if n <= b.closed {
		return
	}
	for at := b.closed; at < n; at++ {
		f.latest.inward.PutRow(b.rows[at], at)
	}
	f.mu.Lock()
	b.closed = n
	f.mu.Unlock()
	signal(f.ready)
	f.closed = b.first + int64(n) - 1
	for _, m := range f.latest.machines {
		if end := f.closed * b.stepSeconds; m.step == nil && m.given < end {
			m.grow.fallBehind(m.ends <= end || m.ends > b.until, f.closed)
		}
	}
}

// learn takes in what records show that the system does not know, and says
// whether there was any.
func (f *Following) learn() bool {
	for _, m := range f.latest.machines {
		if m.grow.changed {
			m.grow.host.learn(m)
			f.stale = true
		}
	}
	return f.stale
}

// noteEnded notes the files that were read to their end.
func (f *Following) noteEnded() {
	if f.follow.Once {
		return
	}
	for _, m := range f.latest.machines {
		for _, e := range m.records.Ended() {
			if file := f.files[e.Path]; file != nil {
				file.ends = max(e.Last, 1)
			}
		}
	}
}

func (f *Following) allDone() bool {
	for _, m := range f.latest.machines {
		if !m.done || m.step != nil {
			return false
		}
	}
	return true
}
