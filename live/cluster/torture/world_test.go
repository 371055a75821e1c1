package torture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/live/cluster/plan"
	"github.com/limpet-storage/limpet/topology"
)

// site is eight arrays that are judged apart: what belongs to one hangs on nothing of
// another, and only the names of LUNs are the same.
const site = `
name: torture
servers: fs[1-16]
arrays:
  - names: ddn[1-8]
    servers_per_array: 2
    luns: 00-15
    priority: rotate
    controllers: {a: 1, b: 2}
    devices: sd[b-q]
    peers: array
`

const (
	partitions  = 8
	stepSeconds = 15
	// lateSeconds is for how long a dead ingest node is waited for: longer than any is
	// dead here.
	lateSeconds = 120
)

// scenario is some hours of the site: single LUNs that become slow, a controller that
// fails, a drawer with errors; and LUN 07 of every array becomes slow, which no array
// can see the meaning of.
func scenario(hours float64) *arrays.Scenario {
	s := arrays.Demo(7)
	length := time.Duration(hours * float64(time.Hour))
	s.Topology, s.Interval, s.Shares, s.Compressed, s.Events = []byte(site), stepSeconds*time.Second, nil, nil, nil
	s.End = s.Start.Add(length)
	at := func(share float64) time.Time { return s.Start.Add(time.Duration(share * float64(length))) }
	add := func(from, to float64, m arrays.Mechanism) {
		s.Events = append(s.Events, arrays.Event{From: at(from), To: at(to), Mechanism: m})
	}
	for array := 1; array <= 8; array++ {
		add(0.3, 1, arrays.SlowLUN{LUN: fmt.Sprintf("%d.07", array), Factor: 3})
	}
	add(0.1, 0.6, arrays.SlowLUN{LUN: "1.03", Factor: 4})
	add(0.2, 0.7, arrays.SlowLUN{LUN: "2.11", Factor: 3})
	add(0.35, 1, arrays.SlowLUN{LUN: "5.02", Factor: 5})
	add(0.45, 1, arrays.FailedController{Controller: "ddn3a"})
	add(0.5, 0.9, arrays.SlowLUN{LUN: "8.14", Factor: 4})
	add(0.6, 1, arrays.FailedController{Controller: "ddn6b"})
	return s
}

// world is what lies in a directory: the files of two halves of the servers.
type world struct {
	dir    string
	system *topology.System
	rows   int // at most
}

// halves are the directories of files, one for each ingest node.
var halves = []string{"odd", "even"}

func newWorld(tb testing.TB, hours float64) *world {
	tb.Helper()
	w := &world{dir: tb.TempDir()}
	s := scenario(hours)
	if _, err := s.Write(context.Background(), filepath.Join(w.dir, "all"), nil); err != nil {
		tb.Fatal(err)
	}
	w.rows = int(s.End.Sub(s.Start) / s.Interval)
	files, err := filepath.Glob(filepath.Join(w.dir, "all", simulate.ActivityDir, "*"))
	if err != nil || len(files) == 0 {
		tb.Fatal(files, err)
	}
	for _, half := range halves {
		if err := os.Mkdir(filepath.Join(w.dir, half), 0o755); err != nil {
			tb.Fatal(err)
		}
	}
	for _, file := range files {
		name := filepath.Base(file)
		if err := os.Rename(file, filepath.Join(w.dir, halves[halfOf(name)], name)); err != nil {
			tb.Fatal(err)
		}
	}
	w.system = system()
	return w
}

// halfOf says which ingest node has a file: servers of each array are shared out.
func halfOf(name string) int {
	server, _, _ := strings.Cut(name, "-")
	if digit := server[len(server)-1]; (digit-'0')%2 == 0 {
		return 1
	}
	return 0
}

func system() *topology.System {
	s, _, err := topology.Parse("torture.yaml", []byte(site))
	if err != nil {
		panic(err) // the text above is in order
	}
	return s
}

func terms() plan.Terms {
	return plan.Terms{System: system(), Partitions: partitions, LateSeconds: lateSeconds, Diagnose: engine.DefaultOptions()}
}

// follow reads the files of an ingest node from a time on, to their end.
func follow(ctx context.Context, dir string, after int64) (*activity.Following, error) {
	ask := engine.DefaultOptions()
	o := activity.ForDiagnosis(&ask)
	o.StepSeconds, o.System = stepSeconds, system()
	return activity.Follow(ctx, []string{dir}, o, activity.FollowOptions{After: after, Once: true, Now: time.Now})
}
