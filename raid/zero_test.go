package raid

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/limpet-storage/limpet/raid/policy"
)

// TestWriteZeroes zeroes any ranges, with holes and without, with checksums and
// without, against a copy in memory.
func TestWriteZeroes(t *testing.T) {
	for _, g := range []Geometry{testGeometry, plainGeometry} {
		drives, want := writtenOf(t, g)
		drives[1] = nil
		a := openDrives(t, drives, policy.Normal)
		rng := rand.New(rand.NewPCG(5, 6))
		for range 40 {
			off := rng.Int64N(a.Size())
			n := rng.Int64N(a.Size() - off + 1)
			if err := a.WriteZeroes(off, n, rng.IntN(2) == 0); err != nil {
				t.Fatal(err)
			}
			clear(want[off : off+n])
			off = rng.Int64N(a.Size() - 9000)
			copy(want[off:], noise(rng.Uint64(), 9000))
			if _, err := a.WriteAt(want[off:off+9000], off); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(readAll(t, a), want) {
				t.Fatal("the array holds something else")
			}
		}
		if err := a.WriteZeroes(a.Size()-5, 6, true); err == nil {
			t.Error("zeros beyond the end")
		}
		if err := a.Discard(a.Size(), 1); err == nil {
			t.Error("a discard beyond the end")
		}
		checkScrub(t, a)
		checkBuffers(t, a)
		a.Close()
	}
}

// TestDiscardGivesRoomBack: what is discarded takes no room, and is told from
// what does, until a hole is there that ought not to be.
func TestDiscardGivesRoomBack(t *testing.T) {
	dir := t.TempDir()
	g := Geometry{Data: 4, Stripes: 2000, Journal: 64, Checksums: true}
	createDir(t, dir, g)
	a, err := openDir(dir, testOptions(policy.Normal))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	size := g.stripeSize()
	if _, err := a.WriteAt(noise(1, int(1000*size)), 500*size); err != nil {
		t.Fatal(err)
	}
	if err := a.Discard(700*size-1, 100*size+2); err != nil {
		t.Fatal(err)
	}
	checkExtents(t, a, 0, a.Size(), "500 hole, 200 data, 100 hole, 700 data, 500 hole")
	checkExtents(t, a, 690*size, 20*size, "10 data, 10 hole")
	if err := a.Discard(0, a.Size()); err != nil {
		t.Fatal(err)
	}
	checkExtents(t, a, 0, a.Size(), "2000 hole")
	if !bytes.Equal(readAll(t, a), make([]byte, a.Size())) {
		t.Error("what was discarded is not zero")
	}
	for i := range g.Members() {
		var s syscall.Stat_t
		if err := syscall.Stat(filepath.Join(dir, strconv.Itoa(i)), &s); err != nil || s.Blocks > 4<<20/512 {
			t.Errorf("member %d takes %d blocks (%v)", i, s.Blocks, err)
		}
	}
	if _, err := a.WriteAt(noise(2, int(size)), 0); err != nil {
		t.Fatal(err)
	}
	m := a.roster.Load().members[0].(*watched).Member
	if err := m.Zero(g.offset(0), ChunkSize); err != nil { // rot that is a hole
		t.Fatal(err)
	}
	checkExtents(t, a, 0, size, "1 data")
}

// checkExtents wants regions of whole stripes.
func checkExtents(t *testing.T, a *Array, off, n int64, want string) {
	t.Helper()
	var got []string
	err := a.Extents(off, n, func(n int64, hole bool) {
		got = append(got, fmt.Sprintf("%d %s", n/a.geometry.stripeSize(), map[bool]string{true: "hole", false: "data"}[hole]))
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, splitList(want)) {
		t.Errorf("%d at %d: %q, want %s", n, off, got, want)
	}
}

func splitList(s string) (list []string) {
	for _, p := range bytes.Split([]byte(s), []byte(", ")) {
		list = append(list, string(p))
	}
	return list
}
