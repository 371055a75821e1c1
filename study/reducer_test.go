package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// text is a reduction for comparing: NaN is not itself otherwise.
func text(r *Reduction) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%+v\n%+v\n", r.Options.Thresholds, r.Accounts)
	for _, s := range r.Spreads {
		fmt.Fprintf(&b, "%v %v", s.Direction, s.Kind)
		for i, h := range s.all() {
			for bin, n := range h {
				if n > 0 {
					fmt.Fprintf(&b, " %d/%d:%d", i, bin, n)
				}
			}
		}
		b.WriteString("\n")
	}
	for _, c := range r.Cells {
		fmt.Fprintf(&b, "%+v\n", c)
	}
	fmt.Fprintf(&b, "%+v\n%+v\n", r.Seats, r.Slow)
	return b.String()
}

func same(t *testing.T, what string, got, want *Reduction) {
	t.Helper()
	g, w := strings.Split(text(got), "\n"), strings.Split(text(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s: line %d differs\n got %.600s\nwant %.600s", what, i, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%s: %d lines, want %d", what, len(g), len(w))
	}
}

// A wild fleet has everything that can go wrong: ties, gaps, duplicates,
// impossible values, drives that change groups and life years, mixed groups.
func wild(rng *rand.Rand, groups, drives, hours int) (*Fleet, []*Batch) {
	f := &Fleet{}
	for g := range groups {
		f.Groups = append(f.Groups, fmt.Sprint("g", g))
		for i := range drives {
			d := Drive{Name: fmt.Sprint("g", g, "-", i), Kind: Kind(g % Kinds)}
			if g%7 == 6 && i == 0 {
				d.Kind = SSD
			}
			if i%5 == 3 {
				d.Kind = Unknown
			}
			if i >= drives-2 {
				d.Role = Parity
			}
			if rng.IntN(3) > 0 {
				d.Deployed = time.Unix(int64(3600*(hours/2-8766*rng.IntN(4)-rng.IntN(20))), 0)
			}
			f.Drives = append(f.Drives, d)
		}
	}
	var out []*Batch
	for d := range Directions {
		b := &Batch{Direction: Direction(d)}
		for h := range hours {
			for g := range groups {
				wildHour(rng, b, int32(h), g, drives, len(f.Drives))
			}
		}
		out = append(out, b)
	}
	return f, out
}

func wildHour(rng *rand.Rand, b *Batch, hour int32, g, drives, all int) {
	if rng.IntN(10) == 0 {
		return
	}
	level := math.Exp(rng.NormFloat64())
	order := rng.Perm(drives)
	for _, i := range order[:rng.IntN(drives)+1] {
		d := g*drives + i
		if rng.IntN(50) == 0 {
			d = rng.IntN(all)
		}
		for range 1 + rng.IntN(12)/11 {
			b.add(hour, int32(g), int32(d), wildValue(rng, 1000*level), wildValue(rng, 500), wildValue(rng, 4096))
		}
	}
}

func wildValue(rng *rand.Rand, usual float64) float32 {
	switch rng.IntN(40) {
	case 0:
		return 0
	case 1:
		return float32(math.NaN())
	case 2:
		return float32([]float64{-1, math.Inf(1), math.Inf(-1), math.MaxFloat32, 1e13, 1e-40}[rng.IntN(6)])
	case 3, 4, 5:
		return float32(usual * 1.5 * math.Exp(2*rng.Float64()))
	case 6, 7, 8:
		return float32(usual * float64(1+rng.IntN(4)) / 2)
	}
	return float32(usual * (0.9 + 0.01*float64(rng.IntN(20))))
}

func TestTwin(t *testing.T) {
	zone, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Skip("no time zone database here: Asia/Kolkata")
	}
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		f, batches := wild(rng, 10, 3+rng.IntN(40), 60)
		o := Options{Thresholds: []float64{1.2, 1.5, 2, 3.3}, Zone: zone}
		got, err := Reduce(&several{batches: batches, rows: 1 + rng.IntN(500)}, f, o)
		if err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprint("seed ", seed), got, newTwin(f, o).reduce(batches...))
		for d, a := range got.Accounts {
			sum := a.Counted + a.Parity + a.Idle + a.NoLatency + a.ZeroLatency + a.Invalid + a.Duplicate + a.Narrow + a.Mixed
			if a.Rows != sum || a.Counted == 0 || a.Mixed == 0 || a.Duplicate == 0 || a.Narrow == 0 {
				t.Errorf("direction %d: %+v: rows are not the sum of the others, or something is missing", d, a)
			}
		}
	}
}

// several yields batches in turns, some rows at a time.
type several struct {
	batches []*Batch
	rows    int
	at      []int
	turn    int
}

func (s *several) Next(b *Batch) error {
	if s.at == nil {
		s.at = make([]int, len(s.batches))
	}
	for range s.batches {
		i := s.turn % len(s.batches)
		s.turn++
		p := pieces{s.batches[i], s.rows, s.at[i]}
		if err := p.Next(b); err == nil {
			s.at[i] = p.at
			return nil
		}
	}
	p := pieces{all: &Batch{}}
	return p.Next(b)
}

// TestPartition spreads groups and time over reducers in several ways, and
// wants the same each time.
func TestPartition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	f, batches := wild(rng, 14, 12, 80)
	all := batches[0]
	want := text(reduce(t, f, all, 1000))
	ways := map[string]func(i int) int{
		"by group":          func(i int) int { return int(all.Group[i]) % 3 },
		"by time":           func(i int) int { return int(all.Hour[i]) / 23 },
		"by group and time": func(i int) int { return int(all.Group[i])%2*2 + int(all.Hour[i])/41 },
	}
	for name, of := range ways {
		parts := make([]*Batch, 4)
		for i := range parts {
			parts[i] = &Batch{}
		}
		for i := range all.Hour {
			parts[of(i)].addRow(all, i)
		}
		var reductions []*Reduction
		for _, p := range parts {
			reductions = append(reductions, reduce(t, f, p, 77))
		}
		rng.Shuffle(len(reductions), func(i, j int) { reductions[i], reductions[j] = reductions[j], reductions[i] })
		got, err := Merge(f, reductions...)
		if err != nil {
			t.Fatal(err)
		}
		if text(got) != want {
			t.Errorf("%s: the parts make another whole", name)
		}
	}
}

// TestOrder takes rows by hour and group, and by group and hour, and with the
// members of each hour in another order.
func TestOrder(t *testing.T) {
	f, batches := wild(rand.New(rand.NewPCG(6, 6)), 10, 9, 50)
	all := batches[0]
	rows := make([]int, all.Len())
	for i := range rows {
		rows[i] = i
	}
	slices.Reverse(rows)
	slices.SortStableFunc(rows, func(a, b int) int {
		if g := int(all.Group[a]) - int(all.Group[b]); g != 0 {
			return g
		}
		return int(all.Hour[a]) - int(all.Hour[b])
	})
	other := &Batch{}
	for _, i := range rows {
		other.addRow(all, i)
	}
	same(t, "by group and hour", reduce(t, f, other, 100), reduce(t, f, all, 64))
}
