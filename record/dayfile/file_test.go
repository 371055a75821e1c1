package dayfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func options() sysstat.WriterOptions {
	return sysstat.WriterOptions{Hostname: "fs1", CPUs: 1, Created: noon, Activities: []uint32{sysstat.DiskActivity}}
}

func create(t *testing.T) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), Name("fs1", noon))
	part, err := os.OpenFile(PartPath(path), OpenFlags|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Create(part, path, options(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.f.Close() })
	return f
}

// stats writes one sample of a disk.
func stats(w *sysstat.Writer) error {
	return w.WriteStats(noon, 1, &sysstat.Sample{Disks: []sysstat.Disk{{Major: 8, IOs: 1}}})
}

func content(t *testing.T, f *File) []byte {
	t.Helper()
	b, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWriteAllOrNothing: a comment whose sample fails is not in the file, and
// the next sample follows the one before.
func TestWriteAllOrNothing(t *testing.T) {
	f, twin := create(t), create(t)
	failure := errors.New("failure")
	for _, file := range []*File{f, twin} {
		if err := file.Write(stats); err != nil {
			t.Fatal(err)
		}
	}
	err := f.Write(func(w *sysstat.Writer) error { return errors.Join(w.WriteComment(noon, "half"), failure) })
	if !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	if got, want := content(t, f), content(t, twin); !bytes.Equal(got, want) || f.Size() != int64(len(want)) {
		t.Errorf("%d bytes, Size %d, want %d", len(got), f.Size(), len(want))
	}
	for _, file := range []*File{f, twin} {
		if err := file.Write(stats); err != nil || file.Changes() != "" {
			t.Error(file.Changes(), err)
		}
	}
	if got, want := content(t, f), content(t, twin); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
}

// TestContinueCuts: Continue cuts off half a record, and the file is as if it
// had never been there.
func TestContinueCuts(t *testing.T) {
	f := create(t)
	for range 2 {
		if err := f.Write(stats); err != nil {
			t.Fatal(err)
		}
	}
	whole := content(t, f)
	if err := f.Close(noSyncs()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, append(bytes.Clone(whole), whole[len(whole)-20:]...), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := os.OpenFile(f.Path, OpenFlags, 0)
	if err != nil {
		t.Fatal(err)
	}
	g, tail, err := Continue(again, f.Path, options())
	if err != nil || tail.Records != 2 || tail.Cut == 0 {
		t.Fatal(tail, err)
	}
	if got := content(t, g); !bytes.Equal(got, whole) || g.Size() != int64(len(whole)) {
		t.Errorf("%d bytes, Size %d, want %d", len(got), g.Size(), len(whole))
	}
	g.f.Close()
}

// TestTruncatedMeanwhile: a file that another process truncates just ahead of a
// write, or while a failed write is not cut off yet, is not filled with zeros,
// and Changes reports it.
func TestTruncatedMeanwhile(t *testing.T) {
	for _, torn := range []bool{false, true} {
		f := create(t)
		if err := f.Write(stats); err != nil || f.Changes() != "" {
			t.Fatal(f.Changes(), err)
		}
		if err := os.Truncate(f.Path, 0); err != nil {
			t.Fatal(err)
		}
		if f.torn = torn; !torn {
			if err := f.Write(stats); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.Changes(); got != Truncated {
			t.Errorf("torn %v: %q", torn, got)
		}
	}
}

// TestSyncsNameOnce: the directory is synced with the first Sync that succeeds,
// and SyncAll syncs it once for all files.
func TestSyncsNameOnce(t *testing.T) {
	f := create(t)
	dirs, failure := 0, errors.New("failure")
	s := noSyncs()
	s.Dir = func(string) error { dirs++; return failure }
	if err := f.Sync(s); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	s.Dir = func(string) error { dirs++; return nil }
	for range 2 {
		if err := f.Sync(s); err != nil {
			t.Error(err)
		}
	}
	if dirs != 2 {
		t.Errorf("the directory was synced %d times, want 2", dirs)
	}
	dirs = 0
	if err := SyncAll([]*File{f, create(t), create(t)}, s); err != nil || dirs != 1 {
		t.Errorf("the directory was synced %d times, error %v", dirs, err)
	}
}

func noSyncs() Syncs {
	return Syncs{Data: func(*os.File) error { return nil }, Dir: func(string) error { return nil }}
}
