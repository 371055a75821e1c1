package member

import (
	"errors"
	"io"
	"sync"
	"testing"
)

// A memory is a member of which the table is all.
type memory struct {
	Member
	mu     sync.Mutex
	bytes  []byte
	reads  int
	broken error
}

func (m *memory) ReadAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	return copy(p, m.bytes[off:]), m.broken
}

func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return copy(m.bytes[off:], p), nil
}

const stripes = 2*PerBlock + 100

func newMemory() *memory { return &memory{bytes: make([]byte, Blocks(stripes)*ChunkSize)} }

func never(t *testing.T) func(int64, int64) []uint32 {
	return func(from, to int64) []uint32 {
		t.Errorf("sums from %d to %d were asked for", from, to)
		return nil
	}
}

// TestZeros: a table of zeros is that of chunks of zeros.
func TestZeros(t *testing.T) {
	if Of(make([]byte, ChunkSize)) != 0 {
		t.Error("zeros have a sum")
	}
	chunk := make([]byte, ChunkSize)
	chunk[9] = 1
	if Of(chunk) == 0 {
		t.Error("what is not zeros has their sum")
	}
	table := NewTable(newMemory(), 0, stripes, &Buffers{}, 10)
	sums, err := table.Get(PerBlock-3, 7)
	if err != nil || len(sums) != 7 {
		t.Fatal(sums, err)
	}
	for _, s := range sums {
		if s != 0 {
			t.Errorf("sums %v", sums)
		}
	}
}

// TestSet: what is set is there, over the edges of blocks, in memory and after
// it is read again.
func TestSet(t *testing.T) {
	m, pool := newMemory(), &Buffers{}
	table := NewTable(m, 0, stripes, pool, 1)
	set := []Sum{{3, 30}, {perSector, 40}, {PerBlock - 1, 50}, {PerBlock, 60}, {stripes - 1, 70}}
	if err := table.Set(set, never(t)); err != nil {
		t.Fatal(err)
	}
	if err := table.Set([]Sum{{4, 31}}, never(t)); err != nil {
		t.Fatal(err)
	}
	for _, table := range []*Table{table, NewTable(m, 0, stripes, pool, 1)} {
		for _, s := range append(set, Sum{4, 31}, Sum{5, 0}) {
			if got, err := table.Get(s.Stripe, 1); err != nil || got[0] != s.Sum {
				t.Errorf("stripe %d: %v (%v), want %d", s.Stripe, got, err, s.Sum)
			}
		}
		if len(table.blocks) > 1 {
			t.Errorf("%d blocks are in memory", len(table.blocks))
		}
	}
	if pool.InUse() != 0 {
		t.Errorf("%d buffers did not come back", pool.InUse())
	}
}

// TestRotten: a sector that rots is not believed, its neighbours are, and to
// set one of its sums is to know all of them again.
func TestRotten(t *testing.T) {
	m := newMemory()
	if err := NewTable(m, 0, stripes, &Buffers{}, 9).Set([]Sum{{1, 10}, {perSector + 1, 20}, {perSector + 2, 21}}, never(t)); err != nil {
		t.Fatal(err)
	}
	m.bytes[sector+40] ^= 4
	table := NewTable(m, 0, stripes, &Buffers{}, 9)
	if _, err := table.Get(perSector+1, 1); !errors.Is(err, errTable) {
		t.Errorf("a rotten sector is believed: %v", err)
	}
	if got, err := table.Get(1, 1); err != nil || got[0] != 10 {
		t.Errorf("its neighbour: %v, %v", got, err)
	}
	again := func(from, to int64) []uint32 {
		if from != perSector || to != 2*perSector {
			t.Errorf("asked from %d to %d", from, to)
		}
		sums := make([]uint32, perSector)
		sums[1] = 20
		return sums
	}
	if err := table.Set([]Sum{{perSector + 2, 99}}, again); err != nil {
		t.Fatal(err)
	}
	for _, table := range []*Table{table, NewTable(m, 0, stripes, &Buffers{}, 9)} {
		if got, err := table.Get(perSector+1, 2); err != nil || got[0] != 20 || got[1] != 99 {
			t.Errorf("set again: %v, %v", got, err)
		}
	}
}

// TestUnreadable: a block that cannot be read is an error to readers, and can
// be written all the same.
func TestUnreadable(t *testing.T) {
	m := newMemory()
	m.broken = io.ErrUnexpectedEOF
	table := NewTable(m, 0, stripes, &Buffers{}, 9)
	if _, err := table.Get(5, 1); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	if err := table.Set([]Sum{{5, 50}}, func(from, to int64) []uint32 { return make([]uint32, to-from) }); err != nil {
		t.Fatal(err)
	}
	m.broken = nil
	for _, table := range []*Table{table, NewTable(m, 0, stripes, &Buffers{}, 9)} {
		if got, err := table.Get(5, 2); err != nil || got[0] != 50 || got[1] != 0 {
			t.Errorf("%v, %v", got, err)
		}
		if _, err := table.Get(perSector, 1); !errors.Is(err, errTable) {
			t.Errorf("what nobody knows is known: %v", err)
		}
	}
}

// TestLay: what is laid over a table is in memory alone, however little of that
// there is.
func TestLay(t *testing.T) {
	m := newMemory()
	table := NewTable(m, 0, stripes, &Buffers{}, 1)
	if err := table.SetInMemory([]Sum{{1, 10}, {PerBlock, 20}}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Sum{{1, 10}, {PerBlock, 20}, {2 * PerBlock, 0}, {1, 10}, {PerBlock, 20}} {
		if got, err := table.Get(s.Stripe, 1); err != nil || got[0] != s.Sum {
			t.Errorf("%+v: %v, %v", s, got, err)
		}
	}
	for _, b := range m.bytes {
		if b != 0 {
			t.Fatal("the member was written to")
		}
	}
}
