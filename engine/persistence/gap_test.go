package persistence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/table"
)

// past keeps all rows of a stream, and computes windows by their definition.
type past struct {
	d      *Detector
	values map[int64][][]float64 // by step, metric and component
}

// average returns the mean over the last steps, without steps without load where active;
// missing where the step itself is missing.
func (p *past) average(step int64, metric, component, width int, active bool) float64 {
	if p.values[step] == nil || table.IsMissing(p.values[step][metric][component]) {
		return table.Missing
	}
	sum, n := 0.0, 0.0
	for s := step - int64(width) + 1; s <= step; s++ {
		if row := p.values[s]; row != nil && !table.IsMissing(row[metric][component]) && !(active && row[0][component] == 0) {
			sum, n = sum+row[metric][component], n+1
		}
	}
	return sum / max(n, 1)
}

// window returns the values of a member in the window that ends with a step, and its
// load.
func (p *past) window(l *lane, step int64, component int) (series []float64, load float64) {
	for s := step - int64(l.opts.WinSize) + 1; s <= step; s++ {
		series = append(series, p.average(s, l.column, component, l.opts.Smooth, l.metric.PerIO))
		if row := p.values[s]; row != nil && !table.IsMissing(row[0][component]) {
			load += row[0][component] * 15
		}
	}
	return series, load
}

// silent reports whether no component of a server has a value in the window.
func (p *past) silent(step int64, winSize, server int) bool {
	for s := step - int64(winSize) + 1; s <= step; s++ {
		for _, values := range p.values[s] {
			for c, v := range values {
				if p.d.serverOf[c] == server && !table.IsMissing(v) {
					return false
				}
			}
		}
	}
	return true
}

// ends returns the expected windows, as key gives them: those in which some member has a
// value for more than half of the steps.
func (p *past) ends(from, to int64) (keys []string) {
	for step := from; step <= to; step++ {
		for _, g := range p.d.groups {
			covered := 0
			for s := step - int64(g.lane.opts.WinSize) + 1; s <= step; s++ {
				row := p.values[s]
				if row != nil && slices.ContainsFunc(g.members, func(c int) bool { return !table.IsMissing(row[g.lane.column][c]) }) {
					covered++
				}
			}
			if step%int64(p.d.opts.WinShift) == 0 && 2*covered > g.lane.opts.WinSize {
				keys = append(keys, key(g, step))
			}
		}
	}
	return keys
}

func key(g *group, step int64) string { return fmt.Sprint(step, g.lane.metric.Name, g.index) }

// TestWindowsAgainstTheirDefinition: gaps of any length, components at rest and
// silent servers, window by window and in order.
func TestWindowsAgainstTheirDefinition(t *testing.T) {
	const groups, begin, end = 3, 1000, 2500
	system, schema := grouped(groups, 12)
	o := DefaultOptions()
	o.Smooth, o.WinSize, o.WinShift = 7, 20, 6
	d, err := New(o, system, schema, []string{"tps", "await", "%util"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &past{d: d, values: map[int64][][]float64{}}
	rng := rand.New(rand.NewPCG(7, 7))
	var got []string
	last := int64(0)
	for step := int64(begin); step < end; step++ {
		if rng.IntN(25) == 0 {
			step += rng.Int64N(1 + 50*rng.Int64N(2))
		}
		row := table.NewRow(schema)
		fillRow(rng, row, step, groups)
		d.push(row, func(g *group, w *Window) {
			at := w.End / 15
			if at == step {
				p.values[step] = row.Values
			}
			got = append(got, key(g, at))
			p.check(t, g, at)
		})
		p.values[step], last = row.Values, step
	}
	if want := p.ends(begin, last); !slices.Equal(got, want) {
		t.Errorf("%d windows were compared, %d ought to be, or in another order", len(got), len(want))
	}
}

// check compares the observations of a group with their definition.
func (p *past) check(t *testing.T, g *group, step int64) {
	t.Helper()
	values, o := g.lane.values, &g.lane.opts
	got := make([]float64, o.WinSize)
	for i, c := range g.members {
		values.Copy(got, g.first+i, g.first+i+1)
		want, load := p.window(g.lane, step, c)
		if !slices.EqualFunc(got, want, alike) {
			t.Fatalf("%s, member %d: %v, want %v", key(g, step), i, got, want)
		}
		rests := !slices.ContainsFunc(want, func(v float64) bool { return v != 0 })
		if values.AtZero(g.first+i) != rests {
			t.Fatalf("%s, member %d rests: %t", key(g, step), i, !rests)
		}
		f := &g.observations[i]
		if math.Abs(f.load-load) > 1e-9*load || f.silent != p.silent(step, o.WinSize, p.d.serverOf[c]) {
			t.Fatalf("%s, member %d: %+v, load is %v", key(g, step), i, *f, load)
		}
		plain := distance.AppendPresent(nil, want)
		if f.samples != len(plain) || f.samples > 0 && f.median != distance.Median(plain) {
			t.Fatalf("%s, member %d: %+v of %v", key(g, step), i, *f, want)
		}
	}
}

func alike(a, b float64) bool { return a == b || table.IsMissing(a) && table.IsMissing(b) }
