package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// Four arrays with two controllers, four servers and sixteen LUNs each: every LUN has
// four paths, and each server is the first path of four LUNs.
const site = `
servers: fs[1-16]
arrays:
  - names: ddn[1-4]
    servers_per_array: 4
    luns: 0-15
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-q]
`

// world simulates the measurements of such a site, by attachment. Load goes to the first
// path that can serve.
type world struct {
	system *topology.System
	schema table.Schema
	rng    *rand.Rand
	order  []int // components, those of the first priority first

	gone   map[string]bool    // attachments, servers, controllers: their devices are missing
	unused map[string]bool    // likewise: they are there, and nothing goes that way
	silent map[string]bool    // servers
	slow   map[string]float64 // LUNs, attachments, arrays, controllers, servers: factor of await
	busier map[string]float64 // LUNs: factor of load
	stall  map[string]float64 // LUNs, arrays: await in ms
	work   map[string]bool    // servers that read 1/s through all they have
	idle   bool

	names namesOf
}

// namesOf has, for the components of a system, what a step needs, so that it looks up no names.
type namesOf struct {
	system     *topology.System
	components map[string][]int // by name of a component, LUN, server and so on: its components
	lun        []int            // by component: number of its LUN; -1 without LUN
	rows       int              // number of measured steps
	served     []int            // by LUN: number of the last step in which a path served it
	gone       []bool           // by component, as the fields of world that have these names
	unused     []bool
	slow       []float64
	busier     []float64
	stall      []float64
}

const (
	step = 15
	hour = 3600 / step
	// shift is from one window to the next, in seconds.
	shift = 450
	// start is a whole number of windows since the epoch.
	start = 1_300_000_500 / 450 * 450
)

func newWorld(t testing.TB, yaml string, seed uint64) *world {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{system: s, rng: rand.New(rand.NewPCG(seed, 7))}
	w.schema = table.Schema{
		StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await},
		Components: len(s.Components), Servers: len(s.Servers),
	}
	for i := range s.Components {
		w.order = append(w.order, i)
	}
	slices.SortStableFunc(w.order, func(a, b int) int { return s.Components[a].Priority - s.Components[b].Priority })
	w.calm()
	return w
}

// calm removes all faults.
func (w *world) calm() {
	w.gone, w.unused, w.silent, w.work = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	w.slow, w.busier, w.stall = map[string]float64{}, map[string]float64{}, map[string]float64{}
	w.idle = false
}

// under returns the names that stand for a component.
func under(c *topology.Component) []string {
	return []string{c.Name, c.LUN, c.Server, c.Controller, c.Array, c.Model, c.Slot}
}

func hit[T comparable](set map[string]T, c *topology.Component) (found T) {
	for _, name := range under(c) {
		if v, ok := set[name]; ok && name != "" {
			return v
		}
	}
	return found
}

// find sets the values of a set by component.
func find[T comparable](w *world, set map[string]T, values []T) {
	clear(values)
	for name := range set {
		for _, i := range w.names.components[name] {
			values[i] = hit(set, &w.system.Components[i])
		}
	}
}

// findNames prepares the names of the system, which some tests replace.
func (w *world) findNames() {
	n, all := &w.names, len(w.system.Components)
	if n.system != w.system {
		*n = namesOf{
			system: w.system, components: map[string][]int{}, lun: make([]int, all),
			gone: make([]bool, all), unused: make([]bool, all), slow: make([]float64, all), busier: make([]float64, all), stall: make([]float64, all),
		}
		luns := map[string]int{}
		for i := range w.system.Components {
			c := &w.system.Components[i]
			for _, name := range under(c) {
				n.components[name] = append(n.components[name], i)
			}
			n.lun[i] = -1
			if c.LUN != "" {
				if _, ok := luns[c.LUN]; !ok {
					luns[c.LUN] = len(luns)
				}
				n.lun[i] = luns[c.LUN]
			}
		}
		n.served = make([]int, len(luns))
	}
	n.rows++
	find(w, w.gone, n.gone)
	find(w, w.unused, n.unused)
	find(w, w.slow, n.slow)
	find(w, w.busier, n.busier)
	find(w, w.stall, n.stall)
}

