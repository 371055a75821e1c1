package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/internal/state"
)

var fineSchema = Schema{StepSeconds: 1, Metrics: metric.Device(), Components: 5, Servers: 2, Load: 0}

// coarse runs rows through a Coarsener and returns copies of its rows.
func coarse(c *Coarsener, rows []*Row) []*Row {
	var out []*Row
	keep := func(r *Row, ok bool) {
		if ok {
			out = append(out, clone(r))
		}
	}
	for _, row := range rows {
		keep(c.Push(row))
	}
	keep(c.Flush())
	return out
}

func clone(r *Row) *Row {
	out := &Row{End: r.End, Heard: slices.Clone(r.Heard)}
	for _, values := range r.Values {
		out.Values = append(out.Values, slices.Clone(values))
	}
	return out
}

// busyCounters returns readings of a server's disks every second. The last disk has no
// load, and the one before it little.
func busyCounters(seconds int) [][]metric.Disk {
	rng := rand.New(rand.NewPCG(1, 1))
	readings := make([][]metric.Disk, seconds+1)
	readings[0] = make([]metric.Disk, fineSchema.Components)
	for t := 1; t <= seconds; t++ {
		readings[t] = slices.Clone(readings[t-1])
		for i := range readings[t] {
			d, ios := &readings[t][i], uint64(rng.IntN(50))
			if i == 4 || i == 3 && t%12 != 0 {
				continue
			}
			d.IOs += ios
			d.ReadSectors += ios * uint64(8+rng.IntN(100))
			d.ReadMs += uint32(ios * uint64(rng.IntN(9)))
			d.WriteMs += uint32(ios)
			d.BusyMs += uint32(ios * 2)
			d.QueueMs += uint32(rng.IntN(4000))
		}
	}
	return readings
}

// folded runs readings through a fold of a step, as a source does.
func folded(readings [][]metric.Disk, begin, step int64) []*Row {
	s := fineSchema
	s.StepSeconds = step
	f := NewFold(step, s.Components)
	var rows []*Row
	keep := func(st *Step, ok bool) {
		if !ok {
			return
		}
		row := NewRow(s)
		row.End, row.Heard[0] = st.End, true
		for i := range st.Work {
			for m, v := range st.Work[i].Values(st.Seconds) {
				row.Values[m][i] = v
			}
		}
		rows = append(rows, row)
	}
	for t := range readings {
		if at := begin + int64(t); at%step == 0 {
			r := f.Reading()
			r.Time, r.Uptime = at, uint64(100*(1000+t))
			copy(r.Disks, readings[t])
			for i := range r.Present {
				r.Present[i] = true
			}
			keep(f.Close())
		}
	}
	keep(f.Flush())
	return rows
}

// near describes how two streams of rows differ, except by rounding.
func near(got, want []*Row) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d rows, want %d", len(got), len(want))
	}
	for at := range want {
		a, b := got[at], want[at]
		if a.End != b.End || !slices.Equal(a.Heard, b.Heard) {
			return fmt.Errorf("row %d: %d %v, want %d %v", at, a.End, a.Heard, b.End, b.Heard)
		}
		for m := range b.Values {
			for i, v := range b.Values[m] {
				if u := a.Values[m][i]; IsMissing(u) != IsMissing(v) || math.Abs(u-v) > 1e-12*math.Abs(v) {
					return fmt.Errorf("row %d metric %d component %d: %v, want %v", at, m, i, u, v)
				}
			}
		}
	}
	return nil
}

// TestCoarsenIsFold: coarse rows equal the rows that a fold of the counters at the coarse
// step gives.
func TestCoarsenIsFold(t *testing.T) {
	readings := busyCounters(600)
	fine, want := folded(readings, 1_000_005, 1), folded(readings, 1_000_005, 15)
	if err := near(coarse(NewCoarsener(fineSchema, 15), fine), want); err != nil || len(want) != 40 {
		t.Errorf("%d rows: %v", len(want), err)
	}
	if c := NewCoarsener(fineSchema, 15); c.Schema().StepSeconds != 15 || c.Schema().Load != 0 || fineSchema.StepSeconds != 1 {
		t.Errorf("schema %+v", c.Schema())
	}
}

// TestCoarsenTwice: combining five and then three seconds equals combining fifteen.
func TestCoarsenTwice(t *testing.T) {
	fine := folded(busyCounters(300), 1_000_005, 1)
	fives := NewCoarsener(fineSchema, 5)
	twice := coarse(NewCoarsener(fives.Schema(), 15), coarse(fives, fine))
	if err := near(twice, coarse(NewCoarsener(fineSchema, 15), fine)); err != nil {
		t.Error(err)
	}
}

