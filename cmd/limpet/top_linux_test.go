package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/ingest/local"
	"github.com/limpet-storage/limpet/live/top"
	"github.com/limpet-storage/limpet/topology"
)

// TestTopThrottled makes one of five real drives slow, and prints the seconds until it is the first
// marked line of top, a suspect, and an incident. The goals are 3 s, 60 s and 5 min.
func TestTopThrottled(t *testing.T) {
	if os.Getenv("LIMPET_TEST_ROOT") == "" {
		t.Skip("makes loop devices and control groups as root: LIMPET_TEST_ROOT=1 runs it (make top-throttled)")
	}
	if _, err := exec.LookPath("fio"); err != nil {
		t.Skip("needs fio")
	}
	dir, recorded := os.Getenv("LIMPET_THROTTLED_DIR"), t.TempDir()
	if dir == "" {
		dir = t.TempDir()
	}
	script := func(what string) {
		t.Helper()
		if out, err := exec.Command("../../examples/throttled.sh", what, dir).CombinedOutput(); err != nil {
			t.Fatalf("throttled.sh %s: %v: %s", what, err, out)
		}
	}
	script("start")
	defer script("stop")
	text, err := os.ReadFile(filepath.Join(dir, "drives.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	system, _, err := topology.Parse("drives.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	o := top.DefaultOptions()
	a := activity.ForDiagnosis(&o.Engine)
	a.System = system
	src, err := local.Open(t.Context(), local.Options{Activity: a, Dir: recorded})
	if err != nil {
		t.Fatal(err)
	}
	model, news := top.New(o), make(chan struct{}, 1)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- model.Follow(ctx, src, news) }()
	quiet := time.Now()
	for range news {
		if time.Since(quiet) > 30*time.Second {
			break
		}
	}
	if f := model.Frame(0); f.Suspects+f.Incidents > 0 {
		t.Errorf("before anything is slow: %v", f.Messages)
	}
	devices, err := os.ReadFile(filepath.Join(dir, "running"))
	if err != nil {
		t.Fatal(err)
	}
	third := strings.TrimPrefix(strings.Fields(strings.Split(string(devices), "\n")[2])[1], "/dev/")
	script("slow")
	slow := time.Now()
	reached := map[string]time.Duration{}
	note := func(what string, is bool) {
		if _, known := reached[what]; is && !known {
			reached[what] = time.Since(slow)
			t.Logf("%s after %.1f s", what, reached[what].Seconds())
		}
	}
	var id string
	for range news {
		f := model.Frame(0)
		l := &f.Lines[0]
		is := strings.HasSuffix(l.Name, third)
		note("the first marked line", is && l.IsMarked())
		note("a suspect", is && l.Level >= top.Suspected)
		note("an incident", is && l.Level == top.Confirmed)
		if id = l.ID; len(reached) == 3 || time.Since(slow) > 10*time.Minute {
			break
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
	for what, goal := range map[string]time.Duration{"the first marked line": 3 * time.Second, "a suspect": time.Minute, "an incident": 5 * time.Minute} {
		if at, ok := reached[what]; !ok || at > goal {
			t.Errorf("%s after %.1f s, the goal is %v", what, at.Seconds(), goal)
		}
	}
	// What was recorded gives the same verdict.
	report := limpetText(t, "diagnose", "--topology", filepath.Join(dir, "drives.yaml"), "--step", "1", recorded)
	if id == "" || !strings.Contains(report, id) {
		t.Errorf("diagnose of what was recorded has no incident %s:\n%s", id, report)
	}
}

// TestThrottledNamesMistakes: the script that makes a drive slow names a wrong command or directory, and
// how it is called.
func TestThrottledNamesMistakes(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"":              "throttled.sh: give a command and a directory; write: throttled.sh start|slow|well|stop DIR\n",
		"slow":          "throttled.sh: give a command and a directory; write: throttled.sh start|slow|well|stop DIR\n",
		"faster " + dir: "throttled.sh: there is no command faster; write: throttled.sh start|slow|well|stop DIR\n",
		"slow " + dir:   "throttled.sh: " + dir + " has no drives that throttled.sh has started; name the directory that was given to throttled.sh start\n",
	} {
		out, err := exec.Command("../../examples/throttled.sh", strings.Fields(args)...).CombinedOutput()
		if err == nil || string(out) != want {
			t.Errorf("throttled.sh %s: %v\n%swant\n%s", args, err, out, want)
		}
	}
}
