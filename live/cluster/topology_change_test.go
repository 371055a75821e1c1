package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
	"github.com/limpet-storage/limpet/lab/simulate/playback"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/bus/bustest"
	"github.com/limpet-storage/limpet/live/cluster/bus/jetstream"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/live/watch"
	"github.com/limpet-storage/limpet/topology"
)

// array returns the line of an array in a site: its number, its servers, its LUNs and their devices.
func array(n, luns int) string {
	return fmt.Sprintf("  - {names: ddn%d, servers: 'fs[%d-%d]', luns: 00-%02d, priority: rotate, controllers: {a: 1, b: 2}, devices: 'sd[b-%c]', peers: array}\n",
		n, 2*n-1, 2*n, luns-1, 'a'+luns)
}

// Three arrays record. The first topology has two of them. The next one lacks LUN 2.11 and has the
// third array.
var (
	builtSite = "servers: fs[1-6]\narrays:\n" + array(1, 12) + array(2, 12) + array(3, 12)
	firstSite = "servers: fs[1-4]\narrays:\n" + array(1, 12) + array(2, 12)
	nextSite  = "servers: fs[1-6]\narrays:\n" + array(1, 12) + array(2, 11) + array(3, 12)
)

func parsed(t *testing.T, text string) *topology.System {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// growing is a set of files that grow. LUNs 1.03 and 2.11 are slow when the topology changes, and 3.04
// becomes slow afterwards.
type growing struct {
	from        string
	start       time.Time
	change, end int64
}

func newGrowing(t *testing.T) *growing {
	t.Helper()
	s := arrays.Demo(3)
	at := func(minutes int) time.Time { return s.Start.Add(time.Duration(minutes) * time.Minute) }
	s.Topology, s.Interval, s.Shares, s.Compressed, s.End = []byte(builtSite), 15*time.Second, nil, nil, at(200)
	s.Events = []arrays.Event{
		{From: at(30), To: at(170), Mechanism: arrays.SlowLUN{LUN: "1.03", Factor: 4}},
		{From: at(30), To: s.End, Mechanism: arrays.SlowLUN{LUN: "2.11", Factor: 4}},
		{From: at(130), To: s.End, Mechanism: arrays.SlowLUN{LUN: "3.04", Factor: 4}},
	}
	dir := t.TempDir()
	if _, err := s.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	return &growing{filepath.Join(dir, simulate.ActivityDir), s.Start, at(100).Unix(), s.End.Unix()}
}

// judged is a running diagnosis: a single process, or a node.
type judged interface {
	Result() *watch.Result
	Ledger() *ledger.Ledger
	SetSystem(*topology.System)
}

// lastRow returns the last row that is complete when all servers have recorded up to a time.
func lastRow(recorded int64) int64 { return recorded/15*15 - 15 }

// live plays the whole test: files grow, the topology changes at one row, and files grow to their end.
func (g *growing) live(t *testing.T, files *playback.Replay, one judged, all ...judged) {
	t.Helper()
	write := func(until int64) {
		if _, err := files.Write(until); err != nil {
			t.Fatal(err)
		}
	}
	reached := func(row int64) func() bool {
		return func() bool {
			return !slices.ContainsFunc(all, func(x judged) bool { return x.Result().To < row || x.Result().Waiting != "" })
		}
	}
	write(g.change)
	await(t, "what was recorded before is judged", reached(lastRow(g.change)))
	next := parsed(t, nextSite)
	if err := one.Result().Accepts(next); err != nil {
		t.Fatal(err)
	}
	one.SetSystem(next)
	await(t, "all go on with the next system", func() bool {
		return !slices.ContainsFunc(all, func(x judged) bool { return len(x.Result().Subject.System.Components) != len(next.Components) })
	})
	write(g.end)
	defer func() {
		if t.Failed() {
			for _, x := range all {
				now := x.Result()
				t.Logf("it stands at %d of %d, waits for %q, with %v", now.To, g.end, now.Waiting, now.Troubles)
			}
		}
	}()
	await(t, "everything is judged", reached(lastRow(g.end)))
}

// events lists the events of a ledger without their numbers, by time.
func events(t *testing.T, l *ledger.Ledger) (list []string) {
	t.Helper()
	all, err := l.Events(context.Background(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		var of struct{ ID string }
		if err := json.Unmarshal(e.Document, &of); err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprint(e.Time, " ", e.Change, " ", of.ID, " ", e.Sentence))
	}
	slices.Sort(list)
	return list
}

// alone returns the events of a single process.
func alone(t *testing.T, g *growing) []string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "alone")
	files, err := playback.Open(g.from, dir)
	if err != nil {
		t.Fatal(err)
	}
	w, err := watch.Open(t.Context(), g.options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	g.live(t, files, w, w)
	stop()
	running.Wait()
	list := events(t, w.Ledger())
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	return list
}

