package tables

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
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

// The counts were taken with awk.
func TestPerseus(t *testing.T) {
	tests := map[string]struct {
		groups, components, rows    int
		latencies, throughputs      int
		meanLatency, meanThroughput float64
	}{
		"cluster_A": {30, 360, 14 * 720, 3_628_027, 3_627_633, 71.676401, 14629177.995},
		"cluster_B": {94, 1126, 8 * 720, 6_254_333, 6_277_097, 38.634302, 20797916.660},
	}
	if testing.Short() {
		delete(tests, "cluster_B") // 240 MB of 350
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			tables := open(t, perseus(t), 0, unpackArchive(t, shared(t, "data/perseus/"+name+".tar.zst")))
			s, system := tables.Schema(), tables.System()
			if s.StepSeconds != 15 || len(system.Groups) != want.groups || len(system.Components) != want.components {
				t.Errorf("step %d s, %d groups, %d components", s.StepSeconds, len(system.Groups), len(system.Components))
			}
			if w := tables.Warnings(); len(w) > 0 {
				t.Errorf("warnings %v", w)
			}
			rows, counts, sums := total(t, tables)
			if rows != want.rows || counts[0] != want.latencies || counts[1] != want.throughputs {
				t.Errorf("%d rows, %d latencies, %d throughputs; want %+v", rows, counts[0], counts[1], want)
			}
			for m, mean := range []float64{want.meanLatency, want.meanThroughput} {
				if got := sums[m] / float64(counts[m]); got/mean-1 > 1e-8 || got/mean-1 < -1e-8 {
					t.Errorf("mean %s is %v, want %v", s.Metrics[m].Name, got, mean)
				}
			}
		})
	}
}

func total(t *testing.T, tables *Source) (rows int, counts [2]int, sums [2]float64) {
	t.Helper()
	for ; ; rows++ {
		row, err := tables.Next(t.Context())
		if err == io.EOF {
			return rows, counts, sums
		}
		if err != nil {
			t.Fatal(err)
		}
		for m, values := range row.Values {
			for _, v := range values {
				if !table.IsMissing(v) {
					counts[m]++
					sums[m] += v
				}
			}
		}
	}
}
