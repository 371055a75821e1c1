package testbench_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

var small = testbench.Cluster{FileSystem: testbench.Lustre, Clients: 3, Servers: 4}

func write(t *testing.T, e *testbench.Experiment) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if _, err := e.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestFilesFoldToRows: what is read from the files is what rows have without
// them, whatever the fault and however many clients leave files.
func TestFilesFoldToRows(t *testing.T) {
	clients := []int{0, 1, 2}
	if testing.Short() {
		clients = []int{1}
	}
	for _, fault := range append(testbench.Faults(), testbench.None) {
		for _, watched := range clients {
			t.Run(fmt.Sprintf("%s %d", fault, watched), func(t *testing.T) {
				t.Parallel()
				e := testbench.New(small, testbench.DDR, fault, 7)
				e.Watched = watched
				foldsToRows(t, e)
			})
		}
	}
	for _, fault := range []testbench.Fault{testbench.WriteNetworkHog, testbench.ReadNetworkHog} {
		t.Run("several of "+string(fault), func(t *testing.T) {
			t.Parallel()
			foldsToRows(t, manyHogs(fault))
		})
	}
}

// TestUnkindFilesFoldToRows: the same of what F10 had not: sockets between
// servers, and files of GlusterFS.
func TestUnkindFilesFoldToRows(t *testing.T) {
	for seed, c := range []testbench.Cluster{testbench.UnkindClusters()[0], testbench.UnkindClusters()[0], small} {
		for i, w := range []testbench.Workload{testbench.DDR, testbench.PostMark} {
			if testing.Short() && (seed+i)%2 == 1 {
				continue // each cluster and each workload is left
			}
			t.Run(fmt.Sprintf("%s %s %d", c, w, seed), func(t *testing.T) {
				t.Parallel()
				e := testbench.New(c, w, testbench.SendLoss, uint64(seed))
				e.DrawConditions()
				foldsToRows(t, e)
			})
		}
	}
}

// manyHogs has three third parties on each of two servers.
func manyHogs(fault testbench.Fault) *testbench.Experiment {
	e := testbench.New(testbench.Cluster{FileSystem: testbench.PVFS, Clients: 3, Servers: 6}, testbench.DDW, fault, 7)
	e.Faulty, e.Strength, e.Watched = []int{1, 4}, 2.5, 1
	return e
}

