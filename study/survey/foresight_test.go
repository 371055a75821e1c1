package survey

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// drives of a group: the hours that each is at work, and how slow it is in
// some.
type drives []map[int32]float64

// between are hours with a slowdown of 1.
func between(from, to int32) map[int32]float64 {
	out := map[int32]float64{}
	for h := from; h < to; h++ {
		out[h] = 1
	}
	return out
}

// slow has some of the hours be slow.
func slow(hours map[int32]float64, s float64, at ...int32) map[int32]float64 {
	for _, h := range at {
		hours[h] = s
	}
	return hours
}

// without takes out hours.
func without(hours map[int32]float64, at ...int32) map[int32]float64 {
	for _, h := range at {
		delete(hours, h)
	}
	return hours
}

// reduce makes a reduction of one group: what a Reducer would, but for what is
// not asked for here.
func (d drives) reduce() *study.Reduction {
	r := &study.Reduction{Options: study.DefaultOptions(), Cells: make([]study.Cell, 1), Spreads: []*study.Spread{{}}}
	c := &r.Cells[0]
	for i, hours := range d {
		s := study.Seat{Drive: int32(i)}
		for _, h := range keys(hours) {
			s.Hours++
			c.DriveHours++
			if x := hours[h]; x >= study.Mild {
				_, goesOn := hours[h+1]
				r.Slow = append(r.Slow, study.SlowHour{Drive: int32(i), Hour: h, S: x, Turn: study.NewTurn(s.Hours, goesOn)})
			}
			s.Last = h
		}
		r.Seats = append(r.Seats, s)
	}
	c.Hours = int64(len(d[0]))
	return r
}

// found has all analyses look at a reduction.
func found(r *study.Reduction, f *study.Fleet) *study.Part {
	s := newSheet(f, r.Spreads[0], r.Options, study.NewSums(1, 40))
	s.Run(study.Groups(r, study.All, study.Unknown, nil), foresightAnalyses(s))
	return s.Part
}

func figureOf(p *study.Part, name string) *study.Figure {
	for i := range p.Figures {
		if p.Figures[i].Name == name {
			return &p.Figures[i]
		}
	}
	return nil
}

// row finds the values of a row.
func row(t *testing.T, p *study.Part, table, label string) []study.Value {
	t.Helper()
	for _, one := range p.Tables {
		for _, r := range one.Rows {
			if one.Name == table && r.Label == label {
				return r.Values
			}
		}
	}
	t.Fatalf("no row %q in a table %s", label, table)
	return nil
}