// options returns the options of every process: the first topology, and a short poll.
func (g *growing) options(t *testing.T, dir string) watch.Options {
	t.Helper()
	o := watch.DefaultOptions()
	o.Paths, o.StateDir, o.System, o.StepSeconds = []string{dir}, filepath.Join(t.TempDir(), "state"), parsed(t, firstSite), 15
	o.Alert.QuietBefore, o.Poll = g.start.Unix(), 20*time.Millisecond
	begun := time.Now()
	o.Now = func() time.Time { return time.Unix(g.end, 0).Add(time.Since(begun)) } // the last record is the newest
	o.LateSeconds = 2 * (g.end - g.start.Unix())                                   // no step is late
	return o
}

// changed runs the test on two nodes. The node that reads no files gets the new topology. The events
// must equal those of a single process. A third node joins with the first topology and continues
// with that of the others.
func changed(t *testing.T, b *bus.Bus) {
	t.Helper()
	g := newGrowing(t)
	want := alone(t, g)
	dir := filepath.Join(t.TempDir(), "cluster")
	files, err := playback.Open(g.from, dir)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := joinWith(t, b, "one", []Role{RoleIngest, RoleWorker}, g.options(t, dir))
	two, _ := joinWith(t, b, "two", []Role{RoleWorker}, g.options(t, dir))
	g.live(t, files, two, one, two)
	for _, m := range []*Node{one, two} {
		var got []string
		await(t, "the ledger has it all", func() bool { got = events(t, m.Ledger()); return len(got) >= len(want) })
		if text := strings.Join(got, "\n"); text != strings.Join(want, "\n") {
			t.Errorf("the nodes say\n%s\nand one process\n%s", text, strings.Join(want, "\n"))
		}
	}
	for _, needed := range []string{"no longer in the topology: LUN 2.11", "3.04", "recovering: LUN 1.03"} {
		if !strings.Contains(strings.Join(want, "\n"), needed) {
			t.Errorf("nothing is said of %s: %q", needed, want)
		}
	}
	three, _ := joinWith(t, b, "three", []Role{RoleAPI}, g.options(t, dir))
	await(t, "who comes later shows the next system", func() bool {
		return len(three.Result().Subject.System.Components) == len(parsed(t, nextSite).Components) && three.Result().Waiting == ""
	})
}

// TestChangedTopology: when one node of a running cluster gets a new topology, all nodes continue with
// it, matched by names, as a single process does.
func TestChangedTopology(t *testing.T) {
	t.Parallel()
	changed(t, bus.NewLocal(time.Now, time.Second))
}

// TestChangedTopologyOnNATS is the same on three servers of NATS.
func TestChangedTopologyOnNATS(t *testing.T) {
	t.Parallel()
	_, urls := bustest.Servers(t)
	o := jetstream.DefaultOptions()
	o.URLs, o.Cluster, o.Node = urls, "changed", "test"
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	c, err := jetstream.Connect(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	changed(t, c.Bus)
}
