package checksum

import (
	"errors"
	"fmt"
	"sync"

	"github.com/limpet-storage/limpet/raid/member"
)

// ErrTable is of sums that are not known, since their sector is rotten.
var ErrTable = errors.New("checksums are rotten")

// A Sum is that of a member's chunk of a stripe.
type Sum struct {
	Stripe int64
	Sum    uint32
}

// A Table is the sums of a member. It is safe for concurrent use.
type Table struct {
	member  member.Member
	off     int64 // where it begins
	stripes int64
	pool    *member.Buffers
	room    int // blocks in memory

	mu     sync.Mutex
	blocks map[int64]*block
}

// NewTable is the table at an offset of a member. It keeps so many blocks in
// memory, and those that are being written.
func NewTable(m member.Member, off, stripes int64, pool *member.Buffers, room int) *Table {
	return &Table{member: m, off: off, stripes: stripes, pool: pool, room: max(room, 1), blocks: map[int64]*block{}}
}

// Get is the sums of n stripes.
func (t *Table) Get(from int64, n int) ([]uint32, error) {
	sums := make([]uint32, 0, n)
	for to := from + int64(n); from < to; {
		end := min((from/PerBlock+1)*PerBlock, to)
		b, err := t.block(from / PerBlock)
		if err != nil {
			return nil, err
		}
		sums, err = b.appendSums(sums, int(from%PerBlock), int(end-from))
		t.unpin(b)
		if err != nil {
			return nil, fmt.Errorf("%w: of stripes from %d", err, from)
		}
		from = end
	}
	return sums, nil
}

// Set changes sums, in order of their stripes, in memory and on the member.
// They are durable after a sync. Of a sector that is rotten, or cannot be read,
// again has to know the other sums.
func (t *Table) Set(sums []Sum, again func(from, to int64) []uint32) error {
	return t.change(sums, again, true)
}

// Lay changes sums in memory alone, for as long as the table is there.
func (t *Table) Lay(sums []Sum) error {
	return t.change(sums, nil, false)
}

func (t *Table) change(sums []Sum, again func(from, to int64) []uint32, write bool) error {
	for len(sums) > 0 {
		n, index := 0, sums[0].Stripe/PerBlock
		for n < len(sums) && sums[n].Stripe/PerBlock == index {
			n++
		}
		if err := t.changeBlock(index, sums[:n], again, write); err != nil {
			return err
		}
		sums = sums[n:]
	}
	return nil
}

func (t *Table) changeBlock(index int64, sums []Sum, again func(from, to int64) []uint32, write bool) error {
	b, err := t.block(index)
	switch {
	case err != nil && again == nil:
		return err
	case err != nil:
		b = t.unknown(index)
	}
	if write { // otherwise the change is nowhere else
		defer t.unpin(b)
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	if again != nil {
		b.mend(index, t.stripes, sums, again)
	}
	b.put(sums)
	if !write {
		return nil
	}
	buf := t.pool.Get(member.ChunkSize)
	defer t.pool.Put(buf)
	b.encode(buf)
	_, err = t.member.WriteAt(buf, t.off+index*member.ChunkSize)
	return err
}

// block is one that stays in memory until it is unpinned.
func (t *Table) block(index int64) (*block, error) {
	t.mu.Lock()
	b := t.blocks[index]
	if b == nil {
		t.evict()
		b = &block{ready: make(chan struct{})}
		t.blocks[index] = b
		b.pins++
		t.mu.Unlock()
		t.load(b, index)
	} else {
		b.pins++
		t.mu.Unlock()
		<-b.ready
	}
	if b.err != nil {
		t.drop(b, index)
		return nil, b.err
	}
	return b, nil
}

func (t *Table) load(b *block, index int64) {
	defer close(b.ready)
	buf := t.pool.Get(member.ChunkSize)
	defer t.pool.Put(buf)
	if _, b.err = t.member.ReadAt(buf, t.off+index*member.ChunkSize); b.err != nil {
		b.forget()
		return
	}
	b.decode(buf)
}

// unknown is a block that cannot be read, as one whose sums are not known.
func (t *Table) unknown(index int64) *block {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.blocks[index]
	if b == nil {
		b = &block{ready: make(chan struct{})}
		b.forget()
		close(b.ready)
		t.blocks[index] = b
	}
	b.pins++
	return b
}

// drop has a block that could not be read read again by the next.
func (t *Table) drop(b *block, index int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.blocks[index] == b {
		delete(t.blocks, index)
	}
}

func (t *Table) unpin(b *block) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b.pins--
}

// evict makes room. Which block goes is left to chance: all were used lately.
func (t *Table) evict() {
	for index, b := range t.blocks {
		if len(t.blocks) < t.room {
			return
		}
		if b.pins == 0 {
			delete(t.blocks, index)
		}
	}
}
