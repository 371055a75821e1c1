package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// clientWorld simulates a file system of six servers with a drive each, second by second. Clients send
// requests at a rate that wanders, and the requests wait for each other at the drives (M/M/1).
type clientWorld struct {
	system   *topology.System
	schema   table.Schema
	rng      *rand.Rand
	row      *table.Row
	wanders  []float64          // by client: how far its rate is from the usual, as a logarithm
	drives   []float64          // by drive: the same for its latency
	asks     map[string]float64 // by client: factor of its requests
	slower   float64            // factor of the latency of all drives
	capacity float64            // what the drives can serve, as a multiple of the usual rate of all clients
	limit    limitOfDrive       // a drive that waits longer than its peers
}

// limitOfDrive makes the first drive of a system wait five times as long as its peers, from a second on. It
// does a multiple of their work.
type limitOfDrive struct {
	from int64
	work float64
}

const clients = 8

func newClientWorld(t testing.TB, seed uint64) *clientWorld {
	t.Helper()
	return newClientWorldOf(t, seed, "")
}

// newClientWorldOf makes a world whose topology has further lines.
func newClientWorldOf(t testing.TB, seed uint64, lines string) *clientWorld {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte("name: fs\nservers: s[1-6]\ndrives:\n  - devices: sdb\n    peers: all\n"+lines))
	if err != nil {
		t.Fatal(err)
	}
	w := &clientWorld{
		system: s, rng: rand.New(rand.NewPCG(seed, 5)), wanders: make([]float64, clients), drives: make([]float64, len(s.Components)),
		asks: map[string]float64{}, slower: 1, capacity: 1 / 0.65,
		schema: table.Schema{StepSeconds: 1, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await}, Components: len(s.Components), Servers: len(s.Servers)},
	}
	w.row = table.NewRow(w.schema)
	w.row.End = pastStart
	return w
}

// walk moves a value that wanders around 0 with the given deviation, and forgets in ten seconds.
func (w *clientWorld) walk(x *float64, deviation float64) float64 {
	keep := math.Exp(-1.0 / 10)
	*x = keep**x + math.Sqrt(1-keep*keep)*deviation*w.rng.NormFloat64()
	return *x
}

func (w *clientWorld) next() *table.Row {
	w.row.Clear()
	w.row.End++
	sum := 0.0
	var list []table.ClientTraffic
	for i := range clients {
		name := fmt.Sprintf("c%d", i+1)
		rate := math.Exp(w.walk(&w.wanders[i], 0.2))
		if x, ok := w.asks[name]; ok {
			rate *= x
		} else if x, ok := w.asks["all"]; ok {
			rate *= x
		}
		sum += rate / clients
		list = append(list, table.ClientTraffic{Name: name, BytesPerSecond: 1e6 * rate / 6})
	}
	busy := min(sum/w.capacity, 0.95)
	for s := range w.row.Gauges {
		w.row.Heard[s] = true
		w.row.Gauges[s].Clients = list
	}
	for c := range w.system.Components {
		if w.system.Components[c].Kind == topology.Interface {
			continue
		}
		tps, times := 100*sum, 1.0
		if w.limit.from > 0 && w.row.End >= w.limit.from && w.system.Components[c].Server == "s1" {
			tps, times = tps*w.limit.work, 5
		}
		w.row.Values[0][c], w.row.Values[1][c], w.row.Values[2][c] = tps, tps*32, 0
		w.row.Values[3][c] = w.slower * times * 5 / (1 - busy) * math.Exp(w.walk(&w.drives[c], 0.15))
		if len(w.row.Values) > 4 {
			w.row.Values[4][c] = 100 * busy
			if times > 1 {
				w.row.Values[4][c] = 100
			}
			for i := range w.system.Components { // what the drive reads is sent to clients
				if x := &w.system.Components[i]; x.Kind == topology.Interface && x.Server == w.system.Components[c].Server {
					w.row.Values[5][i], w.row.Values[6][i] = 1e4*sum, tps*32*512
				}
			}
		}
	}
	return w.row
}

