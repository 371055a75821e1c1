package source

import (
	"sync/atomic"
)

// A Phase is a phase of the reading.
type Phase int32

// The phases, in their order. There is no Sorting if records are in the order of time.
const (
	Surveying Phase = iota
	Sorting
	Reading
)

func (p Phase) String() string { return [...]string{"surveying", "sorting", "reading"}[p] }

// Progress counts the work of the reading; any goroutine may read it. The zero value is ready
// for Open.
type Progress struct {
	phase       atomic.Int32
	rows        atomic.Int64
	bytes, size atomic.Int64
}

// State returns the phase, the rows read in it, and the done and total work in bytes; in rows
// when sorted records are read.
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

// take adds rows to the progress of a phase that counts its work in rows.
func (p *Progress) take(rows int64) {
	p.rows.Add(rows)
	p.bytes.Add(rows)
}