func foldsToRows(t *testing.T, e *testbench.Experiment) {
	t.Helper()
	dir := write(t, e)
	text, err := os.ReadFile(filepath.Join(dir, simulate.TopologyFile))
	if err != nil {
		t.Fatal(err)
	}
	system, warnings, err := topology.Parse("topology.yaml", text)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	var names []string
	for _, m := range metric.All() {
		names = append(names, m.Name)
	}
	files, err := activity.Open(t.Context(), []string{filepath.Join(dir, simulate.ActivityDir)}, activity.Options{Metrics: names, System: system, StepSeconds: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	run, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	compareStreams(t, files, run)
	if w := files.Warnings(); len(w) > 0 {
		t.Errorf("warnings about healthy files: %v", w)
	}
}

func compareStreams(t *testing.T, files *activity.Source, run *testbench.Run) {
	t.Helper()
	rows := 0
	for ; ; rows++ {
		got, err := files.Next(t.Context())
		want, wantErr := run.Next()
		if err != nil || wantErr != nil {
			if !errors.Is(err, io.EOF) || !errors.Is(wantErr, io.EOF) {
				t.Fatalf("row %d: files %v, rows %v", rows, err, wantErr)
			}
			break
		}
		for m, what := range run.Schema().Metrics {
			place := metric.Index(files.Schema().Metrics, what.Name)
			for c, w := range want.Values[m] {
				g := got.Values[place][c]
				if math.IsNaN(g) != math.IsNaN(w) || math.Abs(g-w) > 1e-12*math.Abs(w) {
					t.Fatalf("second %d, %s of %s: %v in the files, %v in the rows", rows, what.Name, files.System().Components[c].Name, g, w)
				}
			}
		}
	}
	if rows < 500 {
		t.Errorf("%d rows of a run of ten minutes", rows)
	}
}

// TestSysstatReads: sar and sadf take the files for their own.
func TestSysstatReads(t *testing.T) {
	for _, tool := range []string{"sar", "sadf"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	e := testbench.New(small, testbench.DDW, testbench.DiskHog, 1)
	dir := write(t, e)
	server, client := filepath.Join(dir, "activity", "ios2-20090901T000000Z.sa"), filepath.Join(dir, "activity", "client3-20090901T000000Z.sa")
	for _, tt := range []struct {
		command []string
		want    string
	}{
		{[]string{"sar", "-d", "-f", server}, "dev8-16"},
		{[]string{"sar", "-n", "DEV", "-f", client}, "eth0"},
		{[]string{"sar", "-n", "TCP,ETCP", "-f", server}, "retrans/s"},
		{[]string{"sadf", "-d", server, "--", "-d"}, "ios2;1;"},
		{[]string{"sadf", "-j", client, "--", "-n", "DEV"}, "client3"},
	} {
		out, err := exec.Command(tt.command[0], tt.command[1:]...).CombinedOutput()
		lines := strings.Count(string(out), "\n")
		if err != nil || !strings.Contains(string(out), tt.want) && !strings.Contains(string(out), "sdb") || lines < 600 {
			t.Errorf("%v: %v, %d lines\n%.300s", tt.command, err, lines, out)
		}
	}
}

// TestSameSeedSameRun, and another seed is another run on the same machines.
func TestSameSeedSameRun(t *testing.T) {
	e := testbench.New(small, testbench.PostMark, testbench.None, 5)
	a, b := write(t, e), write(t, e)
	other := *e
	other.Seed++
	c := write(t, &other)
	same := func(x, y string) bool {
		one, err := os.ReadFile(filepath.Join(x, "activity", "ios1-20090901T000000Z.sa"))
		two, err2 := os.ReadFile(filepath.Join(y, "activity", "ios1-20090901T000000Z.sa"))
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		return slices.Equal(one, two)
	}
	if !same(a, b) {
		t.Error("the same seed gave other bytes")
	}
	if same(a, c) {
		t.Error("another seed gave the same bytes")
	}
}

// TestNothingHalfWritten: a run that is stopped leaves no trace.
func TestNothingHalfWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	ctx, stop := context.WithCancel(t.Context())
	e := testbench.New(small, testbench.DDW, testbench.None, 1)
	_, err := e.Write(ctx, dir, func(done, _ int) {
		if done == 100 {
			stop()
		}
	})
	if err == nil || err.Error() != "interrupted" {
		t.Fatalf("error %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", dir, err)
	}
}

func TestValidate(t *testing.T) {
	tests := map[string]struct {
		change func(*testbench.Experiment)
		want   string
	}{
		"file system": {func(e *testbench.Experiment) { e.Cluster.FileSystem = "gpfs" }, `file system "gpfs" is unknown`},
		"no servers":  {func(e *testbench.Experiment) { e.Cluster.Servers = 0 }, "0 servers"},
		"workload":    {func(e *testbench.Experiment) { e.Workload = "fio" }, `workload "fio" is unknown`},
		"fault":       {func(e *testbench.Experiment) { e.Fault = "fire" }, `fault "fire" is unknown`},
		"whom":        {func(e *testbench.Experiment) { e.Faulty = nil }, "hits no server"},
		"which":       {func(e *testbench.Experiment) { e.Faulty = []int{10} }, "server 11 cannot be faulty, because the cluster has only 10 servers"},
		"twice":       {func(e *testbench.Experiment) { e.Faulty = []int{1, 1} }, "server 2 is named twice as faulty"},
		"never":       {func(e *testbench.Experiment) { e.To = e.From }, "choose a later end"},
		"no strength": {func(e *testbench.Experiment) { e.Strength = 0 }, "a strength of 0"},
		"watchers":    {func(e *testbench.Experiment) { e.Watched = 11 }, "11 clients cannot be recorded"},
		"no volumes":  {func(e *testbench.Experiment) { e.Conditions.Volume = testbench.Hashed }, `volume "hashed" does not exist on pvfs`},
		"nothing hot": {func(e *testbench.Experiment) { e.Conditions.HotShare = 0.1 }, "a hot file is not possible on pvfs"},
		"what volume": {func(e *testbench.Experiment) {
			e.Cluster.FileSystem, e.Conditions.Volume = testbench.Gluster, "striped"
		}, `volume "striped" is unknown`},
		"too hot": {func(e *testbench.Experiment) {
			e.Cluster.FileSystem, e.Conditions.HotShare = testbench.Gluster, 0.6
		}, "a share of 0.6"},
		"half a second": {func(e *testbench.Experiment) { e.Start = e.Start.Add(time.Second / 2) }, "choose a whole second"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := testbench.New(testbench.Clusters()[0], testbench.DDW, testbench.DiskBusy, 1)
			if err := e.Validate(); err != nil {
				t.Fatal(err)
			}
			tt.change(e)
			_, err := e.Run()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if _, err := e.Write(t.Context(), filepath.Join(t.TempDir(), "x"), nil); err == nil {
				t.Error("written nevertheless")
			}
		})
	}
}

func TestParseCluster(t *testing.T) {
	for _, c := range append(testbench.Clusters(), small) {
		if got, err := testbench.ParseCluster(c.String()); err != nil || got != c {
			t.Errorf("%s: %v, %v", c, got, err)
		}
	}
	for _, bad := range []string{"", "pvfs", "pvfs-10", "pvfs-10/", "pvfs-x/y", "pvfs-10/10 ", "pvfs-010/10"} {
		if c, err := testbench.ParseCluster(bad); err == nil {
			t.Errorf("%q is %v", bad, c)
		}
	}
}
