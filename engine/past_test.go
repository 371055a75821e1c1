package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// pastWorld simulates drives with a daily course of load. Requests wait for each other, and each day
// differs from the others by a few percent.
type pastWorld struct {
	system *topology.System
	schema table.Schema
	rng    *rand.Rand
	row    *table.Row
	wander []float64          // by component: how much slower the present day is, as a logarithm
	slow   map[string]float64 // components, servers, arrays: factor of await
	busier map[string]float64 // components: factor of load
	large  map[string]float64 // components: factor of the size of a request
}

const (
	pastStep  = 60
	pastDay   = 86400 / pastStep
	pastStart = 1_767_225_600 // midnight
)

func newPastWorld(t testing.TB, yaml string, seed uint64) *pastWorld {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	w := &pastWorld{system: s, rng: rand.New(rand.NewPCG(seed, 0)), wander: make([]float64, len(s.Components)), slow: map[string]float64{}, busier: map[string]float64{}, large: map[string]float64{}}
	w.schema = table.Schema{
		StepSeconds: pastStep, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await}, Components: len(s.Components), Servers: len(s.Servers), Load: 0,
	}
	w.row = table.NewRow(w.schema)
	w.row.End = pastStart
	return w
}

func factor(m map[string]float64, c *topology.Component) float64 {
	f := 1.0
	for _, name := range []string{c.Name, c.LUN, c.Server, c.Array} {
		if x, ok := m[name]; ok && name != "" {
			f *= x
		}
	}
	return f
}

// next returns the next row.
func (w *pastWorld) next() *table.Row {
	if w.row.End%86400 == 0 {
		for c := range w.wander {
			w.wander[c] = 0.03 * w.rng.NormFloat64()
		}
	}
	w.row.End += pastStep
	hour := float64(w.row.End%86400) / 3600
	for i := range w.system.Components {
		c := &w.system.Components[i]
		if c.Priority > 1 {
			for m := range w.row.Values {
				w.row.Values[m][i] = 0
			}
			continue
		}
		tps := 100 * (1 + 0.6*math.Sin((hour-9)/24*2*math.Pi)) * math.Exp(0.2*w.rng.NormFloat64()) * factor(w.busier, c)
		large := factor(w.large, c)
		w.row.Values[0][i], w.row.Values[1][i], w.row.Values[2][i] = tps, tps*large*16, tps*large*16
		w.row.Values[3][i] = 2 * math.Sqrt(large) / (1 - min(tps/1000, 0.9)) * math.Exp(w.wander[i]+0.1*w.rng.NormFloat64()) * factor(w.slow, c)
	}
	for i := range w.row.Heard {
		w.row.Heard[i] = true
	}
	return w.row
}

func (w *pastWorld) engine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.DefaultOptions(), w.system, w.schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (w *pastWorld) run(e *engine.Engine, steps int) {
	for range steps {
		e.Push(w.next())
	}
}

// pastIncidents returns the incidents of class past.
func pastIncidents(e *engine.Engine) (list []incident.Incident) {
	for _, in := range e.Summary(incident.BySeverity).Incidents {
		if in.Class == finding.Past {
			list = append(list, in)
		}
	}
	return list
}

const oneDrive = `
servers: web1
drives:
  - servers: web1
    devices: nvme0n1
`

const mirror = `
servers: web1
drives:
  - servers: web1
    devices: nvme[0-1]n1
`

// TestSlowerThanBefore: a drive without peers that becomes slower is an incident within a day, with
// the right onset and effect.
func TestSlowerThanBefore(t *testing.T) {
	for _, times := range []float64{1.5, 3} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			w := newPastWorld(t, oneDrive, 1)
			e := w.engine(t)
			w.run(e, 5*pastDay+pastDay/2)
			if list := pastIncidents(e); len(list) > 0 {
				t.Fatalf("a healthy drive has an incident: %+v", list[0])
			}
			onset := w.row.End
			w.slow["web1/nvme0n1"] = times
			w.run(e, pastDay/2)
			list := pastIncidents(e)
			if len(list) != 1 {
				t.Fatalf("%d incidents, want 1", len(list))
			}
			in := list[0]
			if in.Kind != finding.SlowerThanBefore || in.Place != (blame.Place{Tier: blame.Drive, Name: "web1/nvme0n1"}) {
				t.Errorf("%s at %v", in.Kind, in.Place)
			}
			if in.Onset.Early > onset || in.Onset.Late < onset {
				t.Errorf("onset between %d and %d, want %d", in.Onset.Early-onset, in.Onset.Late-onset, 0)
			}
			if off := in.Effect().Times / times; off < 0.93 || off > 1.07 {
				t.Errorf("%g times slower, want %g", in.Effect().Times, times)
			}
		})
	}
}

