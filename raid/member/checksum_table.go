// This file keeps a checksum of every chunk of a member, apart from the chunks. If a chunk rots, or
// a write never reaches the drive, the chunk differs from its checksum.
//
// The table of a member has as many blocks of 4 KiB as its stripes need. A block is eight sectors
// of 512 bytes, little-endian:
//
//	0    sums of 127 chunks, 4 bytes each
//	508  checksum of the 508 bytes before
//
// A drive writes a sector completely or not at all, so after a loss of power each sector is old or
// new. All sums are CRC-32C, changed so that the sum of zeros is 0. So an array of zeros has a
// table of zeros, and both may be holes in a file.
//
// The blocks that were used last are kept in memory. A caller that changes a sum has exclusive
// access to its chunk.

package member

import (
	"errors"
	"fmt"
	"sync"
)

// errTable is returned if the sector of a sum is damaged, so that the sum is not known.
var errTable = errors.New("the saved checksums are damaged")

// A Sum is the checksum of a member's chunk of one stripe.
type Sum struct {
	Stripe int64
	Sum    uint32
}

// A Table holds the checksums of a member. It is safe for concurrent use.
type Table struct {
	member  Member
	off     int64 // offset of the table on the member
	stripes int64
	pool    *Buffers
	room    int // largest number of blocks in memory

	mu     sync.RWMutex
	blocks map[int64]*block
}

// NewTable returns the table at an offset of a member. It keeps room blocks in memory, and also the
// blocks that are being written.
func NewTable(m Member, off, stripes int64, pool *Buffers, room int) *Table {
	return &Table{member: m, off: off, stripes: stripes, pool: pool, room: max(room, 1), blocks: map[int64]*block{}}
}

// Get returns the checksums of n stripes.
func (t *Table) Get(from int64, n int) ([]uint32, error) {
	sums := make([]uint32, 0, n)
	for to := from + int64(n); from < to; {
		end := min((from/PerBlock+1)*PerBlock, to)
		b, err := t.blockForReading(from / PerBlock)
		if err != nil {
			return nil, err
		}
		sums, err = b.appendSums(sums, int(from%PerBlock), int(end-from))
		if err != nil {
			return nil, fmt.Errorf("%w; the first is the checksum of stripe %d", err, from)
		}
		from = end
	}
	return sums, nil
}

// Differ returns the stripes, of n stripes from a stripe on, whose chunks do not match the saved
// checksums or whose saved checksums are unknown. It calls sum for each chunk, in order.
func (t *Table) Differ(from int64, n int, sum func(i int) uint32) (stripes []int64, err error) {
	for i := 0; i < n; {
		b, err := t.blockForReading((from + int64(i)) / PerBlock)
		if err != nil {
			return nil, err
		}
		for at := int((from + int64(i)) % PerBlock); at < PerBlock && i < n; at, i = at+1, i+1 {
			if !b.has(at, sum(i)) {
				stripes = append(stripes, from+int64(i))
			}
		}
	}
	return stripes, nil
}

// Set changes sums in memory and on the member. sums are in the order of their stripes. They are
// durable after a sync. If a sector is damaged or unreadable, Set calls again for all sums of the
// sector.
func (t *Table) Set(sums []Sum, again func(from, to int64) []uint32) error {
	return t.change(sums, again, true)
}

// SetInMemory changes sums only in memory, for the lifetime of the table.
func (t *Table) SetInMemory(sums []Sum) error {
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
	if write { // a change that is only in memory must stay pinned
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
	buf := t.pool.Get(ChunkSize)
	defer t.pool.Put(buf)
	b.encode(buf)
	_, err = t.member.WriteAt(buf, t.off+index*ChunkSize)
	return err
}

// blockForReading returns a block for a reader. The block may be evicted while the reader uses it.
// That does no harm, because the sums of the reader's stripes do not change.
func (t *Table) blockForReading(index int64) (*block, error) {
	t.mu.RLock()
	b := t.blocks[index]
	t.mu.RUnlock()
	if b != nil {
		if b.loading.Wait(); b.err == nil {
			return b, nil
		}
	}
	b, err := t.block(index)
	if err == nil {
		t.unpin(b)
	}
	return b, err
}

// block returns a block that stays in memory until it is unpinned.
func (t *Table) block(index int64) (*block, error) {
	t.mu.Lock()
	b := t.blocks[index]
	if b == nil {
		t.evict()
		b = &block{}
		b.loading.Add(1)
		t.blocks[index] = b
		b.pins++
		t.mu.Unlock()
		t.load(b, index)
	} else {
		b.pins++
		t.mu.Unlock()
		b.loading.Wait()
	}
	if b.err != nil {
		t.drop(b, index)
		return nil, b.err
	}
	return b, nil
}

func (t *Table) load(b *block, index int64) {
	defer b.loading.Done()
	buf := t.pool.Get(ChunkSize)
	defer t.pool.Put(buf)
	if _, b.err = t.member.ReadAt(buf, t.off+index*ChunkSize); b.err != nil {
		b.forget()
		return
	}
	b.decode(buf)
}

// unknown returns a block with unknown sums in place of a block that cannot be read.
func (t *Table) unknown(index int64) *block {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.blocks[index]
	if b == nil {
		b = &block{}
		b.forget()
		t.blocks[index] = b
	}
	b.pins++
	return b
}

// drop removes a block that could not be read, so that the next user reads it again.
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

// evict removes blocks until there is room for one more. It chooses them at random, because all
// blocks were used recently.
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
