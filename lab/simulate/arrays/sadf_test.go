package arrays

import (
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/lab/simulate"
)

// tool runs a program of sysstat on the activity file of a server.
func tool(t *testing.T, path, name string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (package sysstat)", name)
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "FILE", path)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC", "S_TIME_FORMAT=ISO")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func fileOf(t *testing.T, s *Scenario, server string) string {
	t.Helper()
	dir, _ := write(t, s)
	paths, err := filepath.Glob(filepath.Join(dir, simulate.ActivityDir, server+"-*"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("files of %s: %v, %v", server, paths, err)
	}
	return paths[0]
}

// TestSadf holds what sadf computes of a file against what its counters say.
func TestSadf(t *testing.T) {
	path := fileOf(t, brief(1), "fs5")
	out := tool(t, path, "sadf", "-d", "FILE", "--", "-d")
	lines := csv.NewReader(strings.NewReader(strings.TrimPrefix(out, "# ")))
	lines.Comma = ';'
	all, err := lines.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	p := play(t, path)
	if want := 60 * 24; len(all)-1 != want { // until its controller fails
		t.Fatalf("sadf printed %d lines, want %d", len(all)-1, want)
	}
	for n, line := range all[1:] {
		record, device := 1+n/24, "sd"+string(rune('a'+n%24))
		a, b := counted(p.disks[record][device]), counted(p.disks[record-1][device])
		work, _ := a.Since(&b)
		values := work.Values(5)
		// tps, kB of reads and writes, size in kB, queue, await, %util
		want := []float64{values[0], values[1] / 2, values[2] / 2, 0, values[3] / 2, values[4], values[5], values[7]}
		for i, text := range line[4:] {
			got, err := strconv.ParseFloat(text, 64)
			if err != nil || math.Abs(got-want[i]) > 0.0051 {
				t.Fatalf("%s at %s: %s is %s, want %.2f (%s)", device, line[2], all[0][4+i], text, want[i], metric.Device()[min(i, 7)].Name)
			}
		}
	}
}

func TestSar(t *testing.T) {
	path := fileOf(t, brief(1), "fs1")
	for _, tt := range []struct {
		args string
		want string
	}{
		{"-d -f FILE", "Average:"},
		{"-u -f FILE", "%iowait"},
		{"-n DEV -f FILE", "eth0"},
		{"-n TCP,ETCP -f FILE", "retrans/s"},
		{"-C -f FILE", "COM dev 8:0=sda"},
	} {
		out := tool(t, path, "sar", strings.Fields(tt.args)...)
		if !strings.Contains(out, tt.want) || !strings.Contains(out, "(fs1)") {
			t.Errorf("sar %s does not print %q:\n%.400s", tt.args, tt.want, out)
		}
	}
}

// TestSarOfIntrepid lets sysstat's own tools read the files of a server that
// goes down and comes back: every interval of every device, and the restart.
func TestSarOfIntrepid(t *testing.T) {
	s := small(t, midway(ServerDown{"fs16"})...)
	dir, _ := write(t, s)
	path := func(name string) string { return filepath.Join(dir, simulate.ActivityDir, name) }
	lines := strings.Split(tool(t, path("fs1-20110509T000005Z.sa"), "sadf", "-d", "FILE", "--", "-d"), "\n")
	if want := 1 + 240*24; len(lines)-1 != want {
		t.Errorf("sadf prints %d lines of an hour of fs1, want %d", len(lines)-1, want)
	}
	for name, want := range map[string]string{
		"fs16-20110509T000005Z.sa": "00:19:50",
		"fs16-20110509T004020Z.sa": "LINUX RESTART",
	} {
		out := tool(t, path(name), "sar", "-d", "-f", "FILE")
		if !strings.Contains(out, want) || !strings.Contains(out, "Average:") || strings.Contains(out, "00:20:20") {
			t.Errorf("sar of %s does not print %q:\n%.600s", name, want, out)
		}
	}
}
