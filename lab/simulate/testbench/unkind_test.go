package testbench

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
)

var gluster6 = Cluster{Gluster, 2, 6}

// under is a run of GlusterFS under conditions.
func under(c Conditions, w Workload, f Fault, seed uint64) *Experiment {
	e := New(gluster6, w, f, seed)
	c.Management = true
	e.Conditions = c
	if f != None {
		e.Faulty = []int{faultyServer}
	}
	return short(e)
}

// values are those of a metric by server and second, while the fault lasts or
// would. Tests that take values of the same experiment share one run.
func values(t testing.TB, e *Experiment, m metric.Metric) [][]float64 {
	t.Helper()
	run := sync.OnceValues(func() (map[string][][]float64, error) { return allValues(e) })
	shared, _ := valuesOf.LoadOrStore(fmt.Sprintf("%+v", *e), run)
	all, err := shared.(func() (map[string][][]float64, error))()
	if err != nil {
		t.Fatal(err)
	}
	return all[m.Name]
}

// valuesOf holds the values of all tests by their experiments.
var valuesOf sync.Map

// allValues are those of every metric, by server and second.
func allValues(e *Experiment) (map[string][][]float64, error) {
	r, err := e.Run()
	if err != nil {
		return nil, err
	}
	all := map[string][][]float64{}
	for _, m := range r.schema.Metrics {
		all[m.Name] = make([][]float64, len(r.servers))
	}
	for at := 0.0; at < e.To.Seconds(); {
		row, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if at = float64(r.sim.seconds() - lead); at <= e.From.Seconds() {
			continue
		}
		for place, m := range r.schema.Metrics {
			for i, o := range r.servers {
				if v := row.Values[place][o.of(m.Subject)]; !table.IsMissing(v) {
					all[m.Name][i] = append(all[m.Name][i], v)
				}
			}
		}
	}
	return all, nil
}

// quantile is one of values.
func quantile(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(part*float64(len(sorted)-1))]
}

func meansOf(all [][]float64) []float64 {
	var list []float64
	for _, values := range all {
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		list = append(list, sum/float64(len(values)))
	}
	return list
}

// Shards lie unevenly: in some runs a healthy server has half as much again to
// do as the others, and a byte costs it what it costs them.
func TestShardsLieUnevenly(t *testing.T) {
	uneven := 0
	for seed := range uint64(12) {
		e := under(Conditions{Volume: Sharded}, DDR, None, seed)
		o := view(t, e)
		rates := o.during[metric.RdSec.Name]
		busiest := slices.Index(rates, slices.Max(rates))
		if rates[busiest] > 1.4*others(rates, busiest) {
			uneven++
			price := func(i int) float64 { return o.during[metric.Util.Name][i] / rates[i] }
			for i := range rates {
				between(t, "price of a byte at the busiest against another's", price(busiest)/price(i), 0.85, 1.15)
			}
		}
	}
	between(t, "runs of 12 in which one has 1.4 times as much to do", float64(uneven), 2, 11)
}

// Reads by hash saturate some disks while others are half idle.
func TestHashedReadsSaturate(t *testing.T) {
	util := meansOf(values(t, under(Conditions{Volume: Hashed}, DDR, None, 1), metric.Util))
	between(t, "%util of the busiest", slices.Max(util), 85, 100.5)
	between(t, "%util of the idlest", slices.Min(util), 0, 70)
	even := meansOf(values(t, under(Conditions{Volume: Dispersed}, DDR, None, 1), metric.Util))
	between(t, "spread of %util where servers are read in turn", spread(even, -1), 0, 0.1)
}

// A hot file heats the server that has it.
func TestPopularFile(t *testing.T) {
	rates := func(share float64) []float64 {
		return meansOf(values(t, under(Conditions{Volume: Sharded, HotShare: share}, DDR, None, 2), metric.RdSec))
	}
	even, hot := rates(0), rates(0.4)
	server := newSim(under(Conditions{Volume: Sharded}, DDR, None, 2)).newGlusterFile(0).shards[0]
	between(t, "reads of its server against the others'", hot[server]/others(hot, server)/(even[server]/others(even, server)), 1.5, 20)
}

