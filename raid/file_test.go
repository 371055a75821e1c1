package raid

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/member"
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
	if _, err := member.OpenFile(filepath.Join(dir, "0")); !errors.Is(err, member.ErrInUse) {
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
			m := member.NewSlow(d, index, steady(5), began)
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

// TestMemberCut cuts a file under an open array: nobody reads zeros in the
// place of what it held, and with the next write it is lost.
func TestMemberCut(t *testing.T) {
	dir := t.TempDir()
	createDir(t, dir, testGeometry)
	a, err := openDir(dir, testOptions(policy.Normal))
	if err != nil {
		t.Fatal(err)
	}
	want := noise(3, int(a.Size()))
	if _, err := a.WriteAt(want, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "1"), testGeometry.offset(3)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("what was cut is read as something else")
	}
	last := want[a.Size()-5000:]
	if _, err := a.WriteAt(last, a.Size()-5000); err != nil {
		t.Fatal(err)
	}
	if s := a.Status().Members[1]; s.State != Lost || !errors.Is(s.Err, member.ErrCut) {
		t.Errorf("the member is %v: %v", s.State, s.Err)
	}
	if !bytes.Equal(readAll(t, a), want) {
		t.Error("what was cut is read as something else after a write")
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