// TestOneOfTwo: of two drives, the one that became slower is named. If both became slower, their
// server is named.
func TestOneOfTwo(t *testing.T) {
	for _, tt := range []struct {
		slow  string
		place blame.Place
	}{
		{"web1/nvme0n1", blame.Place{Tier: blame.Drive, Name: "web1/nvme0n1"}},
		{"web1/nvme1n1", blame.Place{Tier: blame.Drive, Name: "web1/nvme1n1"}},
		{"web1", blame.Place{Tier: blame.Server, Name: "web1"}},
	} {
		w := newPastWorld(t, mirror, 2)
		e := w.engine(t)
		w.run(e, 5*pastDay)
		w.slow[tt.slow] = 2
		w.run(e, pastDay/2)
		if list := pastIncidents(e); len(list) != 1 || list[0].Place != tt.place {
			t.Errorf("%s is slow: %d incidents %+v, want one at %v", tt.slow, len(list), list, tt.place)
		}
	}
}

const twoArrays = `
servers: fs[1-4]
arrays:
  - names: ddn[1-2]
    servers_per_array: 2
    luns: 0-11
    priority: rotate
    controllers: {a: 1, b: 2}
    devices: sd[b-m]
`

// TestAllAtOnce: if all LUNs of an array become slower together, the array has one incident, and the
// other array has none. If all arrays become slower, the storage system has one incident, but only
// if its past is a week or longer.
func TestAllAtOnce(t *testing.T) {
	for _, tt := range []struct {
		days  int
		slow  []string
		place blame.Place
		odd   finding.Tally
	}{
		{4, []string{"ddn1"}, blame.Place{Tier: blame.Array, Name: "ddn1"}, finding.Tally{Judged: 12}},
		{8, []string{"ddn1", "ddn2"}, blame.Place{Tier: blame.System, Name: "everything"}, finding.Tally{}},
		{4, []string{"ddn1", "ddn2"}, blame.Place{}, finding.Tally{}},
	} {
		w := newPastWorld(t, twoArrays, 3)
		e := w.engine(t)
		w.run(e, tt.days*pastDay)
		for _, name := range tt.slow {
			w.slow[name] = 2.4
		}
		w.run(e, pastDay/4)
		list := pastIncidents(e)
		if tt.place == (blame.Place{}) {
			if len(list) > 0 {
				t.Errorf("%v after %d days: %+v", tt.slow, tt.days, list)
			}
			continue
		}
		if len(list) != 1 {
			t.Errorf("%v: %d incidents, want 1: %+v", tt.slow, len(list), list)
			continue
		}
		in := list[0]
		if in.Place.Tier != tt.place.Tier || tt.place.Tier != blame.System && in.Place != tt.place || in.Elsewhere != tt.odd {
			t.Errorf("%v: %v, elsewhere %+v", tt.slow, in.Place, in.Elsewhere)
		}
		if off := in.Effect().Times / 2.4; off < 0.93 || off > 1.07 {
			t.Errorf("%v: %g times slower, want 2.4", tt.slow, in.Effect().Times)
		}
	}
}

// TestPeersCanTell: a single slow LUN of many is an incident of class slow, and not of class past.
func TestPeersCanTell(t *testing.T) {
	w := newPastWorld(t, twoArrays, 4)
	e := w.engine(t)
	w.run(e, 3*pastDay)
	w.slow["1.4"] = 3
	w.run(e, pastDay/2)
	if list := pastIncidents(e); len(list) > 0 {
		t.Errorf("%+v", list[0])
	}
	if all := e.Summary(incident.BySeverity).Incidents; len(all) != 1 || all[0].Class != finding.Slow {
		t.Errorf("%d incidents, want one of class slow", len(all))
	}
}

// TestLoadIsNoFault: a drive with a multiple of its load is slower because of the load, and has no
// incident.
func TestLoadIsNoFault(t *testing.T) {
	w := newPastWorld(t, oneDrive, 5)
	e := w.engine(t)
	w.run(e, 4*pastDay)
	w.busier["web1/nvme0n1"] = 1.8
	w.run(e, pastDay)
	if list := slices.DeleteFunc(pastIncidents(e), func(in incident.Incident) bool { return in.Harmless() }); len(list) > 0 {
		t.Errorf("%s, %g times slower", list[0].Kind, list[0].Effect().Times)
	}
}

