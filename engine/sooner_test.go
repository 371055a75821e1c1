package engine_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

var soonerSeeds = flag.Int("sooner.seeds", 5, "seeds of TestSooner")

// TestSooner measures how long after the onset one of twelve drives becomes a suspect,
// and an incident. The logarithm of the latency has noise of 0.3 with a correlation of
// 0.3 from step to step, and the load rises and falls with the hours.
func TestSooner(t *testing.T) {
	minute := func(n float64) time.Duration { return time.Duration(n * float64(time.Minute)) }
	for _, tt := range []struct {
		step           int64
		times          float64
		told, incident time.Duration
	}{
		{15, 100, minute(1), minute(10)},
		{15, 10, minute(1), minute(10)},
		{15, 3, minute(5), minute(45)},
		{15, 2, minute(10), minute(90)},
		{15, 1.5, minute(20), minute(240)},
		{15, 1.2, minute(60), minute(720)},
		{1, 10, minute(0.25), minute(3)},
		{1, 3, minute(0.5), minute(3)},
	} {
		var told, incidents []time.Duration
		for seed := range uint64(*soonerSeeds) {
			a, b := sooner(t, seed, tt.step, tt.times, tt.incident)
			told, incidents = append(told, a), append(incidents, b)
		}
		a, b := middle(told), middle(incidents)
		t.Logf("steps of %d s, %g times slower: a suspect after %v, an incident after %v (medians of %d seeds)", tt.step, tt.times, a, b, *soonerSeeds)
		if a > tt.told || b > tt.incident {
			t.Errorf("steps of %d s, %g times slower: a suspect after %v (%v are allowed), an incident after %v (%v)", tt.step, tt.times, a, tt.told, b, tt.incident)
		}
	}
}

func middle(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// drivesOfOneServer returns a server with drives that are peers.
func drivesOfOneServer(n int) *topology.System {
	s := &topology.System{Servers: []string{"h1"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
	for i := range n {
		s.Components = append(s.Components, topology.Component{Name: fmt.Sprintf("h1/sd%c", 'a'+i), Server: "h1", Group: 1})
		s.Groups[0].Members = append(s.Groups[0].Members, i)
	}
	return s
}

// never stands for a time that did not come.
const never = 1000 * time.Hour

// sooner runs four hours without a fault, and then some hours with a slow drive.
func sooner(t *testing.T, seed uint64, step int64, times float64, most time.Duration) (told, confirmed time.Duration) {
	t.Helper()
	s := drivesOfOneServer(12)
	schema := table.Schema{StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: 12, Sparse: true}
	o := engine.DefaultOptions()
	o.Questions = []engine.Question{engine.Components}
	e, err := engine.New(o, s, schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	const keeps, spread = 0.3, 0.3
	rng, noise, row := rand.New(rand.NewPCG(seed, uint64(times*100))), make([]float64, 12), table.NewRow(schema)
	onset := int64(start + 4*3600 + rng.IntN(900))
	told, confirmed = never, never
	for row.End = start + step; row.End <= onset+int64(most.Seconds())*2; row.End += step {
		day := 1 + 0.3*math.Sin(float64(row.End)/7000)
		for c := range noise {
			noise[c] = keeps*noise[c] + math.Sqrt(1-keeps*keeps)*rng.NormFloat64()
			row.Values[0][c], row.Values[1][c] = 100*day, 5*day*math.Exp(spread*noise[c])
		}
		if row.End > onset {
			row.Values[1][3] *= times
		}
		e.Push(row)
		if row.End%60 != 0 && row.End < onset {
			continue
		}
		sum := e.Summary(incident.Combined)
		for _, x := range sum.Suspects {
			if x.Place.Name == "h1/sdd" {
				told = min(told, time.Duration(row.End-onset)*time.Second)
			}
		}
		if len(sum.Incidents) > 0 {
			if sum.Incidents[0].Place.Name != "h1/sdd" || row.End < onset {
				t.Errorf("seed %d: %s is blamed", seed, sum.Incidents[0].Place.Name)
			}
			confirmed = time.Duration(row.End-onset) * time.Second
			return min(told, confirmed), confirmed
		}
	}
	return told, confirmed
}

// TestThrottled measures how soon one of six drives is reported that is throttled to a hundred
// times its latency. It is served few requests then, and there are only nine minutes of history.
func TestThrottled(t *testing.T) {
	const step, drives, history = 5, 6, 540
	for _, times := range []float64{10, 100} {
		var told, incidents []time.Duration
		for seed := range uint64(*soonerSeeds) {
			a, b := throttled(t, seed, step, drives, history, times)
			told, incidents = append(told, a), append(incidents, b)
		}
		a, b := middle(told), middle(incidents)
		t.Logf("throttled %g times after %d s of history: a suspect after %v, an incident after %v", times, history, a, b)
		if a > time.Minute || b > 3*time.Minute {
			t.Errorf("throttled %g times: a suspect after %v (1m0s is allowed), an incident after %v (3m0s)", times, a, b)
		}
	}
}

// throttled runs some minutes without a fault, and then ten minutes in which one drive takes the
// given number of times as long for a request, and is served as many times fewer requests.
func throttled(t *testing.T, seed uint64, step int64, drives int, history int64, times float64) (told, confirmed time.Duration) {
	t.Helper()
	s := drivesOfOneServer(drives)
	schema := table.Schema{StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.Await, metric.RdSec}, Components: drives}
	e, err := engine.New(engine.DefaultOptions(), s, schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	rng, row := rand.New(rand.NewPCG(seed, uint64(times))), table.NewRow(schema)
	onset := int64(start) + history
	told, confirmed = never, never
	for row.End = start + step; row.End <= onset+600; row.End += step {
		for c := range drives {
			row.Values[0][c], row.Values[1][c] = 200*math.Exp(0.05*rng.NormFloat64()), 2*math.Exp(0.2*rng.NormFloat64())
			if row.End > onset && c == 3 {
				row.Values[0][c], row.Values[1][c] = row.Values[0][c]/times, row.Values[1][c]*times
			}
			row.Values[2][c] = 8 * row.Values[0][c]
		}
		e.Push(row)
		sum, after := e.Summary(incident.Combined), time.Duration(row.End-onset)*time.Second
		for _, x := range sum.Suspects {
			if told == never && x.Place.Name == "h1/sdd" {
				told = after
			}
		}
		if len(sum.Incidents) > 0 {
			if name := sum.Incidents[0].Place.Name; name != "h1/sdd" {
				t.Errorf("seed %d: %s is blamed", seed, name)
			}
			return min(told, after), after
		}
	}
	return told, confirmed
}
