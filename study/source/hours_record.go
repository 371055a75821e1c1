package source

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/study"
)

// missing is the value of an unknown quantity.
var missing = float32(math.NaN())

// records holds rows of files, column by column. Drives and groups are indexes into the fleet.
type records struct {
	Hour    []int32  // since the epoch
	Micro   []uint32 // microseconds since the full hour; empty if all records have the same
	Group   []int32
	Drive   []int32
	Again   []int32  // number of equal records that were dropped; an empty column: none
	Measure []values // by direction, only the directions of the data

	finer bool // Decode reads Micro
}

// values holds the measured values of a direction.
type values struct{ IOs, Latency, Size []float32 }

// newRecords returns empty records with this number of directions.
func newRecords(directions int) *records { return &records{Measure: make([]values, directions)} }

// Len returns the number of records.
func (r *records) Len() int { return len(r.Hour) }

// Reset empties the records and keeps their memory.
func (r *records) Reset() { r.Cut(0) }

// Grow makes room for n more records.
func (r *records) Grow(n int) {
	r.Hour, r.Group, r.Drive = slices.Grow(r.Hour, n), slices.Grow(r.Group, n), slices.Grow(r.Drive, n)
	if r.finer {
		r.Micro = slices.Grow(r.Micro, n)
	}
	for i := range r.Measure {
		m := &r.Measure[i]
		m.IOs, m.Latency, m.Size = slices.Grow(m.IOs, n), slices.Grow(m.Latency, n), slices.Grow(m.Size, n)
	}
}

// Cut keeps the first n records.
func (r *records) Cut(n int) {
	r.Hour, r.Group, r.Drive = r.Hour[:n], r.Group[:n], r.Drive[:n]
	r.Micro, r.Again = r.Micro[:min(n, len(r.Micro))], r.Again[:min(n, len(r.Again))]
	for i := range r.Measure {
		m := &r.Measure[i]
		m.IOs, m.Latency, m.Size = m.IOs[:n], m.Latency[:n], m.Size[:n]
	}
}

// Add appends the records from ≤ i < to of o.
func (r *records) Add(o *records, from, to int) {
	r.Hour = append(r.Hour, o.Hour[from:to]...)
	r.Group = append(r.Group, o.Group[from:to]...)
	r.Drive = append(r.Drive, o.Drive[from:to]...)
	if len(o.Micro) > 0 {
		r.Micro = append(r.Micro, o.Micro[from:to]...)
	}
	if len(o.Again) > 0 {
		r.Again = append(r.Again, o.Again[from:to]...)
	}
	for i := range r.Measure {
		m, n := &r.Measure[i], &o.Measure[i]
		m.IOs = append(m.IOs, n.IOs[from:to]...)
		m.Latency = append(m.Latency, n.Latency[from:to]...)
		m.Size = append(m.Size, n.Size[from:to]...)
	}
}

// pick appends the records of o whose indexes are in order, in that order.
func (r *records) pick(o *records, order []int32) {
	r.Hour = pick(r.Hour, o.Hour, order)
	r.Group = pick(r.Group, o.Group, order)
	r.Drive = pick(r.Drive, o.Drive, order)
	if len(o.Micro) > 0 {
		r.Micro = pick(r.Micro, o.Micro, order)
	}
	if len(o.Again) > 0 {
		r.Again = pick(r.Again, o.Again, order)
	}
	for i := range r.Measure {
		m, n := &r.Measure[i], &o.Measure[i]
		m.IOs = pick(m.IOs, n.IOs, order)
		m.Latency = pick(m.Latency, n.Latency, order)
		m.Size = pick(m.Size, n.Size, order)
	}
}

func pick[T any](out, in []T, order []int32) []T {
	for _, i := range order {
		out = append(out, in[i])
	}
	return out
}

// combine computes all I/O from reads and writes. If a value is missing in reads or writes, it
// is missing in all I/O.
func combine(all, reads, writes *values, from int) {
	for i := from; i < len(reads.IOs); i++ {
		r, w := reads.IOs[i], writes.IOs[i]
		all.IOs = append(all.IOs, r+w)
		all.Latency = append(all.Latency, mean(r, reads.Latency[i], w, writes.Latency[i]))
		all.Size = append(all.Size, mean(r, reads.Size[i], w, writes.Size[i]))
	}
}

// mean returns the weighted mean of two values. A value of weight 0 may be missing.
func mean(w1, v1, w2, v2 float32) float32 {
	switch {
	case w1 == 0 && w2 == 0:
		return missing
	case w1 == 0 && w2 > 0:
		return v2
	case w2 == 0 && w1 > 0:
		return v1
	}
	return float32((float64(w1)*float64(v1) + float64(w2)*float64(v2)) / (float64(w1) + float64(w2)))
}

// Exchange fills a batch with one direction of the records; i is its index in Measure. Values
// are swapped with the memory of the batch, not copied. The other columns are copied, and
// swapped only with the last direction, because the next directions need them.
func (r *records) Exchange(b *study.Batch, direction study.Direction, i int) {
	b.Direction = direction
	b.Again = append(b.Again[:0], r.Again...)
	m := &r.Measure[i]
	b.IOs, m.IOs = m.IOs, b.IOs
	b.Latency, m.Latency = m.Latency, b.Latency
	b.Size, m.Size = m.Size, b.Size
	if i < len(r.Measure)-1 {
		b.Hour = append(b.Hour[:0], r.Hour...)
		b.Group = append(b.Group[:0], r.Group...)
		b.Drive = append(b.Drive[:0], r.Drive...)
		return
	}
	b.Hour, r.Hour = r.Hour, b.Hour
	b.Group, r.Group = r.Group, b.Group
	b.Drive, r.Drive = r.Drive, b.Drive
}
