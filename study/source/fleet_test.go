package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
)

func smallFleet() fleet.Options {
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days, o.Format = 12, 8, 3, fleet.Both
	return o
}

// written writes a fleet and returns what its rows are to be.
func written(t testing.TB, o fleet.Options) (dir string, want []string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "fleet")
	if _, err := fleet.Write(t.Context(), dir, o, nil); err != nil {
		t.Fatal(err)
	}
	f, err := fleet.New(o)
	if err != nil {
		t.Fatal(err)
	}
	drives := f.Drives()
	for h := range f.Hours() {
		for i, n := range h.IOs {
			if n == fleet.Absent {
				continue
			}
			latency, size := fmt.Sprint(h.LatencyUs[i]), fmt.Sprint(h.SizeBytes[i])
			if n == 0 {
				latency, size = "NaN", "NaN"
			}
			want = append(want, fmt.Sprintf("all %d %s %s %s %s %s", h.Time.Unix()/3600, drives[i].Group, drives[i].Name, number(float32(n)), latency, size))
		}
	}
	return dir, want
}

// only removes the files of a fleet that have an ending.
func only(t testing.TB, dir, ending string) {
	t.Helper()
	for _, pattern := range []string{"*" + ending, "records/*" + ending} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			os.Remove(path)
		}
	}
}

// TestFleet reads what the simulator writes, without a description, in every
// format and with any number of workers.
func TestFleet(t *testing.T) {
	tests := map[string]func(t *testing.T, dir string){
		"both formats": func(*testing.T, string) {},
		"parquet":      func(t *testing.T, dir string) { only(t, dir, ".csv") },
		"csv":          func(t *testing.T, dir string) { only(t, dir, ".parquet") },
		"gzip": func(t *testing.T, dir string) {
			only(t, dir, ".parquet")
			pack(t, dir, ".gz", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
		},
		"zstd": func(t *testing.T, dir string) {
			only(t, dir, ".parquet")
			pack(t, dir, ".zst", func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z })
		},
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			dir, want := written(t, smallFleet())
			prepare(t, dir)
			for _, workers := range []int{1, 2, 7} {
				o := options(t, "")
				o.Workers = workers
				s := open(t, o, dir)
				if !s.Sorted() || s.Finer() {
					t.Errorf("sorted %v, finer %v", s.Sorted(), s.Finer())
				}
				sameLines(t, printed(s.Fleet(), all(t, s)), want)
				if f := s.Faults(); f.Rows+f.Values+f.Repeated > 0 {
					t.Errorf("faults %+v", f)
				}
			}
		})
	}
}

// pack compresses all files of a fleet.
func pack(t testing.TB, dir, ending string, packer func(io.Writer) io.WriteCloser) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, "records", "*.csv"))
	for _, path := range append(paths, filepath.Join(dir, "inventory.csv"), filepath.Join(dir, "events.csv")) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := packer(&b)
		w.Write(data)
		w.Close()
		os.WriteFile(path+ending, b.Bytes(), 0o644)
		os.Remove(path)
	}
}

// known is a number as the inventory has it, where it has one.
func known(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// TestFleetIsListed holds inventory and events against the simulator's.
func TestFleetIsListed(t *testing.T) {
	o := smallFleet()
	o.Days = 60
	for _, ending := range []string{".csv", ".parquet"} {
		dir, _ := written(t, o)
		only(t, dir, ending)
		s := open(t, options(t, ""), dir)
		f, _ := fleet.New(o)
		if len(s.Warnings()) > 0 {
			t.Errorf("warnings %v", s.Warnings())
		}
		got := make(map[string]study.Drive)
		for _, d := range s.Fleet().Drives {
			got[d.Name] = d
		}
		for _, d := range f.Drives() {
			want := study.Drive{Name: d.Name, Group: d.Group, Kind: study.Disk, Model: d.Model, Vendor: d.Vendor, Flash: d.Flash, Interface: d.Interface, Deployed: d.Deployed}
			want.Capacity, want.RPM = known(d.CapacityGB), known(d.RPM)
			if d.Kind == fleet.SSD {
				want.Kind = study.SSD
			}
			if d.Role == fleet.Parity {
				want.Role = study.Parity
			}
			if got[d.Name] != want {
				t.Fatalf("got %+v, want %+v", got[d.Name], want)
			}
		}
		var events []string
		for h := range f.Hours() {
			for _, e := range h.Events {
				events = append(events, fmt.Sprint(e.Time.Unix(), f.Drives()[e.Drive].Name, e.What))
			}
		}
		var read []string
		for _, e := range s.Events() {
			read = append(read, fmt.Sprint(e.Time.Unix(), s.Fleet().Drives[e.Drive].Name, e.What))
		}
		slices.Sort(events)
		slices.Sort(read)
		sameLines(t, read, events)
		if len(read) == 0 {
			t.Error("no events at all")
		}
	}
}

// TestAnyOrder shuffles the lines of a fleet: the drive hours are the same.
func TestAnyOrder(t *testing.T) {
	byDrive := func(all []string) {
		slices.SortStableFunc(all, func(a, b string) int { return strings.Compare(strings.Split(a, ",")[2], strings.Split(b, ",")[2]) })
	}
	tests := map[string]struct {
		arrange func([]string)
		sorted  bool
	}{
		"by drive": {byDrive, false},
		"at random": {func(all []string) {
			rng := rand.New(rand.NewPCG(1, 2))
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		}, false},
		"by hour, groups apart": {func(all []string) {
			rng := rand.New(rand.NewPCG(1, 2))
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			slices.SortStableFunc(all, func(a, b string) int { return strings.Compare(a[:20], b[:20]) })
		}, true},
	}
	dir, want := written(t, smallFleet())
	var records []string
	paths, _ := filepath.Glob(filepath.Join(dir, "records", "*.csv"))
	for _, path := range paths {
		data, _ := os.ReadFile(path)
		records = append(records, lines(string(data))[1:]...)
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			shuffled := slices.Clone(records)
			tt.arrange(shuffled)
			half := len(shuffled) / 2
			other := t.TempDir()
			header := "time,group,drive,role,ios,latency_us,size_bytes\n"
			if tt.sorted {
				half = len(shuffled)
			}
			write(t, other, "a.csv", header+strings.Join(shuffled[:half], "\n"))
			write(t, other, "b.csv", header+strings.Join(shuffled[half:], "\n"))
			for _, workers := range []int{1, 3} {
				o := options(t, "")
				o.Workers = workers
				s := open(t, o, other)
				if s.Sorted() != tt.sorted {
					t.Errorf("sorted %v", s.Sorted())
				}
				sameLines(t, printed(s.Fleet(), all(t, s)), want)
			}
		})
	}
}

