package source

import (
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/study"
)

// shared finds reference data beside the repository, which is no part of it.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	path := filepath.Join(dir, "..", "shared", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("reference data %s are absent", path)
	}
	return path
}

// unpackArchive unpacks into a new directory.
func unpackArchive(t *testing.T, archive string) string {
	t.Helper()
	for _, tool := range []string{"tar", "zstd"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is absent", tool)
		}
	}
	dir := t.TempDir()
	if out, err := exec.Command("tar", "--zstd", "-xf", archive, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	return dir
}

// shares are those of slow drive hours and of tail hours, as few lines tell
// them: a drive is slow at twice the median of three drives or more.
type shares struct {
	driveHours, groupHours int
	slow, tail             float64
}

func measure(t *testing.T, streams []study.Hours) shares {
	t.Helper()
	members := make(map[[2]int32][]float64)
	for _, h := range streams {
		var b study.Batch
		for {
			err := h.Next(&b)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, latency := range b.Latency {
				if latency == latency {
					key := [2]int32{b.Hour[i], b.Group[i]}
					members[key] = append(members[key], float64(latency))
				}
			}
		}
	}
	var s shares
	slow, tails := 0, 0
	for _, m := range members {
		slices.Sort(m)
		n := len(m)
		if n < 3 {
			continue
		}
		median := (m[(n-1)/2] + m[n/2]) / 2
		if median == 0 {
			continue // nothing is a multiple of it
		}
		at, _ := slices.BinarySearch(m, 2*median)
		s.driveHours, s.groupHours = s.driveHours+n, s.groupHours+1
		slow += n - at
		if at < n {
			tails++
		}
	}
	s.slow, s.tail = 100*float64(slow)/float64(s.driveHours), 100*float64(tails)/float64(s.groupHours)
	return s
}

// TestPerseus holds hourly shares of PERSEUS' clusters against those computed
// elsewhere: 0.36 % and 0.09 % of drive hours, 4.3 % and 1.0 % of group hours.
// Records count no requests, so an hour is the plain mean of its records.
//
// Those figures take times for the begin of a record's 15 s. They run from
// 00:00:15 to 03:00:00, so they mark ends, and the last record of a day makes
// an hour of its own; taken as ends there are three hours a day and not four.
// That is how collect takes them, and its rows fold to the same hours.
func TestPerseus(t *testing.T) {
	tests := map[string]struct{ begins, ends shares }{
		"cluster_A": {
			begins: shares{driveHours: 20027, groupHours: 1680, slow: 0.3645, tail: 4.345},
			ends:   shares{driveHours: 15120, groupHours: 1260, slow: 0.4167, tail: 5.000},
		},
		"cluster_B": {
			begins: shares{driveHours: 33921, groupHours: 2925, slow: 0.0855, tail: 0.991},
			ends:   shares{driveHours: 26314, groupHours: 2203, slow: 0.0912, tail: 1.089},
		},
	}
	if testing.Short() {
		t.Skip("reads 110 MB three times; TestStudyPerseus of cmd/limpet compares the same shares of cluster A")
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			dir := unpackArchive(t, shared(t, "data/perseus/"+name+".tar.zst"))
			s := open(t, options(t, perseusYAML), dir)
			if !s.Finer() || s.Sorted() {
				t.Errorf("finer %v, sorted %v", s.Finer(), s.Sorted())
			}
			near(t, measure(t, s.Streams(t.Context())), want.begins)
			if f := s.Faults(); f.Rows+f.Values+f.Repeated > 0 {
				t.Errorf("faults %+v", f)
			}
			ends := strings.Replace(perseusYAML, "format: unix", "format: unix, marks: end", 1)
			s = open(t, options(t, ends), dir)
			near(t, measure(t, s.Streams(t.Context())), want.ends)
			near(t, measure(t, []study.Hours{perseusRows(t, dir)}), want.ends)
		})
	}
}

func near(t *testing.T, got, want shares) {
	t.Helper()
	t.Logf("%d drive hours, %.4f %% slow; %d group hours, %.3f %% with a tail", got.driveHours, got.slow, got.groupHours, got.tail)
	if got.driveHours != want.driveHours || got.groupHours != want.groupHours ||
		math.Abs(got.slow-want.slow) > 0.0001 || math.Abs(got.tail-want.tail) > 0.001 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// perseusRows reads the tree as a diagnosis does.
func perseusRows(t *testing.T, dir string) study.Hours {
	t.Helper()
	d, err := tables.ParseDescription("perseus.yaml", []byte(`
files: "{cluster}/{host}/*.csv"
time: {column: ts, format: unix}
component: "{host}/{disk_id}"
group: "{host}"
server: "{host}"
metrics:
  latency: {unit: us, worse: higher, mean: time}
`))
	if err != nil {
		t.Fatal(err)
	}
	src, err := tables.Open(t.Context(), d, []string{dir}, tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	rows, err := Fold(ingest.Stream(t.Context(), src), src.System(), StepsOptions{Group: byServer, Latency: "latency", Kind: study.SSD})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
