package arrays

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

var update = flag.Bool("update", false, "write the golden files anew")

// brief is the first minutes of the demonstration, with its controller
// failing in the middle.
func brief(seed uint64) *Scenario {
	s := Demo(seed)
	s.End = s.Start.Add(10 * time.Minute)
	s.Events = []Event{{s.Start.Add(5 * time.Minute), s.End, FailedController{Controller: "ddn2a"}}}
	return s
}

func write(t *testing.T, s *Scenario) (dir string, truth *simulate.Truth) {
	t.Helper()
	dir = t.TempDir()
	truth, err := s.Write(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return dir, truth
}

// contents reads all files under a directory.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSameSeedSameBytes(t *testing.T) {
	first, _ := write(t, brief(1))
	again, _ := write(t, brief(1))
	other, _ := write(t, brief(2))
	a, b, c := contents(t, first), contents(t, again), contents(t, other)
	if len(a) != 11 || len(b) != len(a) {
		t.Fatalf("%d and %d files, want 8 of activity, topology, truth and manifest", len(a), len(b))
	}
	for name, data := range a {
		if !bytes.Equal(data, b[name]) {
			t.Errorf("%s differs between two runs of one seed", name)
		}
		if name != simulate.TopologyFile && bytes.Equal(data, c[name]) {
			t.Errorf("%s is the same for another seed", name)
		}
	}
	for _, name := range []string{"fs1-20260301T000005Z.sa", "fs2-20260301T000005Z.sa.zst"} {
		if a[filepath.Join(simulate.ActivityDir, name)] == nil {
			t.Errorf("no file %s", name)
		}
	}
}

func TestProgress(t *testing.T) {
	var calls, last, total int
	_, err := brief(1).Write(t.Context(), t.TempDir(), func(d, n int) { calls, last, total = calls+1, d, n })
	if err != nil || calls != 242 || last != 242 || total != 242 {
		t.Errorf("%d calls, the last one %d of %d, %v; want 121 for each array", calls, last, total, err)
	}
}

// TestStopLeavesNothing stops a run halfway: a directory that it made is gone,
// and the files of an earlier run are as they were.
func TestStopLeavesNothing(t *testing.T) {
	made := filepath.Join(t.TempDir(), "new")
	before, _ := write(t, brief(1))
	want := contents(t, before)
	for _, dir := range []string{made, before} {
		ctx, stop := context.WithCancel(t.Context())
		_, err := brief(2).Write(ctx, dir, func(done, total int) {
			if done == total/2 {
				stop()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
	}
	if _, err := os.Stat(made); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left behind: %v", made, err)
	}
	got := contents(t, before)
	if len(got) != len(want) {
		t.Errorf("%d files where %d were", len(got), len(want))
	}
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s was changed", name)
		}
	}
}

func TestReplaceEarlierRun(t *testing.T) {
	dir, _ := write(t, brief(1))
	if _, err := brief(2).Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	fresh, _ := write(t, brief(2))
	got, want := contents(t, dir), contents(t, fresh)
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s is not of the later run", name)
		}
	}
}

func TestRefuseOtherData(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, simulate.ActivityDir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, simulate.ActivityDir, "sa15"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := brief(1).Write(t.Context(), dir, nil)
	if err == nil || !strings.Contains(err.Error(), "sa15") {
		t.Errorf("a directory with data of others: %v", err)
	}
	if _, err := brief(1).Write(t.Context(), filepath.Join(dir, simulate.ActivityDir, "sa15"), nil); err == nil {
		t.Error("a file was taken for a directory")
	}
}

func TestTopology(t *testing.T) {
	dir, _ := write(t, brief(1))
	text, err := os.ReadFile(filepath.Join(dir, simulate.TopologyFile))
	if err != nil {
		t.Fatal(err)
	}
	system, warnings, err := topology.Parse(simulate.TopologyFile, text)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, warnings %v", err, warnings)
	}
	if len(system.Components) != 192 || len(system.Groups) != 8 || len(system.LUNs) != 48 || len(system.Controllers) != 4 {
		t.Errorf("%d attachments in %d groups of %d LUNs behind %d controllers, want 192, 8, 48, 4",
			len(system.Components), len(system.Groups), len(system.LUNs), len(system.Controllers))
	}
}

func TestTruthGolden(t *testing.T) {
	r, err := Demo(1).start()
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.truth().YAML()
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", simulate.TruthFile)
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("truth differs from %s (go test -update writes it anew):\n%s", golden, got)
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*Scenario){
		"choose whole seconds":                         func(s *Scenario) { s.Interval = 500 * time.Millisecond },
		"before it starts":                             func(s *Scenario) { s.End = s.Start },
		"before it begins":                             func(s *Scenario) { s.Events[0].To = s.Events[0].From },
		"the setting Drives must be at least 1, not 0": func(s *Scenario) { s.Service.Drives = 0 },
		"describes no component":                       func(s *Scenario) { s.Topology = []byte("name: empty\n") },
		"the storage system has no":                    func(s *Scenario) { s.Events[0].Mechanism = FailedController{Controller: "ddn9a"} },
	} {
		s := Demo(1)
		change(s)
		if _, err := s.start(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	if err := Demo(1).Validate(); err != nil {
		t.Error(err)
	}
}
