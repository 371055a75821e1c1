package study

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

var unknown = float32(math.NaN())

// pair is two groups of four data drives and a parity drive each.
func pair() *Fleet {
	f := &Fleet{Groups: []string{"a", "b"}}
	for range f.Groups {
		for i := range 5 {
			d := Drive{Kind: Disk}
			if i == 4 {
				d.Role = Parity
			}
			f.Drives = append(f.Drives, d)
		}
	}
	return f
}

// A rec is a row of the first group, unless another is named.
type rec struct {
	hour, drive        int32
	ios, latency, size float32
	group              int32
}

func batchOf(rows []rec) *Batch {
	b := &Batch{}
	for _, r := range rows {
		b.add(r.hour, r.group, r.drive, r.ios, r.latency, r.size)
	}
	return b
}

// TestHours holds single hours against what was computed by hand.
func TestHours(t *testing.T) {
	tests := []struct {
		name    string
		rows    []rec
		slow    []float64 // S of the slow hours
		hours   int64     // of drives
		account Account
	}{
		{
			"three drives, one at exactly twice the median",
			[]rec{{0, 0, 9, 100, 1, 0}, {0, 1, 9, 100, 1, 0}, {0, 2, 9, 200, 1, 0}},
			[]float64{2},
			3,
			Account{Rows: 3, Counted: 3},
		},
		{
			"four drives: the median is between the middle two",
			[]rec{{0, 0, 9, 100, 1, 0}, {0, 1, 9, 200, 1, 0}, {0, 2, 9, 300, 1, 0}, {0, 3, 9, 500, 1, 0}},
			[]float64{2},
			4,
			Account{Rows: 4, Counted: 4},
		},
		{
			"equal drives have a slowdown of 1",
			[]rec{{0, 0, 9, 7, 1, 0}, {0, 1, 9, 7, 1, 0}, {0, 2, 9, 7, 1, 0}, {0, 3, 9, 7, 1, 0}},
			nil, 4,
			Account{Rows: 4, Counted: 4},
		},
		{
			"an idle drive is no member, nor is one without latency or with none that can be",
			[]rec{{0, 0, 9, 100, 1, 0}, {0, 1, 0, unknown, unknown, 0}, {0, 2, 9, 0, 1, 0}, {0, 3, 9, unknown, 1, 0}},
			nil, 0,
			Account{Rows: 4, Idle: 1, ZeroLatency: 1, NoLatency: 1, Narrow: 1, NarrowHours: 1},
		},
		{
			"two drives are not enough, whatever the group has in other hours",
			[]rec{{0, 0, 9, 100, 1, 0}, {0, 1, 9, 100, 1, 0}, {0, 2, 9, 160, 1, 0}, {1, 0, 9, 100, 1, 0}, {1, 2, 9, 300, 1, 0}},
			[]float64{1.6},
			3,
			Account{Rows: 5, Counted: 3, Narrow: 2, NarrowHours: 1},
		},
		{
			"parity drives are left out",
			[]rec{{0, 0, 9, 100, 1, 0}, {0, 1, 9, 100, 1, 0}, {0, 2, 9, 100, 1, 0}, {0, 4, 9, 900, 1, 0}},
			nil, 3,
			Account{Rows: 4, Counted: 3, Parity: 1},
		},
		{
			"of two rows of a drive that with more I/Os counts",
			[]rec{{0, 0, 9, 100, 1, 0}, {0, 1, 9, 100, 1, 0}, {0, 2, 9, 300, 1, 0}, {0, 2, 10, 250, 1, 0}, {0, 2, unknown, 900, 1, 0}},
			[]float64{2.5},
			3,
			Account{Rows: 5, Counted: 3, Duplicate: 2},
		},
		{
			"I/Os that were not counted do not matter to latencies",
			[]rec{{0, 0, unknown, 100, unknown, 0}, {0, 1, unknown, 100, unknown, 0}, {0, 2, unknown, 300, unknown, 0}},
			[]float64{3},
			3,
			Account{Rows: 3, Counted: 3},
		},
		{
			"impossible values are counted as such",
			[]rec{{0, 0, -1, 100, 1, 0}, {0, 1, 9, -100, 1, 0}, {0, 2, 9, float32(math.Inf(1)), 1, 0}},
			nil, 0,
			Account{Rows: 3, Invalid: 3, IdleHours: 1},
		},
	}
	for _, test := range tests {
		r := reduce(t, pair(), batchOf(test.rows), 2)
		var slow []float64
		for _, h := range r.Slow {
			slow = append(slow, h.S)
		}
		if !slices.Equal(slow, test.slow) {
			t.Errorf("%s: slowdowns %v, want %v", test.name, slow, test.slow)
		}
		if r.Accounts[All] != test.account {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, r.Accounts[All], test.account)
		}
		if len(r.Cells) > 0 && r.Cells[0].DriveHours != test.hours {
			t.Errorf("%s: %d drive hours, want %d", test.name, r.Cells[0].DriveHours, test.hours)
		}
	}
}

