package slow

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/finding/path"
	"github.com/limpet-storage/limpet/localise"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/window"
)

// base is when the data begin.
const base = 9000

// graded takes windows of 900 s every 450 s up: o is odd and three times slower,
// n is normal, a blank could not be judged.
func graded(windows string) grade {
	var g grade
	for i, w := range windows {
		g.isJudged = false
		s := sample{start: base + int64(i)*450, end: base + int64(i)*450 + 900, odd: w == 'o', times: 1, load: 2}
		if w == 'o' {
			s.times = 3
		}
		if w != ' ' {
			g.count(&s, 3, base)
		}
	}
	return g
}

func TestGrade(t *testing.T) {
	for _, tt := range []struct {
		windows     string
		want        int // windows that count
		suspect     bool
		at          int64 // of the onset, since the begin of the data
		early, late int64
		earlier     bool
	}{
		{"nnnn", 0, false, 0, 0, 0, false},
		{"nnoo", 0, false, 1350, 450, 1800, false},
		{"nnooo", 1, true, 1350, 450, 1800, false},
		{"nnoooo", 2, true, 1350, 450, 1800, false},
		{"nnonoo", 1, true, 1350, 450, 1800, false},                        // three of five
		{"nnonnoo", 1, true, 2700, 1800, 3150, false},                      // three of five, and it began after two normal ones
		{"nnooonnn", 2, false, 1350, 450, 1800, false},                     // suspect once more, then less
		{"nnooonnnnn", 0, false, 0, 0, 0, false},                           // forgotten
		{"ooo", 1, true, 0, 0, 0, true},                                    // from the begin of the data
		{"   ooo", 1, true, 1350 + 450, 0, 1350 + 900, false},              // there was nothing to judge before
		{"nno  oo", 1, true, 2700, 450, 3150, false},                       // after a pause it is another matter
		{"nnooo     o", 2, true, 1350, 450, 1800, false},                   // once it counts, it is not
		{"noooooooooonnnnnoo", 5, false, 900, 0, 1350, false},              // it counts down
		{"noooo" + "nnnnnnnnnn" + "ooo", 1, true, 7200, 6300, 7650, false}, // and begins anew
	} {
		g := graded(tt.windows)
		want := finding.Onset{Earlier: tt.earlier}
		if tt.late > 0 || tt.earlier {
			want.At, want.Early, want.Late = base+tt.at, base+tt.early, base+tt.late
		}
		if g.windows != tt.want || g.suspect != tt.suspect || g.onset != want {
			t.Errorf("%s: %d windows, suspect %t, onset %+v; want %d, %t, %+v", tt.windows, g.windows, g.suspect, g.onset, tt.want, tt.suspect, want)
		}
	}
	if g := graded("noooo"); math.Abs(g.slowness()-math.Log(3)) > 1e-12 || math.Abs(g.load()-2) > 1e-12 || g.worst != 3 || !g.isJudged {
		t.Errorf("%+v: slowness %g, load %g", g, g.slowness(), g.load())
	}
	if g := (grade{}); g.slowness() != 0 || g.load() != 1 {
		t.Errorf("of nothing: slowness %g, load %g", g.slowness(), g.load())
	}
	g := graded("noooo")
	if g.rest(); g.suspect || g.windows != 1 || g.onset.At == 0 {
		t.Errorf("after a rest: %+v", g)
	}
	if g.rest(); g.windows != 0 || g.odd != 0 || g.normal == 0 || !g.isJudged {
		t.Errorf("after two: %+v", g)
	}
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		tier   place.Tier
		loaded bool
		want   finding.Kind
	}{
		{place.LUN, false, finding.SingleLUN},
		{place.LUN, true, finding.WorkloadImbalance},
		{place.Attachment, false, finding.SingleLUN},
		{place.Drive, false, finding.SlowDrive},
		{place.Drive, true, finding.WorkloadImbalance},
		{place.Array, true, finding.DrawerError},
		{place.Drawer, false, finding.DrawerError},
		{place.Server, true, finding.SharedSlowness},
		{place.Controller, false, finding.SharedSlowness},
		{place.Slot, false, finding.SharedSlowness},
		{place.Model, true, finding.SharedSlowness},
	} {
		if got := kindOf(tt.tier, tt.loaded); got != tt.want {
			t.Errorf("%s, loaded %t: %s, want %s", tt.tier, tt.loaded, got, tt.want)
		}
	}
}

