package study

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// rowsOf are rows of drives 0, 1, … with these latencies, in one hour.
func rowsOf(hour int32, latencies ...float32) []rec {
	var rows []rec
	for d, l := range latencies {
		rows = append(rows, rec{hour, int32(d), 9, l, 1, 0})
	}
	return rows
}

// TestKinds has drives of unknown kind among others.
func TestKinds(t *testing.T) {
	tests := []struct {
		kinds []Kind
		group []Kind
		want  Kind
		mixed int64
	}{
		{[]Kind{Disk, Disk, Unknown, Unknown}, nil, Disk, 0},
		{[]Kind{Unknown, SSD, Unknown}, nil, SSD, 0},
		{[]Kind{Unknown, SSD, Unknown}, []Kind{Disk}, SSD, 0},
		{[]Kind{Unknown, Unknown, Unknown}, nil, Unknown, 0},
		{[]Kind{Unknown, Unknown, Unknown}, []Kind{Unknown}, Unknown, 0},
		{[]Kind{Unknown, Unknown, Unknown}, []Kind{SSD}, SSD, 0},
		{[]Kind{Disk, SSD, Unknown}, []Kind{Disk}, Unknown, 3},
	}
	for _, test := range tests {
		f := &Fleet{Groups: []string{"a"}, Kinds: test.group}
		for _, k := range test.kinds {
			f.Drives = append(f.Drives, Drive{Kind: k})
		}
		r := reduce(t, f, batchOf(rowsOf(0, make1(len(test.kinds))...)), 9)
		if got := r.Accounts[All].Mixed; got != test.mixed {
			t.Errorf("%v: %d rows are mixed, want %d", test.kinds, got, test.mixed)
		}
		if test.mixed == 0 && (len(r.Cells) != 1 || r.Cells[0].Kind != test.want) {
			t.Errorf("%v: cells %+v, want one of kind %v", test.kinds, r.Cells, test.want)
		}
	}
}