// TestLoads holds imbalance and steps of I/O counts against what was computed
// by hand.
func TestLoads(t *testing.T) {
	r := reduce(t, pair(), batchOf([]rec{
		{0, 0, 100, 100, 10, 0}, {0, 1, 100, 100, 10, 0}, {0, 2, 200, 100, 25, 0}, // drive 2 is busy and has large I/Os
		{1, 0, 50, 100, 10, 0}, {1, 1, 50, 100, 10, 0}, {1, 2, 100, 250, 10, 0}, // half the I/Os: a tail hour, busy and slow
		{2, 0, 10, 100, 10, 0}, {2, 1, 10, 100, 10, 0}, {2, 2, 10, 100, 10, 0}, // from a tail hour: not counted
		{4, 0, 1, 100, 10, 0}, {4, 1, 1, 100, 10, 0}, {4, 2, 1, 100, 10, 0}, // an hour is missing: not counted
		{5, 0, 1, 100, 10, 0}, {5, 1, 1, 100, 10, 0}, {5, 2, unknown, 100, unknown, 0}, // nor where I/Os are not known
	}), 4)
	c := r.Cells[0]
	if c.Busy != 2 || c.Large != 1 {
		t.Errorf("%d busy hours and %d with large I/Os, want 2 and 1", c.Busy, c.Large)
	}
	if want := (Step{Tense: 1, TenseFell: 1}); c.Steps[1] != want {
		t.Errorf("steps %+v, want %+v", c.Steps[1], want)
	}
	if len(r.Slow) != 1 || r.Slow[0].Rate != 2 || r.Slow[0].Size != 1 {
		t.Errorf("slow hours %+v, want one with twice the I/Os and the same size", r.Slow)
	}
	at := NewBinner().Bin(2.5)
	if s := r.Spreads[0]; s.Busy[at] != 1 || s.Large[at] != 0 || s.Tails[0][at] != 1 {
		t.Errorf("of slowdown 2.5: %d busy, %d large, %d tails; want 1, 0, 1", s.Busy[at], s.Large[at], s.Tails[0][at])
	}
}

// TestMoved has a drive in another group from the second hour on.
func TestMoved(t *testing.T) {
	rows := []rec{
		{0, 0, 9, 100, 1, 0},
		{0, 1, 9, 100, 1, 0},
		{0, 2, 9, 300, 1, 0},
		{1, 0, 9, 100, 1, 0},
		{1, 1, 9, 100, 1, 0},
		{1, 3, 9, 100, 1, 0},
		{1, 2, 9, 400, 1, 1},
		{1, 5, 9, 100, 1, 1},
		{1, 6, 9, 100, 1, 1},
	}
	r := reduce(t, pair(), batchOf(rows), 100)
	var seats []Seat
	for _, s := range r.Seats {
		if s.Drive == 2 {
			seats = append(seats, s)
		}
	}
	want := []Seat{{Cell: 0, Drive: 2, First: 0, Last: 0, Hours: 1}, {Cell: 1, Drive: 2, First: 1, Last: 1, Hours: 1}}
	if !slices.Equal(seats, want) {
		t.Errorf("seats %+v, want %+v", seats, want)
	}
	if len(r.Slow) != 2 || r.Slow[0].S != 3 || r.Slow[1].S != 4 {
		t.Errorf("slow hours %+v, want one of 3 in the first group and one of 4 in the second", r.Slow)
	}
}

