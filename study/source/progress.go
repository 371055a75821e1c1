package source

import (
	"sync/atomic"
)

// A Phase of reading.
type Phase int32

// The phases, in their order; Sorting only where records are not in order.
const (
	Surveying Phase = iota
	Sorting
	Reading
)

func (p Phase) String() string { return [...]string{"surveying", "sorting", "reading"}[p] }

// Progress tells how far reading is, to whoever asks while it runs. The zero
// value is ready to be handed to Open.
type Progress struct {
	phase       atomic.Int32
	rows        atomic.Int64
	bytes, size atomic.Int64
}

// State is the phase, the rows that it has read, and how much of all it has
// done: bytes, or rows once they are sorted.
func (p *Progress) State() (phase Phase, rows, done, total int64) {
	return Phase(p.phase.Load()), p.rows.Load(), p.bytes.Load(), p.size.Load()
}

func (p *Progress) begin(phase Phase, list []unit) {
	total := int64(0)
	for i := range list {
		total += list[i].Bytes
	}
	p.start(phase, total)
}

func (p *Progress) start(phase Phase, total int64) {
	p.phase.Store(int32(phase))
	p.rows.Store(0)
	p.bytes.Store(0)
	p.size.Store(total)
}

func (p *Progress) finish(u *unit) { p.bytes.Add(u.Bytes) }

// take hears of rows, where those are what is counted.
func (p *Progress) take(rows int64) {
	p.rows.Add(rows)
	p.bytes.Add(rows)
}