// noisy returns the incidents of kind noisy neighbour, and all other incidents that blame.
func noisy(e *engine.Engine) (list, others []incident.Incident) {
	for _, in := range e.Summary(incident.BySeverity).Incidents {
		switch {
		case in.Kind == finding.NoisyNeighbour:
			list = append(list, in)
		case !in.Harmless():
			others = append(others, in)
		}
	}
	return list, others
}

func (w *clientWorld) engine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.DefaultOptions(), w.system, w.schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (w *clientWorld) run(e *engine.Engine, seconds int) {
	for range seconds {
		e.Push(w.next())
	}
}

// TestNoisyClient: one of eight clients quadruples its requests in a recording of four minutes. The
// slowness of all drives is an incident that names the client and its share.
func TestNoisyClient(t *testing.T) {
	for seed := range uint64(20) {
		w := newClientWorld(t, seed)
		e := w.engine(t)
		w.run(e, 50)
		w.asks["c3"] = 4
		w.run(e, 160)
		list, others := noisy(e)
		if len(list) != 1 || len(others) > 0 {
			t.Errorf("seed %d: %d incidents, others %+v", seed, len(list), others)
			continue
		}
		in := &list[0]
		i := slices.IndexFunc(in.Evidence, func(v finding.Evidence) bool { return v.Metric == finding.MoreClientBytes })
		if i < 0 || in.Evidence[i].Client != "c3" || in.Evidence[i].Score < 0.6 {
			t.Errorf("seed %d: evidence %+v", seed, in.Evidence)
			continue
		}
		if v := in.Evidence[i]; math.Abs(v.Own/v.Peers-4) > 1.2 {
			t.Errorf("seed %d: %g times the traffic, want 4", seed, v.Own/v.Peers)
		}
		if off := in.Onset.At - pastStart - 50; max(off, -off) > 15 || len(in.Members) != 6 || in.Effect().Times < 1.5 {
			t.Errorf("seed %d: began %d s after the fault, %d members, %g times", seed, off, len(in.Members), in.Effect().Times)
		}
	}
}

// TestNoNoisyClient: what looks like a noisy client and is not names nobody.
func TestNoNoisyClient(t *testing.T) {
	for name, change := range map[string]func(*clientWorld){
		"nothing changes":                         func(*clientWorld) {},
		"all clients ask for more":                func(w *clientWorld) { w.asks["all"] = 1.4 },
		"a client asks for more, nobody waits":    func(w *clientWorld) { w.capacity, w.asks["c3"] = 20, 4 },
		"the drives are slower, no client rises":  func(w *clientWorld) { w.slower = 3 },
		"the drives are slower, some clients end": func(w *clientWorld) { w.slower, w.asks["c1"], w.asks["c2"], w.asks["c5"] = 2, 0, 0, 0 },
		"four clients ask for more":               func(w *clientWorld) { w.asks["c1"], w.asks["c2"], w.asks["c5"], w.asks["c6"] = 2, 2, 2, 2 },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(10) {
				w := newClientWorld(t, seed)
				if name == "a client asks for more, nobody waits" {
					w.capacity = 20
				}
				e := w.engine(t)
				w.run(e, 60)
				change(w)
				w.run(e, 600)
				if list, _ := noisy(e); len(list) > 0 {
					t.Errorf("seed %d: %+v", seed, list[0].Evidence)
				}
			}
		})
	}
}