// newRack is a detector of four drives of one server.
func newRack() *Detector {
	s := &topology.System{Servers: []string{"h1"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
	for i := range 4 {
		s.Components = append(s.Components, topology.Component{Name: fmt.Sprintf("h1/sd%c", 'a'+i), Server: "h1", Group: 1})
		s.Groups[0].Members = append(s.Groups[0].Members, i)
	}
	m := place.NewMap(s)
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: 4}
	f := window.New(window.DefaultOptions(), m, window.NewHearing(window.DefaultOptions(), m, schema), schema, 1, 450, 2)
	return New(DefaultOptions(), localise.DefaultOptions(), 4.48, f, path.New(path.DefaultOptions(), f, 3), 3)
}

// TestQueueTimes: peers that take twice as long as with little to do are busy
// half of the time; 1.25 times their load then takes (1−½)/(1−⅝) times as long.
func TestQueueTimes(t *testing.T) {
	for _, tt := range []struct {
		name               string
		usual, light, load float64
		want               float64
	}{
		{"half busy", 20, 10, 1.25, 4.0 / 3},
		{"as much load", 20, 10, 1, 1},
		{"less load", 20, 10, 0.5, 1},
		{"nothing to wait for", 10, 10, 1.25, 1},
		{"far more load is a reason", 20, 10, DefaultOptions().ImbalanceTimes, 1},
		{"unknown", table.Missing, 10, 1.25, 1},
		{"never light", 20, 0, 1.25, 1},
	} {
		d := newRack()
		d.facts.Groups[0] = window.Group{Usual: tt.usual, Light: tt.light}
		if got := d.queueTimes(0, tt.load); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
		}
	}
	d := newRack()
	d.facts.Groups[0] = window.Group{Usual: 1e6, Light: 1}
	if got := d.queueTimes(0, 1.25); math.IsInf(got, 0) || got < 1 {
		t.Errorf("peers that are always busy: %g", got)
	}
}

// TestTimes: how many times slower, by what it is measured.
func TestTimes(t *testing.T) {
	noise := metric.Await.Noise
	for _, tt := range []struct {
		name  string
		v     detect.Verdict
		peers float64
		want  float64
	}{
		{"by its peers", detect.Verdict{Reason: detect.Differs, Median: 30}, 10, 3},
		{"faster", detect.Verdict{Reason: detect.Differs, Median: 5}, 10, 1},
		{"it does not differ", detect.Verdict{Median: 30}, 10, 1},
		{"by a threshold", detect.Verdict{Reason: detect.Differs, Median: 30, Score: 8, Threshold: 2}, table.Missing, 4},
		{"without a value", detect.Verdict{Reason: detect.Differs, Median: table.Missing}, 10, 1},
		{"no more than so many", detect.Verdict{Reason: detect.Differs, Median: 1e12}, 1e-3, DefaultOptions().MostTimes},
	} {
		if got := newRack().times(&tt.v, tt.peers); got != tt.want {
			t.Errorf("%s: %g, want %g", tt.name, got, tt.want)
		}
	}
	if got := newRack().times(&detect.Verdict{Reason: detect.Differs, Median: 6 * max(noise, 1)}, 0); noise > 0 && math.Abs(got-6*max(noise, 1)/noise) > 1e-9 {
		t.Errorf("beside peers at zero: %g", got)
	}
}

// TestAlso: the other metrics in which members are suspect, each once; what
// could not be judged stays as it was, and who took over does not count.
func TestAlso(t *testing.T) {
	d := newRack()
	hear := func(m, c int, suspect bool, state detect.State) {
		d.Window(&detect.Window{Metric: m, Verdicts: []detect.Verdict{{Component: c, Suspect: suspect, State: state}}})
	}
	for _, m := range []int{40, 2, 33} {
		hear(m, 0, true, detect.Anomalous)
	}
	hear(2, 1, true, detect.Anomalous)
	hear(7, 2, true, detect.Anomalous)
	hear(2, 0, false, detect.Unjudged)
	hear(33, 0, false, detect.Normal)
	members := []finding.Member{{Component: 0}, {Component: 1}, {Component: 2, Role: finding.TookOver}}
	if got := d.Also(members); !slices.Equal(got, []int{2, 40}) {
		t.Errorf("suspect in %v, want 2 and 40", got)
	}
}

func TestOptions(t *testing.T) {
	o := DefaultOptions()
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
	if err := (&Options{}).Validate(); err == nil {
		t.Error("no bounds at all are taken")
	}
}
