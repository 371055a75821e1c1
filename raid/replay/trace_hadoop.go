package replay

import (
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Hadoop describes reads like the reads of a word count, the workload of T16 §5. Several mappers
// each read a split from end to end in large requests, at the rate at which they count, and then
// another split elsewhere.
type Hadoop struct {
	Seed     uint64
	Requests int     `name:"requests" least:"1"`
	Mappers  int     `name:"mappers" least:"1"`             // mappers that read at the same time
	Rate     float64 `name:"rate" least:"0.001" most:"1e6"` // requests a second of all mappers together
	Split    int64   // bytes; blocks of Hadoop had 64 MiB at that time
	Read     int64   // bytes; the limit of the block layer was 512 KiB at that time
	Capacity int64   // bytes of the device

	// Small is the share of requests for 4 KiB at a random place, such as reads of a file system's
	// own blocks.
	Small float64 `name:"small" most:"1"`
}

// small is the size of a block of a file system.
const small = 4096

// DefaultHadoop returns a word count that keeps disks of 7,200 revolutions a minute busy for a
// third of the time.
func DefaultHadoop() Hadoop {
	return Hadoop{Seed: 1, Requests: 100_000, Mappers: 4, Rate: 25, Split: 64 << 20, Read: 512 << 10, Capacity: 1 << 40}
}

// Validate returns an error if the settings are not possible.
func (h *Hadoop) Validate() error {
	errs := bounds.Errors{bounds.Check(*h)}
	errs.Need(h.Read >= small && h.Read%small == 0, "the read size of %d bytes is not a multiple of %d bytes", h.Read, small)
	errs.Need(h.Read < 1 || h.Split >= h.Read && h.Split%h.Read == 0, "the split size of %d bytes is not a multiple of the read size of %d bytes", h.Split, h.Read)
	errs.Need(h.Capacity >= h.Split, "a device of %d bytes is too small for one split of %d bytes: raise the size of the device", h.Capacity, h.Split)
	if err := errs.Join(); err != nil {
		return fmt.Errorf("the settings of the workload hadoop are wrong: %w", err)
	}
	return nil
}

// Source returns a source of the reads.
func (h Hadoop) Source() (Source, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	g := &mappers{h: h, rng: rand.New(rand.NewPCG(h.Seed, 0)), at: make([]mapper, h.Mappers)}
	for i := range g.at {
		g.at[i].next = g.gap()
		g.open(&g.at[i])
		g.at[i].offset += g.rng.Int64N(h.Split/h.Read) * h.Read // begin within the split
	}
	return g, nil
}

type mappers struct {
	h    Hadoop
	rng  *rand.Rand
	at   []mapper
	made int
	from time.Duration
}

type mapper struct {
	next        time.Duration
	offset, end int64
}

// gap returns the time until the next request of a mapper.
func (g *mappers) gap() time.Duration {
	mean := float64(len(g.at)) / g.h.Rate
	return time.Duration(g.rng.ExpFloat64() * mean * float64(time.Second))
}

// open moves a mapper to another split.
func (g *mappers) open(m *mapper) {
	m.offset = g.rng.Int64N(g.h.Capacity/g.h.Split) * g.h.Split
	m.end = m.offset + g.h.Split
}

// Next returns the next read, or io.EOF.
func (g *mappers) Next() (Record, error) {
	if g.made == g.h.Requests {
		return Record{}, io.EOF
	}
	m := g.earliest()
	r := g.read(m)
	if g.made == 0 {
		g.from = r.At
	}
	r.At -= g.from
	g.made++
	m.next += g.gap()
	return r, nil
}

func (g *mappers) earliest() *mapper {
	m := &g.at[0]
	for i := range g.at {
		if g.at[i].next < m.next {
			m = &g.at[i]
		}
	}
	return m
}

func (g *mappers) read(m *mapper) Record {
	if g.rng.Float64() < g.h.Small {
		return Record{At: m.next, Offset: g.rng.Int64N(g.h.Capacity/small) * small, Length: small}
	}
	if m.offset >= m.end {
		g.open(m)
	}
	r := Record{At: m.next, Offset: m.offset, Length: g.h.Read}
	m.offset += g.h.Read
	return r
}
