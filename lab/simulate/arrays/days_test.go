package arrays

import (
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// TestIntrepidDays wants of any day what L13 tells: idle hours, light ones and
// heavy ones, jobs that come and go.
func TestIntrepidDays(t *testing.T) {
	for seed := range uint64(10) {
		o := DefaultIntrepidOptions()
		o.Seed, o.Days = seed, 3
		s, err := Intrepid(o)
		if err != nil {
			t.Fatal(err)
		}
		l := newLoad(s)
		idle, light, heavy, steps := 0, 0, 0, 0
		for at := s.Start; at.Before(s.End); at = at.Add(time.Minute) {
			steps++
			switch busy := s.Service.Utilisation(l.next(at, 60).Streams); {
			case busy < 0.005:
				idle++
			case busy < 0.1:
				light++
			case busy > 0.4:
				heavy++
			}
			if n := len(l.flows); n > 8 {
				t.Fatalf("seed %d: a LUN is asked in %d ways, which takes long to simulate", seed, n)
			}
		}
		if idle == 0 || idle > steps/3 || light < steps/10 || heavy < steps/50 || heavy > steps/3 {
			t.Errorf("seed %d: of %d minutes %d idle, %d light, %d heavy", seed, steps, idle, light, heavy)
		}
	}
}

// TestSetsDiffer wants new LUNs to get fewer reads and more writes than old
// ones (L13 §3.3.1), and secondaries nothing.
func TestSetsDiffer(t *testing.T) {
	f := shoot(t, small(t), 15)
	perLUN := func(m int, set string) float64 {
		luns := map[string]float64{"old": 32, "new": 16}
		return f.of(m, all(f), func(c *topology.Component) bool { return c.Set == set }) / luns[set]
	}
	if reads, writes := perLUN(rdSec, "new")/perLUN(rdSec, "old"), perLUN(wrSec, "new")/perLUN(wrSec, "old"); !near(reads, 0.5, 0.05) || !near(writes, 1.4, 0.05) {
		t.Errorf("new LUNs get %.2f of the reads and %.2f of the writes of old ones", reads, writes)
	}
	if others := f.of(tps, all(f), func(c *topology.Component) bool { return c.Priority > 1 }); others != 0 {
		t.Errorf("attachments beside the primaries get %v", others)
	}
}

// TestPassing wants of the whole of Intrepid the events that every day has, in
// the truth as harmless; and of a day for training only what nobody sees.
func TestPassing(t *testing.T) {
	count := func(quiet bool) map[string]int {
		o := DefaultIntrepidOptions()
		o.Days, o.Quiet = 10, quiet
		s, err := Intrepid(o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.start()
		if err != nil {
			t.Fatal(err)
		}
		truth := r.truth()
		if len(truth.Faults) > 0 {
			t.Errorf("there are faults: %v", truth.Faults[0])
		}
		kinds := map[string]int{}
		for _, f := range truth.Harmless {
			kinds[string(f.Kind)]++
			if f.From.Before(truth.From) || f.To.After(truth.To) || !f.From.Before(f.To) {
				t.Errorf("%s: from %v to %v, in a run from %v to %v", f.Text, f.From, f.To, truth.From, truth.To)
			}
		}
		for _, e := range s.Events {
			if m, ok := e.Mechanism.(SlowLUN); ok {
				kinds[m.Chore]++
			}
		}
		return kinds
	}
	usual, training := count(false), count(true)
	if usual["being checked"] < 800 || usual["rebuilding a drive"] < 3 || usual["rebuilding a drive"] > 20 || usual[string(simulate.Upkeep)] < 800 || usual[string(simulate.Transient)] < 400 {
		t.Errorf("in ten days: %v", usual)
	}
	if n := usual[string(simulate.ServerIssued)]; n < 1 || n > 8 {
		t.Errorf("servers work for themselves %d times in ten days", n)
	}
	if training["rebuilding a drive"] > 0 || training[string(simulate.ServerIssued)] > 0 || training[string(simulate.Transient)] > 0 || training[string(simulate.Upkeep)] != training["being checked"] {
		t.Errorf("in ten days for training: %v", training)
	}
}

// TestServerWorkLasts wants work of servers below 10 kB/s, for days.
func TestServerWorkLasts(t *testing.T) {
	if gpfsWork.PerSecond*gpfsWork.KiB*1.024 >= 10 {
		t.Errorf("%v is more than 10 kB/s", gpfsWork)
	}
	o := smallOptions()
	o.Days = 60
	s, err := Intrepid(o)
	if err != nil {
		t.Fatal(err)
	}
	servers, lasted := map[string]bool{}, time.Duration(0)
	for _, e := range s.Events {
		if m, ok := e.Mechanism.(ServerWork); ok {
			servers[m.Server] = true
			lasted += e.To.Sub(e.From)
		}
	}
	if share := lasted.Hours() / 24 / 60; len(servers) < 5 || share < 0.2 || share > 0.8 {
		t.Errorf("%d servers work for themselves, %.2f of the time", len(servers), share)
	}
}