// TestBurstyClients: clients that begin and end jobs all the time, on drives whose latency changes by
// itself, name nobody once limpet has seen a quarter of an hour of it.
func TestBurstyClients(t *testing.T) {
	hours := 10
	if testing.Short() {
		hours = 3
	}
	for seed := range uint64(hours) {
		w := newClientWorld(t, 100+seed)
		e := w.engine(t)
		working, shared := make([]bool, clients), 0.0
		for second := range 3600 {
			for i := range working {
				if second%20 == 0 && w.rng.IntN(10) == 0 {
					working[i] = !working[i]
				}
				w.asks[fmt.Sprintf("c%d", i+1)] = 0.4
				if working[i] {
					w.asks[fmt.Sprintf("c%d", i+1)] = 1.6
				}
			}
			keep := math.Exp(-1.0 / 60)
			shared = keep*shared + math.Sqrt(1-keep*keep)*0.4*w.rng.NormFloat64()
			w.slower = math.Exp(shared)
			e.Push(w.next())
		}
		list, _ := noisy(e)
		for _, in := range list {
			if in.Onset.At > pastStart+900 {
				t.Errorf("hour %d: %+v", seed, in.Evidence)
			}
		}
	}
}

// TestOverloadedDrive: while a client overloads all drives, one of them waits five times as long as its
// peers. If it does as much work as they do, the client explains the wait. If it does less, or if it
// waited before the client came, it is slow.
func TestOverloadedDrive(t *testing.T) {
	for name, tt := range map[string]struct {
		from, client int
		work         float64
		slow         bool
	}{
		"as much work":      {120, 120, 1.05, false},
		"less work":         {120, 120, 0.85, true},
		"before the client": {20, 200, 1.05, true},
		"without a client":  {120, 0, 1.05, true},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(5) {
				w := newClientWorldOf(t, seed, "interfaces:\n  - servers: s[1-6]\n    names: e0\n")
				w.schema.Metrics = append(w.schema.Metrics, metric.Util, metric.RxByt, metric.TxByt)
				w.row = table.NewRow(w.schema)
				w.row.End = pastStart
				w.limit = limitOfDrive{pastStart + int64(tt.from), tt.work}
				e := w.engine(t)
				for second := range 320 {
					if second == tt.client && second > 0 {
						w.asks["c3"] = 4
					}
					e.Push(w.next())
				}
				list, others := noisy(e)
				slow := slices.ContainsFunc(others, func(in incident.Incident) bool { return in.Kind == finding.DiskBusy && in.Place.Name == "s1" })
				if (len(list) > 0) != (tt.client > 0) || slow != tt.slow {
					t.Errorf("seed %d: %d noisy clients, slow %v, want %v: %+v", seed, len(list), slow, tt.slow, others)
				}
			}
		})
	}
}

// TestNoisyClientOfDays: an array becomes slower over hours, too slowly for the comparison with the
// last hour, while a client asks for more and more. The comparison with the past of days names it.
func TestNoisyClientOfDays(t *testing.T) {
	w := newPastWorld(t, twoArrays, 13)
	e := w.engine(t)
	push := func(rows int, asks func(row int) float64) {
		for i := range rows {
			row := w.next()
			for s := range row.Gauges {
				row.Gauges[s].Clients = nil
				for c := range clients {
					x := table.ClientTraffic{Name: fmt.Sprintf("c%d", c+1), BytesPerSecond: 1e6 * math.Exp(0.2*w.rng.NormFloat64())}
					if c == 4 {
						x.BytesPerSecond *= asks(i)
					}
					row.Gauges[s].Clients = append(row.Gauges[s].Clients, x)
				}
			}
			e.Push(row)
		}
	}
	push(4*pastDay, func(int) float64 { return 1 })
	push(pastDay/2, func(row int) float64 {
		part := min(float64(row)/(pastDay/4), 1)
		w.slow["ddn1"] = math.Pow(2.4, part)
		return math.Pow(5, part)
	})
	list := pastIncidents(e)
	if len(list) != 1 || list[0].Kind != finding.NoisyNeighbour {
		t.Fatalf("%d incidents: %+v", len(list), list)
	}
	at := func(name string) int {
		return slices.IndexFunc(list[0].Evidence, func(v finding.Evidence) bool { return v.Metric == name })
	}
	if i := at(finding.MoreClientBytes); i < 0 || list[0].Evidence[i].Client != "c5" || list[0].Evidence[i].Score < 0.8 || list[0].Evidence[max(at(finding.PastTime), 0)].Unit != "d" {
		t.Errorf("%+v", list[0].Evidence)
	}
}

