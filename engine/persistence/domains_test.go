package persistence

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// TestDomainsAgree: rotating domains find the same suspects as all pairs, within two
// windows.
func TestDomainsAgree(t *testing.T) {
	series := noisy(120, 1500, 8)
	slow := []int{5, 50, 51, 99}
	for _, i := range slow {
		scale(series[i][600:], 2)
	}
	o := DefaultOptions()
	exact := detectAll(t, o, series)
	o.Domain = 10
	domains := detectAll(t, o, series)
	first := func(ws []*Window, i int) int {
		return slices.IndexFunc(ws, func(w *Window) bool { return w.Verdicts[i].Suspect })
	}
	for _, i := range slow {
		a, b := first(exact, i), first(domains, i)
		if a < 0 || b < 0 || b > a+2 || a > b+2 {
			t.Errorf("member %d is suspect from window %d on, with domains from %d on", i, a, b)
		}
	}
}

// TestF10DomainsAgree: with thresholds trained in domains, faults make the same servers
// suspects in the same metrics as all pairs do, within two windows. A tenth of the
// servers has the fault at once: in some domains of some windows they are many.
func TestF10DomainsAgree(t *testing.T) {
	o := F10Options()
	exact := firstSuspects(t, o)
	o.Domain = 10
	domains := firstSuspects(t, o)
	if len(exact) != 30 {
		t.Errorf("all pairs find %d metrics of servers, want three of ten", len(exact))
	}
	if a, b := slices.Sorted(maps.Keys(exact)), slices.Sorted(maps.Keys(domains)); !slices.Equal(a, b) {
		t.Fatalf("suspects %v, with domains %v", a, b)
	}
	for at, end := range exact {
		if later := (domains[at] - end) / int64(o.WinShift); later < -2 || later > 2 {
			t.Errorf("%s is suspect %d windows later with domains", at, later)
		}
	}
}

// firstSuspects returns the end of the first window in which a server is suspect in a
// metric. Every tenth of a hundred servers has a disk hog and loses packets.
func firstSuspects(t *testing.T, o Options) map[string]int64 {
	system, schema := cluster(100)
	d := newF10(t, o, system, schema, trainF10(t, o, system, schema, 2, 400).Model())
	r, first := newRun(schema, 99), map[string]int64{}
	for step := range 400 {
		row := r.next()
		for s := 3; s < 100 && step >= 120; s += 10 {
			*r.at("rd_sec", s) *= 2
			*r.at("await", s) *= 1.5
			*r.at("cwnd_in", s) *= 0.2
		}
		d.Push(row, func(w *Window) {
			for i, v := range w.Verdicts {
				at := fmt.Sprintf("%s of %d", schema.Metrics[w.Metric].Name, i)
				if _, known := first[at]; v.Suspect && !known {
					first[at] = w.End
				}
			}
		})
	}
	return first
}
