package torture

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/scrape"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/server/serve"
	"github.com/limpet-storage/limpet/server/serve/config"
)

// childEnv names the directory of a server that is going to be killed.
const childEnv = "LIMPET_KILL_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		child(dir)
	}
	os.Exit(m.Run())
}

// What lies in the directory of a server.
const (
	clockFile    = "clock"
	settingsFile = "settings.json"
	grownDir     = "grows"
	stateDir     = "state"
	intakeDir    = "intake" // below the state
)

// settings are what a server is told beside its directory.
type settings struct {
	Listen   string // where it answers
	Hook     string // URL of who is told
	Endpoint string // that is pulled; empty: nothing is
	Job      string // what pulling it is called
	State    string // directory of the state; empty: below the directory of the server
}

// child serves until it is killed.
func child(dir string) {
	var s settings
	text, err := os.ReadFile(filepath.Join(dir, settingsFile))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil {
		err = run(context.Background(), dir, s)
	}
	fmt.Fprintln(os.Stderr, "the child ends:", err)
	os.Exit(1)
}

func run(ctx context.Context, dir string, s settings) error {
	service, err := serve.Open(ctx, configured(dir, s), options(dir))
	if err != nil {
		return err
	}
	go func() {
		for range time.Tick(10 * time.Millisecond) {
			fmt.Println(service.Rows()) // a sign of life
		}
	}()
	return service.Run(ctx)
}

// options have a clock that stands in a file.
func options(dir string) serve.Options {
	now := func() time.Time {
		data, err := os.ReadFile(filepath.Join(dir, clockFile))
		if err != nil || len(data) != 8 {
			return time.Unix(0, 0)
		}
		return time.Unix(int64(binary.LittleEndian.Uint64(data)), 0)
	}
	return serve.Options{Version: "1.2.3", Now: now, Poll: 10 * time.Millisecond, Report: func(string) {}, Stdout: io.Discard, Stderr: io.Discard}
}

// configured follows files, takes what is pushed, pulls, and tells a webhook. It waits
// for whoever is late: what is lost is lost by kills alone.
func configured(dir string, s settings) config.Config {
	c := config.Default()
	c.Directories, c.State = []string{filepath.Join(dir, grownDir, "activity")}, cmp.Or(s.State, filepath.Join(dir, stateDir))
	c.Topology, c.Listen = filepath.Join(dir, simulate.TopologyFile), s.Listen
	c.Diagnosis.StepSeconds, c.Diagnosis.LateSeconds = stepSeconds, 24*3600
	c.Diagnosis.Options.Criteria.RecoverSeconds, c.Diagnosis.Options.Criteria.OverSeconds = 300, 900
	if s.Endpoint != "" {
		c.Intake.Jobs = []scrape.Job{job(s)}
	}
	c.Alerts.Options.Suspects, c.Alerts.Options.QuietBefore = true, 1
	w := config.Webhook{Receiver: alert.Receiver{Name: "hook"}}
	w.Options.URL = s.Hook
	c.Alerts.To = []config.Receiver{w}
	return c
}

func job(s settings) scrape.Job {
	j := scrape.DefaultJob()
	j.Name, j.Targets, j.Labels = s.Job, []string{s.Endpoint}, map[string]string{"instance": pulledServer}
	j.Interval, j.Timeout = time.Second, time.Second
	return j
}

// setClock sets the clock of a server.
func setClock(tb testing.TB, dir string, at int64) {
	tb.Helper()
	next := filepath.Join(dir, clockFile+".next")
	if err := os.WriteFile(next, binary.LittleEndian.AppendUint64(nil, uint64(at)), 0o600); err != nil {
		tb.Fatal(err)
	}
	if err := os.Rename(next, filepath.Join(dir, clockFile)); err != nil {
		tb.Fatal(err)
	}
}

// start starts a server in a process of its own, which writes how many rows it has judged
// again and again.
func start(tb testing.TB, dir string, rows io.Writer) *exec.Cmd {
	tb.Helper()
	c := exec.Command(os.Args[0])
	// GOGC and GOMEMLIMIT are unset: memory is measured as a user's limpet needs it.
	c.Env = append(os.Environ(), "GOGC=", "GOMEMLIMIT=", childEnv+"="+dir)
	c.Stdout, c.Stderr = rows, os.Stderr
	if err := c.Start(); err != nil {
		tb.Fatal(err)
	}
	return c
}

// kill ends a server as a loss of power would, but for what the disk has.
func kill(tb testing.TB, c *exec.Cmd) {
	tb.Helper()
	if err := c.Process.Kill(); err != nil {
		tb.Fatalf("the child has ended by itself: %v", err)
	}
	_ = c.Wait() // it was killed
}