// TestChangedWorkload: a drive that becomes slower together with its requests is harmless.
func TestChangedWorkload(t *testing.T) {
	w := newPastWorld(t, oneDrive, 6)
	e := w.engine(t)
	w.run(e, 4*pastDay)
	w.large["web1/nvme0n1"] = 8
	w.run(e, pastDay/2)
	list := pastIncidents(e)
	if len(list) != 1 || list[0].Kind != finding.ChangedWorkload || !list[0].Harmless() {
		t.Errorf("%d incidents %+v, want one of kind changed workload", len(list), list)
	}
}

// TestNoisyNeighbour: LUNs of an array that become slower when one LUN or one server gets many more
// requests are an incident that names it. More requests to all of them at the same time name nobody.
func TestNoisyNeighbour(t *testing.T) {
	for _, tt := range []struct {
		name   string
		busier map[string]float64
		kind   finding.Kind
		metric string
	}{
		{"a LUN", map[string]float64{"1.4": 6}, finding.NoisyNeighbour, finding.MoreRequests},
		{"a server", map[string]float64{"fs1": 2.2}, finding.NoisyNeighbour, finding.MoreServerRequests},
		{"all", map[string]float64{"ddn1": 1.7}, finding.SlowerThanBefore, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newPastWorld(t, twoArrays, 13)
			e := w.engine(t)
			w.run(e, 4*pastDay)
			w.slow["ddn1"] = 2.4
			w.busier = tt.busier
			w.run(e, pastDay/4)
			list := pastIncidents(e)
			if len(list) != 1 || list[0].Kind != tt.kind {
				t.Fatalf("%d incidents, want one of kind %s: %+v", len(list), tt.kind, list)
			}
			i := slices.IndexFunc(list[0].Evidence, func(v finding.Evidence) bool { return v.Scale == finding.ShareOfRise })
			if tt.metric == "" {
				if i >= 0 {
					t.Errorf("named %+v", list[0].Evidence[i])
				}
				return
			}
			if i < 0 || list[0].Evidence[i].Metric != tt.metric {
				t.Fatalf("evidence %+v, want %s", list[0].Evidence, tt.metric)
			}
			n := list[0].Evidence[i]
			c := &w.system.Components[n.Component]
			want := factor(tt.busier, c)
			if off := n.Own / n.Peers / want; off < 0.8 || off > 1.25 || want == 1 || n.Score < 0.6 {
				t.Errorf("%s has %g times its requests, %g of the additional ones; it has %g times", c.Name, n.Own/n.Peers, n.Score, want)
			}
		})
	}
}

// TestAccept: after an operator accepts the present speed, the incident is over, and the past starts
// again.
func TestAccept(t *testing.T) {
	w := newPastWorld(t, oneDrive, 7)
	e := w.engine(t)
	w.run(e, 4*pastDay)
	w.slow["web1/nvme0n1"] = 2
	w.run(e, pastDay/2)
	if list := pastIncidents(e); len(list) != 1 || list[0].Phase != incident.Active {
		t.Fatalf("%d incidents", len(list))
	}
	e.Apply(&command.Command{Time: w.row.End, Verb: command.Accept, Name: "web1/nvme0n1", Components: []string{"web1/nvme0n1"}})
	w.run(e, 3*pastDay)
	if list := pastIncidents(e); len(list) != 1 || list[0].Phase != incident.Cleared || list[0].Ending != incident.Resolved {
		t.Errorf("%+v", list)
	}
	w.slow["web1/nvme0n1"] = 5
	w.run(e, pastDay/2)
	if list := pastIncidents(e); len(list) != 1 || list[0].Phase != incident.Active || list[0].Effect().Times > 2.9 {
		t.Errorf("after two and a half times more: %+v", list)
	}
}

// TestPastSaved: a diagnosis that is saved and restored after each hour has the same incident.
func TestPastSaved(t *testing.T) {
	a, b := newPastWorld(t, mirror, 8), newPastWorld(t, mirror, 8)
	one, cut := a.engine(t), b.engine(t)
	for i := range 5 * 24 {
		if i == 4*24 {
			a.slow["web1/nvme0n1"], b.slow["web1/nvme0n1"] = 1.7, 1.7
		}
		a.run(one, 60)
		b.run(cut, 60)
		data, err := cut.Save()
		if err != nil {
			t.Fatal(err)
		}
		if cut, err = engine.Restore(data, engine.DefaultOptions(), b.system, b.schema, nil, engine.NoListener{}); err != nil {
			t.Fatal(err)
		}
	}
	x, y := pastIncidents(one), pastIncidents(cut)
	if len(x) != 1 || fmt.Sprint(x) != fmt.Sprint(y) {
		t.Errorf("uncut %+v\ncut %+v", x, y)
	}
}
