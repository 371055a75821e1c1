package requests

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/evidence"
	"github.com/limpet-storage/limpet/engine/table"
)

// asked returns six drives, of which the last had more requests for half an hour.
func asked(t *testing.T) *spindles {
	t.Helper()
	d := newSpindles(t, 7)
	d.each[5].load = 300
	if len(d.lasts(t, 1800, 5)) != 1 || !d.LoadExplains(5) {
		t.Fatal("nothing was found")
	}
	return d
}

// pass makes steps with a change, and reports whether the last drive was compared in the
// last step.
func (d *spindles) pass(t *testing.T, seconds int64, change func()) bool {
	t.Helper()
	for range seconds / stepSeconds {
		d.row.Clear()
		d.row.End += stepSeconds
		for i := range d.each {
			d.serve(i)
		}
		change()
		if d.Row(d.row); len(d.Queues()) > 0 {
			t.Fatalf("found: %+v", d.Queues())
		}
	}
	return d.LoadJudged(5)
}

// without removes the requests of drives, which are busy for a share of the time;
// missing where the busy time is not known.
func (d *spindles) without(util float64, drives ...int) func() {
	return func() {
		for _, c := range drives {
			d.row.Latency[c].Clear()
			d.row.Values[d.util][c] = util
		}
	}
}

// TestOver: when the requests of a drive end, or its data do, load explains its latency
// for a while and not for ever. A later load has a later onset.
func TestOver(t *testing.T) {
	for name, tt := range map[string]struct {
		util     float64
		drives   []int
		compared bool // the last drive is known to have nothing to do
		pauses   bool // it has no requests
	}{
		"it is idle":          {0, []int{5}, true, true},
		"all are idle":        {0, []int{0, 1, 2, 3, 4, 5}, true, true},
		"it is not heard":     {table.Missing, []int{5}, false, true},
		"no latencies of it":  {50, []int{5}, false, true},
		"its peers are idle":  {0, []int{0, 1, 2, 3}, false, false},
		"peers are not heard": {table.Missing, []int{0, 1, 2, 3}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := asked(t)
			rests := d.without(tt.util, tt.drives...)
			if compared := d.pass(t, stepSeconds, rests); compared != tt.compared || d.LoadExplains(5) != tt.pauses {
				t.Errorf("after a step: compared %v, excused %v", compared, d.LoadExplains(5))
			}
			if compared := d.pass(t, d.criteria.RecoverSeconds+stepSeconds, rests); compared != tt.compared || d.LoadExplains(5) || d.courses[5].queue.began != 0 {
				t.Errorf("later: compared %v, excused %v, since %d", compared, d.LoadExplains(5), d.courses[5].queue.began)
			}
			began := d.row.End
			found := d.step()
			for len(found) == 0 && d.row.End < began+1800 {
				found = d.step()
			}
			if len(found) != 1 || found[0].Onset.Late <= began || found[0].Amount >= 1 {
				t.Errorf("the next time, from %d on: %+v", began, found)
			}
		})
	}
}

// TestHardlyAsked: a drive with too few requests to be compared has no more load than
// its peers.
func TestHardlyAsked(t *testing.T) {
	d := asked(t)
	d.each[5].load = 0.5
	d.lasts(t, 4800, 5)
	if d.memories[5].recent.requests >= d.opts.LeastRequests || d.LoadExplains(5) || d.courses[5].queue.began != 0 {
		t.Errorf("%+v", d.courses[5])
	}
	for d.step(); d.courses[5].work.requests == 0; d.step() {
	}
	if !d.LoadJudged(5) {
		t.Error("it is said that nobody knows")
	}
}

// TestWithoutLatencies: without latencies load explains nothing.
func TestWithoutLatencies(t *testing.T) {
	d := asked(t)
	if d.hasLatencies = false; d.LoadExplains(5) {
		t.Error("load explains it by measurements of the past")
	}
}

// TestTooFew: components that are not compared collect no memory.
func TestTooFew(t *testing.T) {
	d := newSpindles(t, 8)
	d.facts.System.Groups[0].Members = d.facts.System.Groups[0].Members[:2]
	d.Detector = New(d.opts, d.criteria, evidence.DefaultOptions(), d.facts, table.Schema{StepSeconds: stepSeconds, Components: len(d.each), Latencies: true})
	d.lasts(t, 300, -1)
	for c := range d.memories {
		if d.memories[c].now.requests > 0 || len(d.memories[c].ops[0].now.Device) > 0 {
			t.Errorf("drive %d: %g requests", c, d.memories[c].now.requests)
		}
	}
}