// TestErrors feeds what cannot be reduced.
func TestErrors(t *testing.T) {
	three := func(hour, group int32) []rec {
		var rows []rec
		for d := range int32(3) {
			rows = append(rows, rec{hour, d + 5*group, 9, 100, 1, group})
		}
		return rows
	}
	short := batchOf(three(0, 0))
	short.IOs = short.IOs[:2]
	tests := []struct {
		name  string
		batch *Batch
		want  string
	}{
		{"time runs back", batchOf(append(three(5, 0), three(4, 0)...)), "sort the records by time"},
		{"an hour is cut in two", batchOf(slices.Concat(three(5, 0), three(5, 1), three(5, 0))), "sort the records by time"},
		{"no such drive", batchOf([]rec{{0, 10, 9, 100, 1, 0}}), "drive 10, but the fleet has 10 drives"},
		{"no such group", batchOf([]rec{{0, 0, 9, 100, 1, 2}}), "group 2, but the fleet has 2 groups"},
		{"columns that do not fit", short, "columns of 3 rows and of 2 rows"},
		{"no such direction", &Batch{Direction: 7}, "direction 7"},
	}
	for _, test := range tests {
		r, err := NewReducer(pair(), DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Add(test.batch); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
	a, b := reduce(t, pair(), batchOf(three(5, 0)), 9), reduce(t, pair(), batchOf(three(5, 0)), 9)
	if _, err := Merge(pair(), a, b); err == nil || !strings.Contains(err.Error(), "group a: two streams") {
		t.Errorf("the same records twice: error %v, want one that names the group", err)
	}
	if _, err := Merge(pair()); err == nil {
		t.Error("nothing merged, and no error")
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Thresholds = nil }, "0 slowdown thresholds"},
		{func(o *Options) { o.Thresholds = []float64{1} }, "choose more than 1"},
		{func(o *Options) { o.Thresholds = []float64{math.NaN()} }, "choose more than 1"},
		{func(o *Options) { o.Thresholds = []float64{2, 1.5} }, "ascending order"},
		{func(o *Options) { o.Thresholds = []float64{2, 2} }, "twice"},
		{func(o *Options) { o.Zone = nil }, "need a time zone"},
	}
	for _, test := range tests {
		o := DefaultOptions()
		test.change(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want one with %q", o, err, test.want)
		}
	}
	if err := DefaultOptions().Validate(); err != nil {
		t.Error(err)
	}
}

// TestCalendar walks over two years of a zone with daylight saving, and one
// with half hours, backwards and forwards.
func TestCalendar(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "Australia/Lord_Howe"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Skip("no time zone database here: " + name)
		}
		c := calendar{zone: zone}
		start := time.Date(1969, 6, 1, 0, 0, 0, 0, time.UTC).Unix() / 3600
		for i := range int32(2 * 8766) {
			hour := int32(start) + (i*7919)%(2*8766)
			at := time.Unix(int64(hour)*3600, 0).In(zone)
			c.look(hour)
			if c.hourOfDay(hour) != at.Hour() || c.month != int32(at.Year()*12+int(at.Month())-1) {
				t.Fatalf("%s: %v is hour %d of month %d", name, at, c.hourOfDay(hour), c.month)
			}
		}
	}
}

// TestSteady holds the pass to no memory of its own once it has seen all
// drives.
func TestSteady(t *testing.T) {
	f := pair()
	r, err := NewReducer(f, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	hour := int32(0)
	b := &Batch{}
	next := func() {
		b.Reset()
		for d := range int32(4) {
			b.add(hour, 0, d, 9, 100, 1)
		}
		hour++
		if err := r.Add(b); err != nil {
			t.Fatal(err)
		}
	}
	for range 24 * 20 {
		next()
	}
	// A month now and then is all that may come.
	if n := testing.AllocsPerRun(200, next); n > 0 {
		t.Errorf("%v allocations an hour, want none", n)
	}
}