// TestNoisyClientEnds: when the client stops, the incident recovers, and when it returns, the same
// incident is active again.
func TestNoisyClientEnds(t *testing.T) {
	w := newClientWorld(t, 3)
	e := w.engine(t)
	w.run(e, 300)
	w.asks["c7"] = 5
	w.run(e, 300)
	delete(w.asks, "c7")
	w.run(e, 1800)
	list, _ := noisy(e)
	if len(list) != 1 || list[0].Phase != incident.Recovering {
		t.Fatalf("%+v", list)
	}
	w.asks["c7"] = 5
	w.run(e, 300)
	if list, _ = noisy(e); len(list) != 1 || list[0].Phase != incident.Active {
		t.Errorf("%+v", list)
	}
}

// TestNoisyClientCut: a state that is saved and restored between two rows leads to the same incident.
func TestNoisyClientCut(t *testing.T) {
	for _, at := range []int{3, 58, 83, 140} {
		var saved [2][]byte
		for i := range saved {
			w := newClientWorld(t, 1)
			e := w.engine(t)
			for second := range 250 {
				if second == 60 {
					w.asks["c3"] = 4
				}
				if i == 1 && second == at {
					b, err := e.Save()
					if err != nil {
						t.Fatal(err)
					}
					if e, err = engine.Restore(b, engine.DefaultOptions(), w.system, w.schema, nil, engine.NoListener{}); err != nil {
						t.Fatal(err)
					}
				}
				e.Push(w.next())
			}
			b, err := e.Save()
			if list, _ := noisy(e); err != nil || len(list) != 1 {
				t.Fatalf("%v, %d incidents", err, len(list))
			}
			saved[i] = b
		}
		if !bytes.Equal(saved[0], saved[1]) {
			t.Errorf("a cut after %d s changes the state", at)
		}
	}
}

// TestNoisyClientAtOneDrive: a noisy client overloads one drive of six, because the drives have the same
// limit and the queue gathers at one of them. The client is named although most drives are as quick as
// before, and the drive is not blamed.
func TestNoisyClientAtOneDrive(t *testing.T) {
	for seed := range uint64(10) {
		w := newClientWorldOf(t, seed, "interfaces:\n  - servers: s[1-6]\n    names: e0\n")
		w.schema.Metrics = append(w.schema.Metrics, metric.Util, metric.RxByt, metric.TxByt)
		w.row = table.NewRow(w.schema)
		w.row.End = pastStart
		w.capacity = 20
		e := w.engine(t)
		w.run(e, 100)
		w.asks["c3"], w.limit = 4, limitOfDrive{w.row.End, 1}
		w.run(e, 200)
		list, others := noisy(e)
		if len(list) != 1 || len(others) > 0 {
			t.Errorf("seed %d: %d noisy clients, others %+v", seed, len(list), others)
		}
	}
}

// TestSlowDriveBeforeNoisyClient: a slow drive that no client explains counts as usual after some
// minutes, so it does not hide a client that makes all drives slower half an hour later.
func TestSlowDriveBeforeNoisyClient(t *testing.T) {
	for seed := range uint64(5) {
		w := newClientWorld(t, seed)
		e := w.engine(t)
		w.run(e, 300)
		w.limit = limitOfDrive{w.row.End, 1}
		w.run(e, 1800)
		if list, _ := noisy(e); len(list) > 0 {
			t.Errorf("seed %d: a client is blamed for a slow drive: %+v", seed, list[0].Evidence)
		}
		w.asks["c3"] = 4
		w.run(e, 160)
		if list, _ := noisy(e); len(list) != 1 {
			t.Errorf("seed %d: %d noisy clients", seed, len(list))
		}
	}
}
