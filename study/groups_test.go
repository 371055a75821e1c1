package study

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

func slowAt(drive int32, cell int32, s float64, hours ...int32) []SlowHour {
	var out []SlowHour
	for _, h := range hours {
		out = append(out, SlowHour{Cell: cell, Drive: drive, Hour: h, S: s})
	}
	return out
}

func TestRuns(t *testing.T) {
	tests := []struct {
		hours []int32
		want  []int // lengths
	}{
		{nil, nil},
		{[]int32{5}, []int{1}},
		{[]int32{5, 6, 7}, []int{3}},
		{[]int32{5, 7, 8, 20}, []int{1, 2, 1}},
	}
	for _, test := range tests {
		var got []int
		for _, run := range Runs(slowAt(0, 0, 2, test.hours...)) {
			got = append(got, len(run))
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: runs of %v hours, want %v", test.hours, got, test.want)
		}
	}
}

func TestFrom(t *testing.T) {
	slow := append(slowAt(0, 0, 1.5, 1), slowAt(0, 0, 2, 2, 3)...)
	for threshold, want := range map[float64]int{1.5: 3, 2: 2, 2.1: 0} {
		if got := SlowFrom(slow, threshold); len(got) != want {
			t.Errorf("from %v on: %d hours, want %d", threshold, len(got), want)
		}
	}
	if Worst(slow) != 2 || Worst(nil) != 0 {
		t.Errorf("the worst are %v and %v, want 2 and 0", Worst(slow), Worst(nil))
	}
}

// moved is a reduction in which drive 1 goes from the first group to the
// second at hour 50; a group of SSDs and one of reads stand around them.
func moved() *Reduction {
	return &Reduction{
		Cells: []Cell{
			{Kind: Unknown},
			{Kind: Disk, Group: 1},
			{Kind: Disk, Group: 2},
			{Kind: SSD, Group: 3},
			{Direction: Reads, Kind: Disk, Group: 1},
		},
		Seats: []Seat{
			{Cell: 0, Drive: 9, Hours: 1},
			{Cell: 1, Drive: 0, Year: 1, First: 0, Last: 39, Hours: 40},
			{Cell: 1, Drive: 0, Year: 2, First: 40, Last: 99, Hours: 50},
			{Cell: 1, Drive: 1, First: 0, Last: 48, Hours: 49},
			{Cell: 2, Drive: 1, First: 50, Last: 99, Hours: 50},
			{Cell: 3, Drive: 4, Hours: 1},
			{Cell: 4, Drive: 0, Hours: 7},
		},
		Slow: append(append(append(slowAt(0, 1, 2, 10, 12), slowAt(1, 1, 3, 12)...), slowAt(1, 2, 4, 60)...), slowAt(4, 3, 2, 1)...),
	}
}

func at(hour int64) time.Time { return time.Unix(hour*3600, 0) }

func TestGroups(t *testing.T) {
	events := []Event{
		{Time: at(60), Drive: 1, What: "late"},
		{Time: at(5), Drive: 1, What: "early"},
		{Time: at(49), Drive: 1, What: "between"},
		{Time: at(5), Drive: 8, What: "of nobody"},
	}
	var groups []*Group
	for g := range Groups(moved(), All, Disk, events) {
		groups = append(groups, g)
	}
	if len(groups) != 2 || len(groups[0].Members) != 2 || len(groups[1].Members) != 1 {
		t.Fatalf("groups %+v, want two, of two members and of one", groups)
	}
	m := groups[0].Members[0]
	if m.Hours != 90 || len(m.Seats) != 2 || len(m.Slow) != 2 {
		t.Errorf("the first member is %+v", m)
	}
	if got := whats(groups[0].Members[1]); !reflect.DeepEqual(got, []What{"early", "between"}) {
		t.Errorf("in its first group drive 1 has events %v", got)
	}
	if got := whats(groups[1].Members[0]); !reflect.DeepEqual(got, []What{"late"}) {
		t.Errorf("in its second group drive 1 has events %v", got)
	}
	tails := groups[0].Tails
	if len(tails) != 2 || tails[1].Hour != 12 || tails[1].Slow[0].Drive != 1 || !tails[1].Reaches(2, 2) || tails[1].Reaches(2, 3) || tails[0].Reaches(2, 2) {
		t.Errorf("tails %+v, want one drive at hour 10 and two at hour 12, the slower first", tails)
	}
	for g := range Groups(moved(), Writes, SSD, nil) {
		t.Errorf("there is no such group: %+v", g)
	}
}

// TestThereAndBack has a drive go from one group to another, back, and again
// for a visit; and twice be away for longer.
func TestThereAndBack(t *testing.T) {
	r := &Reduction{
		Cells: []Cell{{Kind: Disk}, {Kind: Disk, Group: 1}},
		Seats: []Seat{
			{Cell: 0, First: 10, Last: 49, Hours: 40},
			{Cell: 0, First: 90, Last: 200, Hours: 100},
			{Cell: 1, First: 50, Last: 79, Hours: 30},
			{Cell: 1, First: 120, Last: 121, Hours: 2},
			{Cell: 1, First: 250, Last: 299, Hours: 50},
		},
	}
	var events []Event
	for _, hour := range []int64{5, 20, 60, 85, 100, 120, 121, 150, 220, 270, 400} {
		events = append(events, Event{Time: at(hour).Add(30 * time.Minute), What: What(fmt.Sprint(hour))})
	}
	var got [][]What
	for g := range Groups(r, All, Disk, events) {
		got = append(got, whats(g.Members[0]))
	}
	want := [][]What{{"5", "20", "100", "150", "220"}, {"60", "85", "120", "121", "270", "400"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}

// TestWorked counts the hours of a drive with several seats.
func TestWorked(t *testing.T) {
	m := Member{Seats: []Seat{{First: 0, Last: 9, Hours: 7}, {First: 10, Last: 19, Hours: 5}, {First: 60, Last: 90, Hours: 30}}}
	for _, test := range []struct {
		hour      int32
		nth, want int64
	}{{4, 3, 3}, {9, 7, 7}, {12, 2, 9}, {70, 11, 23}} {
		if got := m.Worked(SlowHour{Hour: test.hour, Turn: NewTurn(test.nth, false)}); got != test.want {
			t.Errorf("by hour %d the drive has worked for %d hours, want %d", test.hour, got, test.want)
		}
	}
}

// TestBySeat deals slow hours out to seats.
func TestBySeat(t *testing.T) {
	m := Member{Seats: []Seat{{First: 0, Last: 9}, {First: 10, Last: 19}, {First: 60, Last: 90}}, Slow: slowAt(0, 0, 2, 3, 9, 60, 61, 90)}
	var got []int
	for s, slow := range m.BySeat() {
		got = append(got, len(slow))
		for _, h := range slow {
			if h.Hour < s.First || h.Hour > s.Last {
				t.Errorf("hour %d is in the seat from %d to %d", h.Hour, s.First, s.Last)
			}
		}
	}
	if want := []int{2, 0, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("seats have %v slow hours, want %v", got, want)
	}
}

func whats(m Member) []What {
	var out []What
	for _, e := range m.Events {
		out = append(out, e.What)
	}
	return out
}
