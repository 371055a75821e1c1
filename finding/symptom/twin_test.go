package symptom

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestPlainTwin: what is summed shift by shift comes to what the rows of each
// window come to.
func TestPlainTwin(t *testing.T) {
	tests := []struct {
		step, win, shift int64
		k                int
		shape            shape
		lack, rare       string // a metric that nobody has, one that only two servers have
	}{
		{1, 64, 32, 3, plainShape(6), "", ""},
		{1, 64, 32, 2, shape{10, 3, 2, 1, 2}, "", "retr_in"},
		{2, 64, 32, 3, shape{8, 2, 1, 1, 1}, "", "%util"},
		{4, 64, 64, 1, shape{7, 1, 3, 1, 1}, "", "rxbyt"},
		{4, 96, 32, 2, shape{9, 2, 2, 1, 2}, "txpck", "cwnd_out"},
		{8, 128, 16, 3, shape{6, 2, 1, 1, 2}, "tps", "rd_sec"},
		{8, 64, 32, 2, shape{5, 2, 2, 0, 1}, "%util", ""},
		{10, 60, 30, 3, plainShape(7), "", ""},
		{60, 240, 120, 2, plainShape(7), "", ""},
		{16, 64, 32, 3, shape{10, 1, 1, 1, 1}, "cwnd_in", "await"},
		{16, 64, 16, 2, shape{12, 2, 2, 1, 2}, "rxpck", "wr_sec"},
	}
	var all coverage
	for i, tt := range tests {
		o := bounds()
		o.WinSeconds, o.ShiftSeconds, o.KWindows = tt.win, tt.shift, tt.k
		t.Run(fmt.Sprintf("%d s", tt.step), func(t *testing.T) {
			for seed := range uint64(3) {
				c := newChance(tt.shape, tt.step, tt.lack, tt.rare, uint64(i)<<8|seed)
				all.compare(t, o, c)
			}
		})
	}
	all.suffices(t)
}

// chance draws rows.
type chance struct {
	rng    *rand.Rand
	system *topology.System
	schema table.Schema
	rare   string      // metric that only two servers have
	level  [][]float64 // by metric and component, for a while
	spans  []span
}

// A span of time in which a component has nothing to say, or nothing of one
// metric.
type span struct{ component, metric, from, to int }

func newChance(s shape, step int64, lack, rare string, seed uint64) *chance {
	c := &chance{rng: rand.New(rand.NewPCG(seed, 1)), system: s.system(), rare: rare}
	all := slices.DeleteFunc(metric.All(), func(m metric.Metric) bool { return m.Name == lack })
	c.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	c.schema = table.Schema{StepSeconds: step, Metrics: all, Components: len(c.system.Components), Load: -1}
	return c
}

const horizon = 900 // seconds of rows, or as many as forty have

// rows have components come and go, values missing here and there, and hours
// in which nobody was there at all.
func (c *chance) rows() []*table.Row {
	n := max(40, horizon/int(c.schema.StepSeconds))
	for range 2 * len(c.system.Components) {
		from := c.rng.IntN(n)
		c.spans = append(c.spans, span{c.rng.IntN(c.schema.Components), c.rng.IntN(2*len(c.schema.Metrics)) - len(c.schema.Metrics), from, from + c.rng.IntN(n/3)})
	}
	var rows []*table.Row
	end := int64(begin) / c.schema.StepSeconds * c.schema.StepSeconds
	end += c.schema.StepSeconds * c.rng.Int64N(64)
	for i := range n {
		end += c.schema.StepSeconds
		if i%(n/3) == 0 {
			c.draw()
		}
		switch {
		case c.rng.IntN(n) < 3:
			end += c.rng.Int64N(200) / c.schema.StepSeconds * c.schema.StepSeconds
		case c.rng.IntN(20) == 0:
			continue
		}
		rows = append(rows, c.row(i, end))
	}
	return rows
}

func (c *chance) row(i int, end int64) *table.Row {
	row := table.NewRow(c.schema)
	row.End = end
	for m := range row.Values {
		for comp := range row.Values[m] {
			if c.level[m][comp] >= 0 && c.rng.IntN(12) > 0 && !c.silent(m, comp, i) {
				row.Values[m][comp] = c.level[m][comp] * c.rng.ExpFloat64()
			}
		}
	}
	return row
}

func (c *chance) silent(m, component, i int) bool {
	return slices.ContainsFunc(c.spans, func(s span) bool {
		return s.component == component && (s.metric < 0 || s.metric == m) && i >= s.from && i < s.to
	})
}