func TestCoarsenOfTheSameStep(t *testing.T) {
	fine := folded(busyCounters(30), 1_000_005, 1)
	got := coarse(NewCoarsener(fineSchema, 1), fine)
	if err := near(got, fine); err != nil {
		t.Error(err)
	}
}

// TestCoarsenMissing: missing values, computed by hand, with four fine rows per coarse
// row.
func TestCoarsenMissing(t *testing.T) {
	x := Missing
	tests := map[string]struct {
		tps, await []float64
		load       int
		wantTPS    float64
		wantAwait  float64
	}{
		"all there":            {[]float64{1, 3, 0, 0}, []float64{10, 2, 0, 0}, 0, 1, 4},
		"half there":           {[]float64{1, x, x, 3}, []float64{10, x, x, 2}, 0, 2, 4},
		"less than half there": {[]float64{1, x, x, x}, []float64{10, x, x, x}, 0, x, x},
		"no requests":          {[]float64{0, 0, 0, 0}, []float64{0, 0, 0, 0}, 0, 0, 0},
		"no requests for half": {[]float64{0, x, 0, x}, []float64{0, x, 0, x}, 0, 0, 0},
		"no load metric":       {[]float64{1, 3, 0, 0}, []float64{10, 2, 0, 0}, -1, 1, 3},
		"requests not known":   {[]float64{x, 3, 1, x}, []float64{10, 2, 6, 7}, 0, 2, 3},
		"nothing":              {[]float64{x, x, x, x}, []float64{x, x, x, x}, 0, x, x},
	}
	for name, tt := range tests {
		s := Schema{StepSeconds: 1, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: 2, Load: tt.load}
		var rows []*Row
		for at := range tt.tps {
			row := NewRow(s)
			row.End = int64(101 + at)
			row.Values[0][0], row.Values[1][0], row.Values[0][1] = tt.tps[at], tt.await[at], 1
			rows = append(rows, row)
		}
		got := coarse(NewCoarsener(s, 4), rows)
		want := &Row{End: 104, Values: [][]float64{{tt.wantTPS, 1}, {tt.wantAwait, Missing}}}
		if err := near(got, []*Row{want}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCoarsenGaps: a coarse row comes when it is complete, or when a fine row of a later
// step comes. Coarse steps without data are left out.
func TestCoarsenGaps(t *testing.T) {
	tests := map[string]struct {
		ends []int64
		want string // end of the coarse row that each fine row brings, and the last
	}{
		"complete":             {[]int64{101, 102, 103, 104, 105}, "- - - 104 - -"},
		"its end is lost":      {[]int64{102, 103, 105, 106, 108}, "- - 104 - 108 -"},
		"a gap":                {[]int64{102, 104, 151, 152}, "- 104 - 152 -"},
		"a gap over an end":    {[]int64{102, 103, 151, 152}, "- - 104 152 -"},
		"two at once":          {[]int64{102, 103, 152, 153, 155, 156}, "- - 104 - - 156 -"},
		"nothing to be given":  {[]int64{102, 152}, "- - -"},
		"the last is complete": {[]int64{103, 104}, "- 104 -"},
	}
	s := Schema{StepSeconds: 1, Metrics: []metric.Metric{metric.TPS}, Components: 1, Load: 0}
	for name, tt := range tests {
		c, got := NewCoarsener(s, 4), ""
		tell := func(r *Row, ok bool) {
			if !ok {
				got += " -"
				return
			}
			got += fmt.Sprint(" ", r.End)
		}
		for _, end := range tt.ends {
			row := NewRow(s)
			row.End, row.Values[0][0] = end, 1
			tell(c.Push(row))
		}
		tell(c.Flush())
		if got[1:] != tt.want {
			t.Errorf("%s: %s, want %s", name, got[1:], tt.want)
		}
	}
}

// randomRows returns rows with gaps, missing values and servers without data.
func randomRows(s Schema, n int) []*Row {
	rng := rand.New(rand.NewPCG(7, 7))
	var rows []*Row
	end := int64(1000)
	for range n {
		if end++; rng.IntN(25) == 0 {
			end += rng.Int64N(60)
		}
		row := NewRow(s)
		row.End = end
		for _, values := range row.Values {
			for i := range values {
				if rng.IntN(3) > 0 {
					values[i] = float64(rng.IntN(20))
				}
			}
		}
		for i := range row.Heard {
			row.Heard[i] = rng.IntN(3) == 0
		}
		rows = append(rows, row)
	}
	return rows
}

// TestCoarsenChangesThatMeanNothing: a change of all fine rows, such as another unit,
// changes the coarse rows in the same way and nothing else.
func TestCoarsenChangesThatMeanNothing(t *testing.T) {
	rows := randomRows(fineSchema, 500)
	want := coarse(NewCoarsener(fineSchema, 15), rows)
	order := []int{3, 1, 4, 0, 2}
	change := func(rows []*Row) (out []*Row) {
		for _, row := range rows {
			r := clone(row)
			r.End += 15 * 1000
			for m := range r.Values {
				for i, from := range order {
					r.Values[m][i] = 4 * row.Values[m][from]
				}
			}
			out = append(out, r)
		}
		return out
	}
	if err := near(coarse(NewCoarsener(fineSchema, 15), change(rows)), change(want)); err != nil {
		t.Error(err)
	}
}

// TestCoarsenState: saved and restored before any row, it gives the same rows. Values
// follow their components, metrics and servers.
func TestCoarsenState(t *testing.T) {
	rows := randomRows(fineSchema, 200)
	want := coarse(NewCoarsener(fineSchema, 15), rows)
	system := func(c *state.Codec) (components, servers *state.Axis) {
		return c.Axis([]state.Named{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}}), c.Axis([]state.Named{{Name: "x"}, {Name: "y"}})
	}
	c := NewCoarsener(fineSchema, 15)
	var got []*Row
	for _, row := range rows {
		data, err := state.Encode(1, func(codec *state.Codec) { a, b := system(codec); c.State(codec, a, b) })
		if err != nil {
			t.Fatal(err)
		}
		c = NewCoarsener(fineSchema, 15)
		c.Push(row) // is forgotten
		if err := state.Decode(data, 1, func(codec *state.Codec) { a, b := system(codec); c.State(codec, a, b) }); err != nil {
			t.Fatal(err)
		}
		if out, ok := c.Push(row); ok {
			got = append(got, clone(out))
		}
	}
	if out, ok := c.Flush(); ok {
		got = append(got, clone(out))
	}
	if err := near(got, want); err != nil {
		t.Error(err)
	}

	c.Push(rows[1])
	c.Push(rows[2])
	data, err := state.Encode(1, func(codec *state.Codec) { a, b := system(codec); c.State(codec, a, b) })
	if err != nil {
		t.Fatal(err)
	}
	now := Schema{StepSeconds: 1, Metrics: []metric.Metric{metric.Await, metric.RxByt, metric.TPS}, Components: 2, Servers: 1, Load: 2}
	n := NewCoarsener(now, 15)
	err = state.Decode(data, 1, func(codec *state.Codec) {
		n.State(codec, codec.Axis([]state.Named{{Name: "new"}, {Name: "d"}}), codec.Axis([]state.Named{{Name: "y"}}))
	})
	if err != nil || n.sums[2][1] != c.sums[0][3] || n.sums[0][1] != c.sums[5][3] || n.sums[0][0] != (coarseSum{}) || n.heard[0] != c.heard[1] {
		t.Errorf("%v: %+v %v", err, n.sums, n.heard)
	}
	if err := state.Decode(data, 1, func(codec *state.Codec) { a, b := system(codec); NewCoarsener(fineSchema, 5).State(codec, a, b) }); err == nil {
		t.Error("another step was restored")
	}
}

func TestCoarsenAllocatesNothing(t *testing.T) {
	rows, c, at := randomRows(fineSchema, 100), NewCoarsener(fineSchema, 15), 0
	if n := testing.AllocsPerRun(90, func() { c.Push(rows[at]); at++ }); n > 0 {
		t.Errorf("%v allocations a row", n)
	}
}

// TestSmootherState: saved and restored before any step, into another order, it continues
// unchanged.
func TestSmootherState(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	const width, n = 5, 200
	names := make([]state.Named, n)
	for i := range names {
		names[i].Name = fmt.Sprint(i)
	}
	whole, cut := NewSmoother(width, n), NewSmoother(width, n)
	values, load := make([]float64, n), make([]float64, n)
	for step := range 100 {
		data, err := state.Encode(1, func(c *state.Codec) { cut.State(c, c.Axis(names)) })
		if err != nil {
			t.Fatal(err)
		}
		cut = NewSmoother(width, n)
		if err := state.Decode(data, 1, func(c *state.Codec) { cut.State(c, c.Axis(names)) }); err != nil {
			t.Fatal(err)
		}
		for i := range values {
			values[i], load[i] = 0, float64(rng.IntN(2))
			if i < 70 {
				values[i] = rng.Float64()
			}
			if rng.IntN(30) == 0 {
				values[i] = Missing
			}
		}
		if step%17 == 3 {
			whole.Skip(3)
			cut.Skip(3)
		}
		if a, b := whole.Push(values, load), cut.Push(values, load); fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("step %d: %v, want %v", step, b, a)
		}
	}
}