// Writeback comes in bursts: from second to second await is nothing, or above a
// second.
func TestWritebackSwings(t *testing.T) {
	all := values(t, under(Conditions{Volume: Sharded}, DDW, None, 5), metric.Await)
	swings, pooled := []float64{}, []float64{}
	for _, await := range all {
		pooled = append(pooled, await...)
		for i := 1; i < len(await); i++ {
			swings = append(swings, max(await[i]-await[i-1], await[i-1]-await[i]))
		}
	}
	between(t, "lowest tenth of await in ms", quantile(pooled, 0.1), 0, 50)
	between(t, "highest twentieth of await in ms", quantile(pooled, 0.95), 700, 2500)
	between(t, "highest tenth of what it changes by in a second", quantile(swings, 0.9), 400, 2000)
}

// Idle sockets draw the mean of windows down, most at the first server, which
// has more of them; weighted by traffic all servers have the same.
func TestIdleSocketsDrawWindowsDown(t *testing.T) {
	e := under(Conditions{Volume: Dispersed}, DDW, None, 3)
	plain, weighted := meansOf(values(t, e, metric.CwndIn)), meansOf(values(t, e, metric.WCwndIn))
	between(t, "mean window of the first server against the others'", plain[0]/others(plain, 0), 0.4, 0.8)
	between(t, "weighted window of the first server against the others'", weighted[0]/others(weighted, 0), 0.85, 1.15)
	between(t, "weighted window against the mean", weighted[1]/plain[1], 1.3, 2)
	idle := meansOf(values(t, e, metric.CwndOut))
	between(t, "window of sockets that send little", idle[1], 5, 20)
}

// Loss of three in a hundred shows in what is sent again under any congestion
// control; in windows only where they shrink.
func TestLossUnderBBR(t *testing.T) {
	for _, bbr := range []bool{false, true} {
		e := under(Conditions{Volume: Dispersed, BBR: bbr}, DDW, ReceiveLoss, 4)
		e.Strength = 0.6
		again, arrived := meansOf(values(t, e, metric.RetrIn)), meansOf(values(t, e, metric.DlvIn))
		between(t, "share of segments sent again", again[faultyServer]/arrived[faultyServer], 0.02, 0.05)
		between(t, "share of the others' segments sent again", others(again, faultyServer)/others(arrived, faultyServer), 0, 0.004)
		windows, shrink := meansOf(values(t, e, metric.WCwndIn)), meansOf(values(t, e, metric.ShrinkIn))
		ratio := windows[faultyServer] / others(windows, faultyServer)
		if bbr {
			between(t, "weighted window of the faulty under BBR against the others'", ratio, 0.7, 1.5)
			between(t, "share that shrinks under BBR", shrink[0], 0, 0)
		} else {
			between(t, "weighted window of the faulty against the others'", ratio, 0, 0.6)
			between(t, "share that shrinks", shrink[0], 1, 1)
		}
	}
}

// TestUnkind: a seed draws the same again, and seeds draw all there is.
func TestUnkind(t *testing.T) {
	seen := map[Volume]int{}
	bbr, hot := 0, 0
	for seed := range uint64(60) {
		a, b := New(gluster6, DDW, SendLoss, seed), New(gluster6, DDW, SendLoss, seed)
		a.DrawConditions()
		b.DrawConditions()
		if a.Conditions != b.Conditions || a.Strength != b.Strength {
			t.Fatalf("seed %d draws %v and %v", seed, a.Conditions, b.Conditions)
		}
		if err := a.Validate(); err != nil {
			t.Error(err)
		}
		between(t, "strength of a loss", a.Strength, 0.2, 0.8)
		seen[a.Conditions.Volume]++
		if a.Conditions.BBR {
			bbr++
		}
		if a.Conditions.HotShare > 0 {
			hot++
		}
	}
	if len(seen) != 3 || bbr < 15 || bbr > 45 || hot < 8 || hot > 35 {
		t.Errorf("of 60 runs %d use BBR, %d have a hot file, volumes are %v", bbr, hot, seen)
	}
	e := New(pvfs10, DDW, None, 1)
	e.DrawConditions()
	if e.Validate() != nil || !e.Conditions.Management || e.Conditions.Volume != "" {
		t.Errorf("PVFS has %v: %v", e.Conditions, e.Validate())
	}
}