// ranges are what values lie between, as far as they are not far off.
var ranges = map[string][2]float64{
	"tps": {20, 40}, "rd_sec": {20_000, 30_000}, "wr_sec": {10_000, 20_000}, "await": {10, 20}, "%util": {20, 40},
	"rxbyt": {5e6, 10e6}, "txbyt": {10e6, 15e6}, "rxpck": {4000, 7000}, "txpck": {8000, 10_000},
	"cwnd_out": {10, 40}, "cwnd_in": {3, 6}, "retr_out": {0, 0.5}, "retr_in": {0, 5}, "dlv_out": {100, 200}, "dlv_in": {100, 110},
}

// draw sets the levels of a while: most components are alike, some are far off,
// some do nothing.
func (c *chance) draw() {
	c.level = make([][]float64, len(c.schema.Metrics))
	for i, m := range c.schema.Metrics {
		r, ok := ranges[m.Name]
		for comp, server := range c.system.ServerOf() {
			level := -1.0
			if ok && kinds[m.Subject] == c.system.Components[comp].Kind && (m.Name != c.rare || server < 2) {
				level = c.near(r)
			}
			c.level[i] = append(c.level[i], level)
		}
	}
}

func (c *chance) near(r [2]float64) float64 {
	level := r[0] + (r[1]-r[0])*c.rng.Float64()
	switch c.rng.IntN(8) {
	case 0:
		level *= 8
	case 1:
		level *= 0.1
	case 2:
		level *= float64(c.rng.IntN(2))
	}
	return level
}

// coverage counts what the rows have come to, by kind.
type coverage struct{ odd, doubted, suspect, calm, windows [NumKinds]int }

func (v *coverage) compare(t *testing.T, o Options, c *chance) {
	rows := c.rows()
	p := plain{opts: o, system: c.system, schema: c.schema, rows: rows}
	want := p.examine()
	x, err := newExaminer(o, place.NewMap(c.system), c.schema)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, row := range rows {
		x.push(row, func(w *window) {
			if at == len(want) || w.start != want[at].start || w.end != want[at].end {
				t.Fatalf("window %d ends at %d, the twin has %d windows", at, w.end, len(want))
			}
			v.equal(t, w, &want[at])
			at++
		})
	}
	if at != len(want) {
		t.Errorf("%d windows, want %d", at, len(want))
	}
}

func (v *coverage) equal(t *testing.T, w, want *window) {
	signs := slices.SortedFunc(slices.Values(w.signs), func(a, b sign) int {
		return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.kind, b.kind))
	})
	if len(signs) != len(want.signs) {
		t.Fatalf("window to %d: %d signs, want %d", w.end, len(signs), len(want.signs))
	}
	for i := range signs {
		if a, b := &signs[i], &want.signs[i]; !same(a, b) {
			t.Errorf("window to %d:\n%+v, want\n%+v", w.end, *a, *b)
		}
		v.count(&signs[i])
	}
}

// same compares whatever the twin computes. No figure of a sign is missing.
func same(a, b *sign) bool {
	figures := near(a.Score, b.Score) && near(a.Threshold, b.Threshold) && near(a.Own, b.Own) && near(a.Peers, b.Peers)
	return figures && !math.IsInf(a.Score, 0) && a.Component == b.Component && a.kind == b.kind && a.Metric == b.Metric &&
		a.odd == b.odd && (a.doubt == "") == (b.doubt == "") && a.suspect == b.suspect
}

func (v *coverage) count(s *sign) {
	v.windows[s.kind]++
	for _, n := range []struct {
		of    *[NumKinds]int
		holds bool
	}{{&v.odd, s.odd}, {&v.doubted, s.doubt != ""}, {&v.suspect, s.suspect}, {&v.calm, s.Score < s.Threshold}} {
		if n.holds {
			n.of[s.kind]++
		}
	}
}

// suffices fails where the rows leave a way to go untried.
func (v *coverage) suffices(t *testing.T) {
	t.Logf("signs %v, odd %v, doubted %v, suspect %v", v.windows, v.odd, v.doubted, v.suspect)
	for kind := range NumKinds {
		doubted := v.doubted[kind] >= 20 || kind == Loaded || kind == Receives || kind == Sends
		if v.odd[kind] < 20 || v.suspect[kind] < 20 || v.calm[kind] < 100 || !doubted {
			t.Errorf("kind %d is hardly ever tried: %d odd, %d doubted, %d suspect, %d calm",
				kind, v.odd[kind], v.doubted[kind], v.suspect[kind], v.calm[kind])
		}
	}
}