// TestRolesWithoutInventory takes them from the records.
func TestRolesWithoutInventory(t *testing.T) {
	for _, ending := range []string{".csv", ".parquet"} {
		dir, _ := written(t, smallFleet())
		only(t, dir, ending)
		os.Remove(filepath.Join(dir, "inventory.csv"))
		os.Remove(filepath.Join(dir, "inventory.parquet"))
		s := open(t, options(t, ""), dir)
		f, _ := fleet.New(smallFleet())
		want := make(map[string]bool)
		for _, d := range f.Drives() {
			want[d.Name] = d.Role == fleet.Parity
		}
		for _, d := range s.Fleet().Drives {
			if (d.Role == study.Parity) != want[d.Name] || d.Kind != study.Unknown {
				t.Fatalf("%+v", d)
			}
		}
	}
}

// TestStudyIsTheSame holds the reductions of one stream and of several, sorted
// and not, against each other.
func TestStudyIsTheSame(t *testing.T) {
	dir, _ := written(t, smallFleet())
	var first string
	for _, workers := range []int{1, 2, 5} {
		o := options(t, "")
		o.Workers = workers
		s := open(t, o, dir)
		var parts []*study.Reduction
		for _, h := range s.Streams(t.Context()) {
			r, err := study.Reduce(h, s.Fleet(), study.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, r)
		}
		r, err := study.Merge(s.Fleet(), parts...)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(r.Accounts, r.Cells, r.Seats, r.Slow)
		if first == "" {
			first = text
		}
		if text != first {
			t.Errorf("with %d workers the reduction is another", workers)
		}
	}
}

func TestCancel(t *testing.T) {
	dir, _ := written(t, smallFleet())
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Open(ctx, []string{dir}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h := s.Streams(ctx)[0]
	cancel()
	var b study.Batch
	if err := h.Next(&b); !errors.Is(err, context.Canceled) || b.Len() > 0 {
		t.Errorf("got %v and %d rows", err, b.Len())
	}
	if _, err := Open(ctx, []string{dir}, DefaultOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestNothingIsLeft looks for temporary files while sorting, after it, and
// after an error in it.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "a.csv", "time,group,drive,latency_us\n7200,g,a,1\n3600,g,a,2\n")
	temp := t.TempDir()
	o := DefaultOptions()
	o.TempDir = temp
	s, err := Open(t.Context(), []string{path}, o)
	if err != nil || s.Sorted() {
		t.Fatalf("%v, sorted", err)
	}
	s.Close()
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	o.TempDir = filepath.Join(temp, "absent")
	if _, err := Open(t.Context(), []string{path}, o); err == nil || !strings.Contains(err.Error(), "name another directory") {
		t.Errorf("got %v", err)
	}
}

func TestProgress(t *testing.T) {
	dir, want := written(t, smallFleet())
	o := options(t, "")
	o.Progress = &Progress{}
	s := open(t, o, dir)
	if phase, rows, done, total := o.Progress.State(); phase != Surveying || rows != int64(len(want)) || done != total || total == 0 {
		t.Errorf("surveyed: %v %d %d %d", phase, rows, done, total)
	}
	all(t, s)
	if phase, rows, done, total := o.Progress.State(); phase != Reading || rows < int64(len(want)) || done != total || total == 0 {
		t.Errorf("read: %v %d %d %d", phase, rows, done, total)
	}
}