// row measures a step.
func (w *world) row(row *table.Row, end int64) {
	row.Clear()
	row.End = end
	for i, s := range w.system.Servers {
		row.Heard[i] = !w.silent[s]
	}
	w.findNames()
	n := &w.names
	burst := math.Exp(0.3 * w.rng.NormFloat64()) // the same for all: jobs are striped
	for _, i := range w.order {
		if n.gone[i] || len(w.silent) > 0 && w.silent[w.system.Components[i].Server] {
			continue
		}
		load, lun := 0.0, n.lun[i]
		if !n.unused[i] && !w.idle && (lun < 0 || n.served[lun] != n.rows) {
			if lun >= 0 {
				n.served[lun] = n.rows
			}
			load = 30 * burst * (1 + 0.1*w.rng.NormFloat64()) * max(n.busier[i], 1)
		}
		w.measure(row, i, load)
	}
}

func (w *world) measure(row *table.Row, i int, load float64) {
	sectors := load * 256
	if c := &w.system.Components[i]; len(w.work) > 0 && w.work[c.Server] && c.Priority > 1 {
		load, sectors = load+1, sectors+8
	}
	await := 0.0
	if load > 0 {
		await = 10 * math.Exp(0.15*w.rng.NormFloat64()) * max(w.names.slow[i], 1)
		if f := w.names.busier[i]; f > 1 {
			await *= f
		}
		await = max(await, w.names.stall[i])
	}
	row.Values[0][i], row.Values[1][i], row.Values[2][i], row.Values[3][i] = load, sectors/2, sectors/2, await
}

// act is something that happens at a step.
type act struct {
	at   int
	does func(*world)
}

// run simulates a world for some hours and returns its engine.
func (w *world) run(t *testing.T, hours int, acts ...act) *engine.Engine {
	t.Helper()
	l := ledger{}
	e := w.runWith(t, hours, l, nil, acts...)
	l.audit(t, incidents(e))
	return e
}

// ledger keeps the last event of each incident, by its ID.
type ledger map[string]string

func (l ledger) Window(*persistence.Window) {}
func (l ledger) List(*engine.List)          {}
func (l ledger) Event(v *incident.Event)    { l[v.Incident.ID] = outline(v.Incident) }

// audit fails unless the events alone give all incidents, with kinds, places and
// components.
func (l ledger) audit(t *testing.T, list []incident.Incident) {
	t.Helper()
	known := map[string]bool{}
	for i := range list {
		in := &list[i]
		if known[in.ID] = true; l[in.ID] != outline(in) {
			t.Errorf("incident %s is %s, and was told as %s", in.ID, outline(in), l[in.ID])
		}
	}
	for id, heard := range l {
		if !known[id] && !strings.HasPrefix(heard, string(incident.Cleared)) {
			t.Errorf("incident %s was told as %s, and is not listed", id, heard)
		}
	}
}

func outline(in *incident.Incident) string {
	var odd []int
	for i := range in.Members {
		if in.Members[i].Odd {
			odd = append(odd, in.Members[i].Component)
		}
	}
	slices.Sort(odd)
	return fmt.Sprintf("%s %s %s %v", in.Phase, in.Kind, in.Place.Name, odd)
}

// runWith runs a world with a listener, and calls a function after each window.
func (w *world) runWith(t *testing.T, hours int, l engine.Listener, each func(*engine.Engine, int64), acts ...act) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.DefaultOptions(), w.system, w.schema, nil, l)
	if err != nil {
		t.Fatal(err)
	}
	w.drive(e, 0, hours*hour, each, acts...)
	return e
}

// drive pushes some steps of a world into an engine.
func (w *world) drive(e *engine.Engine, from, to int, each func(*engine.Engine, int64), acts ...act) {
	row := table.NewRow(w.schema)
	for n := from; n < to; n++ {
		for _, a := range acts {
			if a.at == n {
				a.does(w)
			}
		}
		w.row(row, start+int64(n+1)*step)
		e.Push(row)
		if each != nil && row.End%shift == 0 {
			each(e, row.End)
		}
	}
}

// incidents returns the incidents of an engine in the default order.
func incidents(e *engine.Engine) []incident.Incident { return e.Summary(incident.Combined).Incidents }

// tell prints incidents as "kind place phase", with the number of spans if there were
// several.
func tell(list []incident.Incident) string {
	var lines []string
	for i := range list {
		in := &list[i]
		line := fmt.Sprintf("%s %s %s", in.Kind, in.Place.Name, in.Phase)
		if len(in.Spans) > 1 {
			line += fmt.Sprintf(" x%d", len(in.Spans))
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// order returns an operator's command about all components that a name stands for.
func order(s *topology.System, at int64, verb command.Verb, name string) *command.Command {
	c := &command.Command{Time: at, Verb: verb, Name: name}
	for _, i := range s.Match(name) {
		c.Components = append(c.Components, s.Components[i].Name)
	}
	return c
}
