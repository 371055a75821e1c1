package member

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func noise(n int) []byte {
	p := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(p)
	return p
}

// newTestFile makes a member that is closed after the test.
func newTestFile(t *testing.T, size int64) *File {
	t.Helper()
	f, err := CreateFile(filepath.Join(t.TempDir(), "member"), size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
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
	var pool Buffers
	buf := pool.Get(3 << 20)
	copy(buf, noise(len(buf)))
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

func TestBuffers(t *testing.T) {
	var pool Buffers
	for _, n := range []int{1, ChunkSize, ChunkSize + 1, 5 * ChunkSize, 1 << 20} {
		buf := pool.Get(n)
		if len(buf) != n || cap(buf) < n || cap(buf) > 2*max(n, ChunkSize) {
			t.Errorf("%d bytes: length %d, capacity %d", n, len(buf), cap(buf))
		}
		pool.Put(buf)
		if again := pool.Get(n); &again[0] != &buf[0] {
			t.Errorf("%d bytes: the buffer is not used again", n)
		} else {
			pool.Put(again)
		}
	}
	big := pool.Get(2 * keepBuffers)
	pool.Put(big)
	if pool.idle > keepBuffers || pool.InUse() != 0 {
		t.Errorf("%d bytes are kept, %d buffers in use", pool.idle, pool.InUse())
	}
	pool.Close()
}
