package raid

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// TestAnyRange writes and reads any ranges against a copy in memory, with all
// members and with any two lost.
func TestAnyRange(t *testing.T) {
	n := testGeometry.Members()
	for i := range n {
		for j := range i + 1 {
			drives := newDrives(t, testGeometry)
			drives[i], drives[j] = nil, nil
			if i == j+1 { // as many runs with all members
				drives = newDrives(t, testGeometry)
			}
			a := openDrives(t, drives, policy.Kinds()[(i+j)%6])
			checkRanges(t, a, rand.New(rand.NewPCG(uint64(i), uint64(j))), 60)
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			checkBuffers(t, a)
		}
	}
}

func checkRanges(t *testing.T, a *Array, rng *rand.Rand, rounds int) {
	t.Helper()
	want := readAll(t, a)
	for range rounds {
		off := rng.Int64N(a.Size())
		p := noise(rng.Uint64(), int(rng.Int64N(min(a.Size()-off, 9*a.geometry.stripeSize()))))
		if rng.IntN(2) == 0 { // aligned ones are another path
			off = off / ChunkSize * ChunkSize
			p = p[:len(p)/ChunkSize*ChunkSize]
		}
		if n, err := a.WriteAt(p, off); err != nil || n != len(p) {
			t.Fatalf("write: %d, %v", n, err)
		}
		copy(want[off:], p)
		off = rng.Int64N(a.Size())
		got := make([]byte, rng.Int64N(a.Size()-off+1))
		if n, err := a.ReadAt(got, off); err != nil && len(got) > 0 || n != len(got) {
			t.Fatalf("read %d at %d: %d, %v", len(got), off, n, err)
		}
		if !bytes.Equal(got, want[off:off+int64(len(got))]) {
			t.Fatalf("%d bytes at %d are not what was written", len(got), off)
		}
	}
	if !bytes.Equal(readAll(t, a), want) {
		t.Fatal("array is not what was written")
	}
}

func TestBounds(t *testing.T) {
	a := openDrives(t, newDrives(t, testGeometry), policy.Normal)
	p := make([]byte, 100)
	if n, err := a.ReadAt(p, a.Size()-60); n != 60 || err != io.EOF {
		t.Errorf("read over the end: %d, %v", n, err)
	}
	if n, err := a.ReadAt(p, a.Size()); n != 0 || err != io.EOF {
		t.Errorf("read at the end: %d, %v", n, err)
	}
	if _, err := a.ReadAt(p, -1); err == nil || err == io.EOF {
		t.Errorf("read before the beginning: %v", err)
	}
	for _, off := range []int64{-1, a.Size() - 60, a.Size() + 1} {
		if n, err := a.WriteAt(p, off); n != 0 || err == nil {
			t.Errorf("write at %d: %d, %v", off, n, err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.ReadAt(p, 0); !errors.Is(err, ErrClosed) {
		t.Errorf("read after Close: %v", err)
	}
	if err := a.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
}

// TestMerged counts I/Os: one a member, however many stripes.
func TestMerged(t *testing.T) {
	drives := newDrives(t, Geometry{Data: 4, Stripes: 64, Journal: 32})
	a := openDrives(t, drives, policy.Normal)
	var reads, writes atomic.Int64
	for _, d := range drives {
		d.faults = func(op string) (time.Duration, error) {
			switch op {
			case "read":
				reads.Add(1)
			case "write":
				writes.Add(1)
			}
			return 0, nil
		}
	}
	stripe := a.geometry.stripeSize()
	for _, test := range []struct {
		off, n        int64
		reads, writes int64 // writes: a record and one in place
	}{
		{0, 5 * stripe, 4, 12},
		{stripe / 2, 4 * stripe, 4, 12 + 0},
		{0, ChunkSize, 1, 6 + 3},
		{3 * ChunkSize, 2 * ChunkSize, 2, 0}, // over the edge of a stripe
	} {
		a.options.Window = 32
		reads.Store(0)
		if _, err := a.ReadAt(make([]byte, test.n), test.off); err != nil || reads.Load() != test.reads {
			t.Errorf("reading %d at %d took %d reads, want %d (%v)", test.n, test.off, reads.Load(), test.reads, err)
		}
		writes.Store(0)
		if test.writes == 0 {
			continue
		}
		if _, err := a.WriteAt(make([]byte, test.n), test.off); err != nil || writes.Load() != test.writes {
			t.Errorf("writing %d at %d took %d writes, want %d (%v)", test.n, test.off, writes.Load(), test.writes, err)
		}
	}
}
