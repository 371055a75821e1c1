package playback

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// What was written again to its end is what was, byte for byte; halfway it is the
// beginning of it.
func TestReplay(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), t.TempDir()
	s := arrays.Demo(1)
	s.End, s.Compressed, s.Events = s.Start.Add(3*time.Minute), nil, nil
	if _, err := s.Write(t.Context(), from, nil); err != nil {
		t.Fatal(err)
	}
	r, err := Open(from, to)
	if err != nil {
		t.Fatal(err)
	}
	first, last := r.Span()
	if first != s.Start.Unix() || last != s.End.Unix() && last != s.End.Unix()-5 {
		t.Errorf("from %d to %d, want %v to %v", first, last, s.Start, s.End)
	}
	for until := first; ; until += 37 {
		more, err := r.Write(until)
		if err != nil {
			t.Fatal(err)
		}
		checkBeginnings(t, from, to, !more)
		if !more {
			break
		}
	}
}

func checkBeginnings(t *testing.T, from, to string, whole bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "activity", "fs*"))
	if err != nil || len(files) != 8 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(to, "activity", filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(want, got) || len(got) == 0 || whole != (len(got) == len(want)) {
			t.Fatalf("%s: %d of %d bytes, whole %t", file, len(got), len(want), whole)
		}
	}
}

func TestNothingToReplay(t *testing.T) {
	if _, err := Open(t.TempDir(), t.TempDir()); err == nil {
		t.Error("an empty directory is replayed")
	}
}
