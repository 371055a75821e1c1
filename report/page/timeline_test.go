package page

import (
	"strings"
	"testing"
	"time"
)

func TestTicksOfAClock(t *testing.T) {
	tests := []struct {
		begin  string
		length time.Duration
		most   int
		want   string
	}{
		{"2024-05-01 12:00:00", time.Minute, 7, "12:00:00/2024-05-01 12:00:10 12:00:20 12:00:30 12:00:40 12:00:50 12:01:00"},
		{"2024-05-01 12:00:00", 24 * time.Hour, 9, "12:00/2024-05-01 15:00 18:00 21:00 00:00/2024-05-02 03:00 06:00 09:00 12:00"},
		{"2024-05-01 12:00:00", 24 * time.Hour, 4, "12:00/2024-05-01 00:00/2024-05-02 12:00"},
		{"2024-05-01 12:00:01", 3 * time.Hour, 2, "14:00/2024-05-01"},
		{"2024-05-01 00:00:00", 8 * 24 * time.Hour, 9, "05-01/2024 05-02 05-03 05-04 05-05 05-06 05-07 05-08 05-09"},
		{"2023-12-01 00:00:00", 60 * 24 * time.Hour, 9, "12-04/2023 12-11 12-18 12-25 01-01/2024 01-08 01-15 01-22 01-29"},
		{"2011-01-20 00:00:00", 474 * 24 * time.Hour, 9, "2011-03 2011-05 2011-07 2011-09 2011-11 2012-01 2012-03 2012-05"},
		{"1990-01-01 00:00:00", 20 * 366 * 24 * time.Hour, 5, "1990-01 1995-05 2000-09 2006-01"},
	}
	for _, tt := range tests {
		begin, err := time.Parse(time.DateTime, tt.begin)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tick := range newClock(seconds(begin), seconds(begin.Add(tt.length))).ticks(tt.most) {
			got = append(got, strings.TrimSuffix(tick.Text+"/"+tick.Below, "/"))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s from %s in %d ticks: %s, want %s", tt.length, tt.begin, tt.most, strings.Join(got, " "), tt.want)
		}
	}
}

func TestClockOfATimeline(t *testing.T) {
	lanes := []Lane{
		{Intervals: []Interval{{Begin: 20, Early: 10, Late: 30, Open: true}, {Begin: 15, End: 40}}},
		{Moments: []Moment{{At: 50}}},
	}
	tests := []struct {
		line Timeline
		want clock
	}{
		{Timeline{Lanes: lanes}, clock{10, 50}},
		{Timeline{Lanes: lanes, Begin: 12, End: 13}, clock{12, 13}},
		{Timeline{Lanes: lanes[1:]}, clock{-10, 110}},
	}
	for _, tt := range tests {
		if got := tt.line.clock(); got != tt.want {
			t.Errorf("clock %v, want %v", got, tt.want)
		}
	}
}

func TestWhereItemsLie(t *testing.T) {
	c := clock{0, 100}
	at := func(i Interval) string {
		items := Lane{Intervals: []Interval{i}}.items(c)
		if len(items) == 0 {
			return "nowhere"
		}
		it := items[0]
		return strings.Join([]string{it.Early, it.Late, it.X, it.Width}, " ")
	}
	tests := []struct {
		name string
		in   Interval
		want string
	}{
		{"certain", Interval{Begin: 20, End: 60}, "  20% 40%"},
		{"uncertain", Interval{Begin: 20, Early: 10, Late: 30, End: 60}, "10% 30% 30% 30%"},
		{"over before it surely began", Interval{Begin: 20, Early: 10, Late: 30, End: 25}, "10% 25% 25% 0%"},
		{"open", Interval{Begin: 20, Open: true}, "  20% 80%"},
		{"cut at both ends", Interval{Begin: -20, End: 120}, "  0% 100%"},
		{"before", Interval{Begin: -20, End: -10}, "nowhere"},
		{"after", Interval{Begin: 120, Open: true}, "nowhere"},
	}
	for _, tt := range tests {
		if got := at(tt.in); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestLabelsFindRoom(t *testing.T) {
	c := clock{0, 100}
	tests := []struct {
		name string
		lane Lane
		want string
	}{
		{"on the bar", Lane{Intervals: []Interval{{Label: "abc", Begin: 10, End: 60}}}, "abc inside"},
		{"after it", Lane{Intervals: []Interval{{Label: "abc", Begin: 10, End: 11}}}, "abc "},
		{"before it", Lane{Intervals: []Interval{{Label: "abc", Begin: 98, End: 99}}}, "abc before"},
		{"between two", Lane{Intervals: []Interval{{Label: "a", Begin: 50, End: 51}, {Label: "b", Begin: 52, End: 53}}}, "a before, b "},
		{"one over the other", Lane{Intervals: []Interval{{Label: "a", Begin: 50, End: 51}}, Moments: []Moment{{Label: "b", At: 50.5}}}, ", "},
		{"too long", Lane{Moments: []Moment{{Label: strings.Repeat("long", 60), At: 50}}}, ""},
	}
	for _, tt := range tests {
		var got []string
		for _, it := range tt.lane.items(c) {
			if it.Text == nil {
				got = append(got, "")
				continue
			}
			got = append(got, it.Text.Label+" "+it.Text.Where)
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, strings.Join(got, ", "), tt.want)
		}
	}
}
