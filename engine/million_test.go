package engine

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

var (
	million = flag.Int("million", 0, "components of a system that is judged as if it were live; 0: none")
	peers   = flag.Int("peers", 12, "of each: members of a peer group")
)

// perServer is the number of drives per server.
const perServer = 12

// fleetOf returns a system of a number of drives in groups of a size.
func fleetOf(tb testing.TB, components, group int) *topology.System {
	tb.Helper()
	servers := components / perServer
	var b strings.Builder
	fmt.Fprintf(&b, "servers: s[1-%d]\ndrives:\n", servers)
	if group <= perServer {
		fmt.Fprintf(&b, "  - {devices: 'sd[a-l]', peers: server}\n")
	} else {
		each := max(group/perServer, 1)
		for from, n := 1, 1; from <= servers; from, n = from+each, n+1 {
			fmt.Fprintf(&b, "  - {servers: 's[%d-%d]', devices: 'sd[a-l]', models: M%d, peers: model}\n", from, min(from+each-1, servers), n)
		}
	}
	s, _, err := topology.Parse("fleet.yaml", []byte(b.String()))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// someRows returns rows of drives with load, a few of which are slow.
func someRows(schema table.Schema, n int) []*table.Row {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([]*table.Row, n)
	for i := range rows {
		r := table.NewRow(schema)
		for s := range r.Heard {
			r.Heard[s] = true
		}
		for c := range schema.Components {
			slow := 1.0
			if c%5000 == 17 {
				slow = 4
			}
			r.Values[0][c], r.Values[1][c] = 40+20*rng.Float64(), slow*5*math.Exp(0.2*rng.NormFloat64())
		}
		rows[i] = r
	}
	return rows
}

type unheard struct{ events int }

func (*unheard) Window(*persistence.Window) {}
func (*unheard) List(*List)                 {}
func (n *unheard) Event(*incident.Event)    { n.events++ }

// cpu returns the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMillion measures a live diagnosis of many components: latency and load of each
// every 15 s, windows included.
func TestMillion(t *testing.T) {
	if *million == 0 {
		t.Skip("no -million: make million asks for it")
	}
	const warm, measured = 60, 60
	begun := time.Now()
	system := fleetOf(t, *million, *peers)
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: len(system.Components), Servers: len(system.Servers), Load: 0}
	rows := someRows(schema, 8)
	built := time.Since(begun)
	before := heap()
	heard := &unheard{}
	e, err := New(DefaultOptions(), system, schema, nil, heard)
	if err != nil {
		t.Fatal(err)
	}
	longest := time.Duration(0)
	push := func(from, n int) {
		for i := from; i < from+n; i++ {
			row := rows[i%len(rows)]
			row.End = 1_800_000_000 + int64(i)*15
			begun := time.Now()
			e.Push(row)
			longest = max(longest, time.Since(begun))
		}
	}
	push(0, warm)
	used, wall := cpu(), time.Now()
	push(warm, measured)
	used, passed := cpu()-used, time.Since(wall)
	grown := heap() - before
	steps, each := float64(measured*schema.Components), float64(schema.Components)
	t.Logf("%d components in %d groups of about %d, on %d processors (system and rows made in %v)", schema.Components, len(system.Groups), *peers, runtime.GOMAXPROCS(0), built.Round(time.Millisecond))
	t.Logf("CPU %.3f s a row, %.0f ns a component-step; wall %.3f s a row, %.1f s the longest, in which windows end: %.1f times real time by the wall, %.1f times on two processors by CPU",
		used.Seconds()/measured, float64(used.Nanoseconds())/steps, passed.Seconds()/measured, longest.Seconds(), 15*measured/passed.Seconds(), 2*15*measured/used.Seconds())
	t.Logf("memory %.0f bytes a component; %d events", float64(grown)/each, heard.events)

	used = cpu()
	state, err := e.Save()
	if err != nil {
		t.Fatal(err)
	}
	saved := cpu() - used
	runtime.KeepAlive(e)
	e, used = nil, cpu()
	if e, err = Restore(state, DefaultOptions(), system, schema, nil, heard); err != nil {
		t.Fatal(err)
	}
	restored := cpu() - used
	again, err := e.Save()
	if err != nil || !bytes.Equal(again, state) {
		t.Errorf("a state that was restored is saved as another: %d bytes, %d before, %v", len(again), len(state), err)
	}
	t.Logf("state %.0f bytes a component, saved in %.1f s of CPU, restored in %.1f", float64(len(state))/each, saved.Seconds(), restored.Seconds())
}
