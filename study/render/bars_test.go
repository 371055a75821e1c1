package render

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/report/page"
	"github.com/limpet-storage/limpet/study"
)

// TestBars: a share has a dot and a bar from end to end; T16's is a ring.
func TestBars(t *testing.T) {
	share := func(x, low, high float64) study.Value {
		return study.Value{Number: x, Unit: study.Share, Interval: &study.Interval{Low: low, High: high}}
	}
	t16 := 0.0022
	with := share(0.002, 0.0001, 0.004)
	with.T16 = &t16
	var b bars
	b.Add("with", with)
	b.Add("to zero", share(0.001, 1e-7, 0.004))
	b.Add("no interval", study.Value{Number: 0.5, Unit: study.Share})
	b.Add("no share", study.Value{Number: 2, Unit: study.Times})
	b.Add("too small", share(1e-7, 0, 0.1))
	b.Add("none", study.Value{Unit: study.Share, None: true})
	blocks := b.Block(nil)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks", len(blocks))
	}
	d := blocks[0].(page.Dots)
	if len(d.Rows) != 3 || len(d.Series) != 2 || d.X.Scale != page.Log || !d.Series[0].Ring {
		t.Fatalf("%+v", d)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b) }
	for i, want := range [][3]float64{{0.2, 0.01, 0.4}, {0.1, 0, 0.4}, {50, math.NaN(), math.NaN()}} {
		if s := d.Series[1]; !near(s.Values[i], want[0]) || !near(s.Low[i], want[1]) || !near(s.High[i], want[2]) {
			t.Errorf("%s: %v from %v to %v, want %v", d.Rows[i], s.Values[i], s.Low[i], s.High[i], want)
		}
	}
	if blocks := new(bars).Block(nil); len(blocks) > 0 {
		t.Errorf("nothing is drawn as %v", blocks)
	}
	b = bars{}
	b.Add("no interval", study.Value{Number: 0.5, Unit: study.Share})
	if d := b.Block(nil)[0].(page.Dots); d.X.Scale != page.Linear || len(d.Series) != 1 {
		t.Errorf("%+v", d)
	}
}