// make1 are n ones.
func make1(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// TestParity counts parity drives, not their rows.
func TestParity(t *testing.T) {
	f := pair()
	f.Drives[3].Role = Parity
	one := rec{0, 4, 9, 100, 1, 0}
	r := reduce(t, f, batchOf(append(rowsOf(0, 1, 1, 1), one, one, one)), 2)
	if got := r.Cells[0].Parity; got != 1 || r.Accounts[All].Parity != 3 {
		t.Errorf("%d parity drives and %d rows, want 1 and 3", got, r.Accounts[All].Parity)
	}
	r = reduce(t, f, batchOf(append(rowsOf(0, 1, 1, 1, 1), one, one)), 2)
	if got := r.Cells[0].Parity; got != 2 {
		t.Errorf("%d parity drives, want 2", got)
	}
}

// TestBeyondBelief has counters that ran over, and a slowdown past all bins.
func TestBeyondBelief(t *testing.T) {
	rows := append(rowsOf(0, 1, 1, 1), rec{0, 3, 9, 1 << 40, 1, 0}, rec{1, 0, 1 << 50, 100, 1, 0})
	r := reduce(t, pair(), batchOf(rows), 9)
	if a := r.Accounts[All]; a.Invalid != 2 || a.Counted != 3 {
		t.Errorf("%+v: want 2 invalid rows", a)
	}
	rows = rows[:0]
	const hours = 3
	for h := range int32(hours) {
		rows = append(rows, rowsOf(h, 1e-40, 1e-40, 86_400_000_000)...)
		for i := range 3 {
			rows[len(rows)-1-i].ios = 1 << 40
		}
	}
	c := reduce(t, pair(), batchOf(rows), 9).Cells[0]
	if want := int64(hours * 65536 * TailUnits); c.TailSum[0] != want {
		t.Errorf("the longest tails sum up to %d, want %d", c.TailSum[0], want)
	}
	if want := int64(3 << 40 * IOUnits); c.Spans[0].Last.IOs != want {
		t.Errorf("%d I/Os, want %d", c.Spans[0].Last.IOs, want)
	}
}

// TestBelief has the most that is believed, and the next numbers.
func TestBelief(t *testing.T) {
	const most, day = 1 << 40, 86_400_000_000
	beyond, late := math.Nextafter32(most, math.MaxFloat32), math.Nextafter32(day, math.MaxFloat32)
	rows := []rec{{0, 0, most, 1, 1, 0}, {0, 1, 9, day, 1, 0}, {0, 2, 9, 1, 1, 0}, {0, 3, beyond, 1, 1, 0}, {1, 0, 9, late, 1, 0}}
	if a := reduce(t, pair(), batchOf(rows), 9).Accounts[All]; a.Counted != 3 || a.Invalid != 2 {
		t.Errorf("%+v: want 3 rows to count and 2 not to", a)
	}
}

// TestStays has a drive go from one group to the other and back, and again.
func TestStays(t *testing.T) {
	var rows []rec
	for h := range int32(200) {
		for d := range int32(3) {
			rows = append(rows, rec{h, d, 9, 100, 1, 0})
		}
		at := rec{h, 3, 9, 100, 1, h / 40 % 2} // of group a for 40 hours, then of b
		if at.group == 0 {
			rows = append(rows, at)
		}
		for d := range int32(3) {
			rows = append(rows, rec{h, 5 + d, 9, 100, 1, 1})
		}
		if at.group == 1 {
			rows = append(rows, at)
		}
	}
	r := reduce(t, pair(), batchOf(rows), 50)
	var got []Seat
	for _, s := range r.Seats {
		if s.Drive == 3 {
			got = append(got, s)
		}
	}
	want := []Seat{
		{Cell: 0, Drive: 3, First: 0, Last: 39, Hours: 40},
		{Cell: 0, Drive: 3, First: 80, Last: 119, Hours: 40},
		{Cell: 0, Drive: 3, First: 160, Last: 199, Hours: 40},
		{Cell: 1, Drive: 3, First: 40, Last: 79, Hours: 40},
		{Cell: 1, Drive: 3, First: 120, Last: 159, Hours: 40},
	}
	if !slices.Equal(got, want) {
		t.Errorf("seats %+v, want %+v", got, want)
	}
}

// TestTurns has a slow drive that is not always at work.
func TestTurns(t *testing.T) {
	var rows []rec
	for h := range int32(60) {
		rows = append(rows, rowsOf(h, 100, 100, 100)...)
		if away := h == 3 || h == 4 || h >= 20 && h < 50; !away {
			rows = append(rows, rec{h, 3, 9, map[bool]float32{true: 300, false: 100}[h == 1 || h == 2 || h == 6 || h == 55], 1, 0})
		}
	}
	want := []Turn{NewTurn(2, true), NewTurn(3, false), NewTurn(5, true), NewTurn(6, true)}
	var got []Turn
	for _, h := range reduce(t, pair(), batchOf(rows), 7).Slow {
		got = append(got, h.Turn)
	}
	if !slices.Equal(got, want) {
		t.Errorf("turns %v, want %v", got, want)
	}
	if n := NewTurn(7, true); n.Nth() != 7 || !n.GoesOn() || NewTurn(7, false).GoesOn() {
		t.Errorf("turn %v is not the seventh, and goes on", n)
	}
}

// TestTooManyTogether refuses what several streams keep, or parts have,
// together.
func TestTooManyTogether(t *testing.T) {
	a, err := NewReducer(pair(), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	a.most = 3
	b := a.Beside()
	for h := range int32(2) {
		if err := errors.Join(a.Add(batchOf(rowsOf(2*h, 100, 100, 300))), b.Add(batchOf(rowsOf(10+2*h, 100, 100, 300)))); err != nil {
			t.Fatal(err)
		}
	}
	for h := range int32(2) {
		err = errors.Join(err, a.Add(batchOf(rowsOf(20+h, 100, 100, 300))), b.Add(batchOf(rowsOf(30+h, 100, 100, 300))))
	}
	if err == nil || !strings.Contains(err.Error(), "choose a larger threshold") {
		t.Errorf("error %v", err)
	}
	parts := []*Reduction{reduce(t, pair(), batchOf(rowsOf(0, 100, 100, 300)), 9), reduce(t, pair(), batchOf(rowsOf(1, 100, 100, 300)), 9)}
	if _, err := merge(pair(), 1, parts); err == nil || !strings.Contains(err.Error(), "2 drive hours with a slowdown of 1.5× or more") {
		t.Errorf("error %v", err)
	}
}

// TestTooMany refuses a threshold at which too many hours are slow.
func TestTooMany(t *testing.T) {
	r, err := NewReducer(pair(), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	r.most = 2
	for h := range int32(3) {
		if err := r.Add(batchOf(rowsOf(h, 100, 100, 300))); err != nil {
			t.Fatal(err)
		}
	}
	err = r.Add(batchOf(rowsOf(3, 100, 100, 300)))
	if err == nil || !strings.Contains(err.Error(), "3 drive hours with a slowdown of 1.5× or more") {
		t.Errorf("error %v, want one that asks for a larger threshold", err)
	}
}
