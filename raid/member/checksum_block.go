package member

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// A block is one block of a table, in memory.
type block struct {
	loading sync.WaitGroup // done when the block has been read
	err     error          // reason why the block could not be read
	pins    int            // number of users that change the block, under the table's lock

	writing sync.Mutex // held while sums change
	sums    [PerBlock]atomic.Uint32
	rotten  [sectors]atomic.Bool // by sector: its sums are not known
}

func (b *block) decode(buf []byte) {
	for s := range sectors {
		sec := buf[s*sector:][:sector]
		b.rotten[s].Store(!soundSector(sec))
		for i := range perSector {
			b.sums[s*perSector+i].Store(binary.LittleEndian.Uint32(sec[4*i:]))
		}
	}
}

// forget marks all sums of a block as unknown.
func (b *block) forget() {
	for s := range b.rotten {
		b.rotten[s].Store(true)
	}
}

func (b *block) encode(buf []byte) {
	for s := range sectors {
		sec := buf[s*sector:][:sector]
		for i := range perSector {
			binary.LittleEndian.PutUint32(sec[4*i:], b.sums[s*perSector+i].Load())
		}
		sealSector(sec)
		if b.rotten[s].Load() {
			sec[sector-1] ^= 0xff // the checksum stays wrong
		}
	}
}

func (b *block) appendSums(sums []uint32, from, n int) ([]uint32, error) {
	for i := from; i < from+n; i++ {
		if b.rotten[i/perSector].Load() {
			return nil, errTable
		}
		sums = append(sums, b.sums[i].Load())
	}
	return sums, nil
}

// has reports whether sum i is known and equal to sum.
func (b *block) has(i int, sum uint32) bool {
	return b.sums[i].Load() == sum && !b.rotten[i/perSector].Load()
}

func (b *block) put(sums []Sum) {
	for _, s := range sums {
		b.sums[s.Stripe%PerBlock].Store(s.Sum)
	}
}

// mend computes the sums of a rotten sector again before some of them change.
func (b *block) mend(index, stripes int64, sums []Sum, again func(from, to int64) []uint32) {
	for _, s := range sums {
		n := s.Stripe % PerBlock / perSector
		if !b.rotten[n].Load() {
			continue
		}
		from := index*PerBlock + n*perSector
		for i, sum := range again(from, min(from+perSector, stripes)) {
			b.sums[n*perSector+int64(i)].Store(sum)
		}
		b.rotten[n].Store(false)
	}
}