func same(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestHazard has a slow drive that is often away: hours count in which it is at
// work itself. It is so for 92 hours, and slow in the 11th, 12th, 13th, 39th and
// 83rd of them.
func TestHazard(t *testing.T) {
	away := []int32{12, 13, 40, 41, 42, 43, 44, 45}
	p := found(drives{
		between(0, 100),
		slow(without(between(0, 100), away...), 3, 10, 11, 14, 46, 90),
		between(50, 100),
	}.reduce(), oneGroupFleet())
	rows := []struct {
		table, label string
		risk, slow   float64
	}{
		{"hazard-since-2", "1", 5, 2},
		{"hazard-since-2", "2", 3, 0},
		{"hazard-since-2", "7 to 12", 6 + 6 + 3, 0},
		{"hazard-since-2", "13 to 24", 12 + 12, 0},
		{"hazard-since-2", "25 to 48", 2 + 20, 2},
		{"hazard-since-2", "never slow so far", 100 + 11 + 50, 1},
		{"hazard-often-2", "1", 1, 1},
		{"hazard-often-2", "2 to 4", 1 + 26 + 44, 3},
		{"hazard-often-2", "5 to 9", 9, 0},
		{"hazard-lasting-2", "1", 4, 1},
		{"hazard-lasting-2", "2", 0, 0},
	}
	for _, r := range rows {
		got := row(t, p, r.table, r.label)
		same(t, r.table+" "+r.label+", at risk", got[0].Number, r.risk)
		same(t, r.table+" "+r.label+", slow", got[1].Number, r.slow)
	}
	if f := figureOf(p, "hazard-after-slow-2"); f.Part != 1 || f.Whole != 4 {
		t.Errorf("after a slow hour %d of %d are, want 1 of 4: in the hour after 11 the drive is away", f.Part, f.Whole)
	}
	same(t, "lift", figureOf(p, "hazard-lift-2").Number, 2.0/(5+3+12+15+24)/(1.0/161))
	same(t, "saved at the first slow hour", figureOf(p, "replace-at-1-2").Number, 4-81*5.0/242)
	same(t, "saved at the fifth", row(t, p, "replacement-2", "5")[4].Number, -9*5.0/242)
}

// TestNoLift has no slow hour soon after another: there is no saying how many
// times likelier that is.
func TestNoLift(t *testing.T) {
	p := found(drives{between(0, 100), slow(between(0, 100), 2, 10, 80), between(0, 100)}.reduce(), oneGroupFleet())
	if f := figureOf(p, "hazard-lift-2"); f != nil {
		t.Errorf("%q", f.Sentence)
	}
}

// tailsOf is a reduction of groups, each of which has an hour with one slow
// drive and an hour with two.
func tailsOf(groups ...study.Cell) *study.Reduction {
	r := &study.Reduction{Options: study.DefaultOptions(), Cells: groups, Spreads: []*study.Spread{{}}}
	for i := range groups {
		cell := int32(i)
		groups[i].Group, groups[i].Hours = cell, 100
		r.Slow = append(r.Slow, study.SlowHour{Cell: cell, Drive: 0, Hour: 5, S: 3}, study.SlowHour{Cell: cell, Drive: 0, Hour: 6, S: 3}, study.SlowHour{Cell: cell, Drive: 1, Hour: 6, S: 3})
		for d := range int32(3) {
			r.Seats = append(r.Seats, study.Seat{Cell: cell, Drive: d, First: 0, Last: 99, Hours: 100})
		}
	}
	return r
}

// TestOwnParity has groups with a parity drive that has records, one of them
// with two more on file, with two on file, and with none that are known.
func TestOwnParity(t *testing.T) {
	f := oneGroupFleet()
	f.Groups = []string{"a", "b", "c"}
	for _, i := range []int{7, 8} {
		f.Drives[i].Role, f.Drives[i].Group = study.Parity, "b"
	}
	p := found(tailsOf(study.Cell{Parity: 1}, study.Cell{}, study.Cell{}), f)
	same(t, "saved by one", figureOf(p, "saved-by-one-2").Number, 0.5)
	same(t, "saved by the groups' own", figureOf(p, "saved-by-own-2").Number, 1-3.0/6)
	own := row(t, p, "cut-2", "as many of the slowest drives as the group has parity drives")
	same(t, "tail hours left", own[0].Number, 3)
	same(t, "share of them", own[1].Number, 3.0/300)

	p = found(tailsOf(study.Cell{}, study.Cell{Parity: 1}, study.Cell{}), f)
	same(t, "saved by one that has records, of two on file", figureOf(p, "saved-by-own-2").Number, 1-5.0/6)

	p = found(tailsOf(study.Cell{}, study.Cell{}, study.Cell{}), fleetOf("a", "b", "c"))
	if f := figureOf(p, "saved-by-own-2"); f != nil {
		t.Errorf("no parity drive is known: %q", f.Sentence)
	}
}

func fleetOf(groups ...string) *study.Fleet {
	return &study.Fleet{Groups: groups, Drives: make([]study.Drive, 9)}
}

func oneGroupFleet() *study.Fleet { return fleetOf("a") }

// TestDrift has two months, of which the second is worse, or better.
func TestDrift(t *testing.T) {
	tests := []struct {
		january, february int64 // drive hours
		want              float64
		sentence          string
	}{
		{100, 50, 2.0/50 - 1.0/100, "3 percentage points higher: share of slow drive hours (2× or more) of drives in the last month, compared with the first month (no confidence interval: only 1 group has such values)."},
		{10, 200, 2.0/200 - 1.0/10, "9 percentage points lower: share of slow drive hours (2× or more) of drives in the last month, compared with the first month (no confidence interval: only 1 group has such values)."},
	}
	const january, february = 10, 800 // hours in them
	for _, test := range tests {
		r := drives{slow(between(0, 1000), 2, january, february, february+1), between(0, 1000), between(0, 1000)}.reduce()
		r.Cells[0].Months = []study.Month{{Index: 1970 * 12, DriveHours: test.january}, {Index: 1970*12 + 1, DriveHours: test.february}}
		f := figureOf(found(r, oneGroupFleet()), "drift-2")
		same(t, "drift", f.Number, test.want)
		if f.Sentence != test.sentence {
			t.Errorf("%q, want %q", f.Sentence, test.sentence)
		}
	}
}
