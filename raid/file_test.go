package raid

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	createDir(t, dir, testGeometry)
	a, err := openDir(dir, testOptions(policy.Hedge))
	if err != nil {
		t.Fatal(err)
	}
	want := noise(3, int(a.Size()))
	if _, err := a.WriteAt(want, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(filepath.Join(dir, "0")); !errors.Is(err, ErrInUse) {
		t.Errorf("a member was opened twice: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := openDir(dir, testOptions(policy.Hedge))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if !bytes.Equal(readAll(t, b), want) {
		t.Error("files hold something else")
	}
	checkScrub(t, b)
}

func TestCreateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "member")
	f, err := CreateFile(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Size() != 1<<20 || f.String() != path {
		t.Errorf("%v has %d bytes", f, f.Size())
	}
	if _, err := CreateFile(path, 1<<20); !errors.Is(err, os.ErrExist) {
		t.Errorf("a file was made over another: %v", err)
	}
	if _, err := OpenFile(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there was opened: %v", err)
	}
}

func TestZero(t *testing.T) {
	f, err := CreateFile(filepath.Join(t.TempDir(), "member"), 3<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var pool buffers
	buf := pool.get(3 << 20)
	copy(buf, noise(1, len(buf)))
	want := bytes.Clone(buf)
	clear(want[1<<20-ChunkSize : 2<<20+ChunkSize])
	if _, err := f.WriteAt(buf, 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Zero(1<<20-ChunkSize, 1<<20+2*ChunkSize); err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReadAt(buf, 0); err != nil || !bytes.Equal(buf, want) {
		t.Errorf("not what was to be zero is: %v", err)
	}
}

// steady slows member 1 by a factor.
type steady float64

func (s steady) Factor(member int, _ time.Duration) float64 {
	if member != 1 {
		return 1
	}
	return float64(s)
}

func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDrive("d", ChunkSize)
		d.faults = func(string) (time.Duration, error) { return 10 * time.Millisecond, nil }
		began := time.Now()
		chunk := make([]byte, ChunkSize)
		for index, want := range []time.Duration{10 * time.Millisecond, 50 * time.Millisecond} {
			m := NewSlow(d, index, steady(5), began)
			for op, do := range map[string]func() error{
				"read":        func() error { _, err := m.ReadAt(chunk, 0); return err },
				"read vector": func() error { return m.ReadVector([][]byte{chunk}, 0) },
				"write":       func() error { _, err := m.WriteAt(chunk, 0); return err },
			} {
				start := time.Now()
				if err := do(); err != nil || time.Since(start) != want {
					t.Errorf("member %d: %s took %v, want %v (%v)", index, op, time.Since(start), want, err)
				}
			}
		}
	})
}

func TestBuffers(t *testing.T) {
	var pool buffers
	for _, n := range []int{1, ChunkSize, ChunkSize + 1, 5 * ChunkSize, 1 << 20} {
		buf := pool.get(n)
		if len(buf) != n || cap(buf) < n || cap(buf) > 2*max(n, ChunkSize) {
			t.Errorf("%d bytes: length %d, capacity %d", n, len(buf), cap(buf))
		}
		pool.put(buf)
		if again := pool.get(n); &again[0] != &buf[0] {
			t.Errorf("%d bytes: the buffer is not used again", n)
		} else {
			pool.put(again)
		}
	}
	big := pool.get(2 * keepBuffers)
	pool.put(big)
	if pool.idle > keepBuffers || pool.inUse() != 0 {
		t.Errorf("%d bytes are kept, %d buffers in use", pool.idle, pool.inUse())
	}
	pool.close()
}
