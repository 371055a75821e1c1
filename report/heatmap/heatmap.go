package heatmap

import (
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
)

// The bounds of memory. With 128 slots a level, the last two hours have slots of a minute, and a
// week has slots of about an hour. This holds for up to 320 components; with more components there
// are fewer slots.
const (
	slotSeconds = 60
	mostSlots   = 128
	leastSlots  = 8
	slotsOfAll  = 320 * mostSlots
	lastLevel   = 24 // largest number of the last level: its slots are longer than any data
)

// Kept holds the latencies of the requests of all components. Row and State are for one goroutine;
// Of may be called by other goroutines at the same time.
type Kept struct {
	mu         sync.RWMutex
	components int
	seconds    int64 // length of a slot of the first level
	most       int   // largest number of slots of a level
	levels     [][]slot
}

// A slot is a time span that ends at a multiple of its level's length.
type slot struct {
	end      int64
	requests []blklat.Histogram // by component, in bands
}

// New returns an empty Kept for rows of the schema.
func New(schema table.Schema) *Kept {
	step := max(schema.StepSeconds, 1)
	return &Kept{
		components: schema.Components,
		seconds:    max(1, (slotSeconds+step-1)/step) * step,
		most:       min(max(slotsOfAll/max(schema.Components, 1), leastSlots), mostSlots),
	}
}

// Row adds the requests of a row.
func (k *Kept) Row(row *table.Row) {
	if row.Latency == nil || len(k.levels) == 0 && !slices.ContainsFunc(row.Latency, func(l *table.Latency) bool { return l != nil }) {
		return // no row has had requests so far
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	to := k.slot(0, row.End)
	for c, l := range row.Latency {
		if l == nil || c >= k.components {
			continue
		}
		for op := range l {
			to.add(c, l[op].Device)
		}
	}
}

// add adds requests of a component, from a histogram with blklat's buckets.
func (s *slot) add(component int, h blklat.Histogram) {
	for _, c := range h {
		one := [1]blklat.Count{{Bucket: uint16(Band(int(c.Bucket))), Requests: c.Requests}}
		s.requests[component].Add(one[:])
	}
}

// slot returns the newest slot of a level if the time lies in it; otherwise it adds a slot.
func (k *Kept) slot(level int, at int64) *slot {
	if level == len(k.levels) {
		k.levels = append(k.levels, nil)
	}
	end := endOf(at, k.seconds<<level)
	list := k.levels[level]
	if n := len(list); n > 0 && list[n-1].end >= end {
		return &list[n-1]
	}
	if len(list) == k.most && level < lastLevel {
		k.age(level)
	}
	k.levels[level] = append(k.levels[level], slot{end: end, requests: make([]blklat.Histogram, k.components)})
	return &k.levels[level][len(k.levels[level])-1]
}

// endOf returns the end of the slot of a row that ends at the given time. Slots have the given
// length.
func endOf(at, length int64) int64 { return (at + length - 1) / length * length }

// age moves the oldest slot of a level to the next level.
func (k *Kept) age(level int) {
	oldest := k.levels[level][0]
	copy(k.levels[level], k.levels[level][1:])
	k.levels[level] = k.levels[level][:k.most-1]
	to := k.slot(level+1, oldest.end)
	for c, h := range oldest.requests {
		to.requests[c].Add(h)
	}
}
