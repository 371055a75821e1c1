package source

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// write makes a file in a directory.
func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens files, with temporary ones in a directory of the test's own.
func open(t testing.TB, o Options, paths ...string) *Source {
	t.Helper()
	o.TempDir = t.TempDir()
	s, err := Open(t.Context(), paths, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// options are the default ones with a description, empty: none.
func options(t testing.TB, description string) Options {
	t.Helper()
	o := DefaultOptions()
	if description == "" {
		return o
	}
	var err error
	if o.Description, err = ParseDescription("test.yaml", []byte(description)); err != nil {
		t.Fatal(err)
	}
	return o
}

// A driveHour is a row of a batch.
type driveHour struct {
	direction          study.Direction
	hour, group, drive int32
	ios, latency, size float32
}

// print names a row.
func (h driveHour) print(f *study.Fleet) string {
	return fmt.Sprintf("%v %d %s %s %v %v %v", h.direction, h.hour, f.Groups[h.group], f.Drives[h.drive].Name,
		number(h.ios), number(h.latency), number(h.size))
}

// number prints whole numbers as such.
func number(v float32) string {
	if v == float32(int64(v)) {
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprint(v)
}

// all reads all streams side by side, each held to the contract of
// study.Hours, and returns their rows one after the other.
func all(t testing.TB, s *Source) []driveHour {
	t.Helper()
	streams := s.Streams(t.Context())
	rows := make([][]driveHour, len(streams))
	var wg sync.WaitGroup
	for i, h := range streams {
		wg.Go(func() { rows[i] = drainHours(t, h) })
	}
	wg.Wait()
	return slices.Concat(rows...)
}

func drainHours(t testing.TB, h study.Hours) (rows []driveHour) {
	var b study.Batch
	for {
		err := h.Next(&b)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Error(err)
			return nil
		}
		for i := range b.Len() {
			rows = append(rows, driveHour{b.Direction, b.Hour[i], b.Group[i], b.Drive[i], b.IOs[i], b.Latency[i], b.Size[i]})
		}
	}
	if b.Len() != 0 {
		t.Error("rows beside io.EOF")
	}
	checkTogether(t, rows)
	return rows
}

// checkTogether sees to it that all rows of a group and hour lie together and
// that the hours of a group ascend, in each direction.
func checkTogether(t testing.TB, rows []driveHour) {
	for d := range study.Directions {
		var last driveHour
		hours := make(map[int32]int32)
		first := true
		for _, r := range rows {
			if int(r.direction) != d {
				continue
			}
			if !first && r.group == last.group && r.hour == last.hour {
				continue
			}
			if before, ok := hours[r.group]; ok && r.hour <= before {
				t.Errorf("%v: group %d has hour %d after %d", r.direction, r.group, r.hour, before)
				return
			}
			hours[r.group], last, first = r.hour, r, false
		}
	}
}

// printed prints rows in an order of their own: hour, direction, names.
func printed(f *study.Fleet, rows []driveHour) []string {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b driveHour) int {
		return cmp.Or(cmp.Compare(a.hour, b.hour), cmp.Compare(a.direction, b.direction),
			cmp.Compare(a.group, b.group), cmp.Compare(a.drive, b.drive))
	})
	var out []string
	for _, r := range rows {
		out = append(out, r.print(f))
	}
	return out
}

// sameLines compares lists of lines.
func sameLines(t testing.TB, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Fatalf("row %d of %d and %d:\ngot  %s\nwant %s", i, len(got), len(want), g, w)
		}
	}
}

func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
