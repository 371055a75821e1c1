//go:build linux

package faultfs

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// CutPower writes into a new directory a possible content of the disk after a power cut at this
// moment, and returns the directory. Another seed gives another possible content. The mounted file
// system continues to work.
func (f *FS) CutPower(t testing.TB, seed uint64) string {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	dir := t.TempDir()
	if err := f.root.write(dir, rand.New(rand.NewPCG(seed, 0))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// write writes the content of a directory after a power cut.
func (n *node) write(dir string, rng *rand.Rand) error {
	names := n.after(rng.IntN(len(n.changes) + 1))
	var sorted []string
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	for _, name := range sorted {
		child, path := names[name], filepath.Join(dir, name)
		var err error
		switch child.mode & syscall.S_IFMT {
		case syscall.S_IFDIR:
			if err = os.Mkdir(path, 0o755); err == nil {
				err = child.write(path, rng)
			}
		case syscall.S_IFLNK:
			err = os.Symlink(child.link, path)
		default:
			err = os.WriteFile(path, child.left(rng), os.FileMode(child.mode&0o777))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// left returns the content of a file after a power cut: each sector that was not synced is old or
// new, and the length is old or new.
func (n *node) left(rng *rand.Rand) []byte {
	size := len(n.synced)
	if len(n.dirty) > 0 && rng.IntN(2) == 1 {
		size = len(n.data)
	}
	out := make([]byte, size)
	copy(out, n.synced)
	for at := 0; at < min(size, len(n.data)); at += sector {
		if n.dirty[int64(at/sector)] && rng.IntN(2) == 1 {
			end := min(at+sector, size, len(n.data))
			copy(out[at:end], n.data[at:end])
		}
	}
	return out
}
