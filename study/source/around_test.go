package source

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// hourlyAbout makes records of some drives once an hour, each up to jitter
// seconds before or after the begin of the hour, by drive or by time.
func hourlyAbout(drives, hours, jitter int, byTime bool) string {
	type row struct{ time, drive, latency int }
	rng := rand.New(rand.NewPCG(1, uint64(jitter)))
	var rows []row
	for d := range drives {
		for h := range hours {
			rows = append(rows, row{3600*(h+10) + rng.IntN(2*jitter+1) - jitter, d, 100*h + d})
		}
	}
	if byTime {
		slices.SortStableFunc(rows, func(a, b row) int { return a.time - b.time })
	}
	var text strings.Builder
	text.WriteString("time,group,drive,latency_us\n")
	for _, r := range rows {
		fmt.Fprintf(&text, "%d,g,%d,%d\n", r.time, r.drive, r.latency)
	}
	return text.String()
}

// TestAroundTheHour reads hourly records that are written a little early or
// late: every record is the drive hour that it was made for.
func TestAroundTheHour(t *testing.T) {
	const drives, hours = 3, 50
	tests := map[string]struct {
		description string
		jitter      int
		byTime      bool
		first       int // hour
	}{
		"seconds, by time":         {"", 5, true, 10},
		"seconds, by drive":        {"", 5, false, 10},
		"minutes":                  {"", 14 * 60, true, 10},
		"seconds, times mark ends": {"time: {column: time, marks: end}", 5, true, 9},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := write(t, t.TempDir(), "a.csv", hourlyAbout(drives, hours, tt.jitter, tt.byTime))
			for _, workers := range []int{1, 3} {
				o := options(t, tt.description)
				o.Workers = workers
				s := open(t, o, path)
				var want []string
				for h := range hours {
					for d := range drives {
						want = append(want, fmt.Sprintf("all %d g %d NaN %d NaN", tt.first+h, d, 100*h+d))
					}
				}
				sameLines(t, printed(s.Fleet(), all(t, s)), want)
				if from, to := s.Hours(); from != int32(tt.first) || to != int32(tt.first+hours) || s.Sorted() != tt.byTime {
					t.Errorf("hours %d to %d, sorted %v", from, to, s.Sorted())
				}
				if w := s.Warnings(); len(w) != 1 || !strings.Contains(w[0].Text, "each record counts for the nearest hour") {
					t.Errorf("warnings %v", w)
				}
			}
		})
	}
}

// TestNotAroundTheHour leaves times alone that tell the hour by themselves.
func TestNotAroundTheHour(t *testing.T) {
	tests := map[string]struct {
		every, offset int // seconds
		hours         int // that have records
	}{
		"a minute":             {60, 0, 20},
		"ten minutes":          {600, 0, 20},
		"half an hour":         {1800, 0, 20},
		"half an hour, early":  {1800, -5, 21},
		"three quarters":       {2700, 0, 20},
		"hourly, always early": {3600, -5, 20},
		"hourly, at the half":  {3600, 1800, 20},
	}
	for name, tt := range tests {
		var text strings.Builder
		text.WriteString("time,group,drive,latency_us\n")
		for at := 36_000; at < 36_000+20*3600; at += tt.every {
			fmt.Fprintf(&text, "%d,g,a,1\n", at+tt.offset)
		}
		s := open(t, options(t, ""), write(t, t.TempDir(), "a.csv", text.String()))
		if n := len(all(t, s)); s.shift != 0 || n != tt.hours {
			t.Errorf("%s: %d hours, want %d; shifted by %d", name, n, tt.hours, s.shift)
		}
	}
}

// TestOneSideOfTheHour leaves times alone that are always before full hours, or
// always after them.
func TestOneSideOfTheHour(t *testing.T) {
	for _, side := range []int{-1, 1} {
		text := "time,group,drive,latency_us\n"
		for h := range 50 {
			text += fmt.Sprintf("%d,g,a,%d\n", 3600*(h+10)+side*(1+h%7), h)
		}
		s := open(t, options(t, ""), write(t, t.TempDir(), "a.csv", text))
		if n := len(all(t, s)); n != 50 || s.shift != 0 || len(s.Warnings()) != 0 {
			t.Errorf("side %d: %d hours, shifted by %d, warnings %v", side, n, s.shift, s.Warnings())
		}
	}
}

// TestUnevenDrives warns of a host whose records are about full hours, though
// those of the others are not.
func TestUnevenDrives(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	text := "time,group,drive,latency_us\n"
	for h := range 100 {
		for host := range 60 {
			text += fmt.Sprintf("%d,g,%02d,1\n", 3600*(h+10)+60*host+rng.IntN(11)-5, host)
		}
	}
	s := open(t, options(t, ""), write(t, t.TempDir(), "a.csv", text))
	all(t, s)
	w := s.Warnings()
	if len(w) != 1 || !strings.HasPrefix(w[0].Text, "1 drive (the first is 00) has two records in some hours") {
		t.Errorf("warnings %v", w)
	}
}

// TestUneven warns of hourly records that stray too far to be told by the
// clock, and accounts for every record.
func TestUneven(t *testing.T) {
	tests := map[string]struct {
		in      string
		records int64
		uneven  bool
	}{
		"25 minutes": {hourlyAbout(3, 100, 25*60, true), 300, true},
		"none":       {hourlyAbout(3, 100, 0, true), 0, false},
		"5 seconds":  {hourlyAbout(3, 100, 5, true), 300, false},
		"half hours": {"time,group,drive,latency_us\n3600,g,a,1\n5400,g,a,1\n5400,g,a,2\n7200,g,a,3\n9000,g,a,3\n10800,g,a,3\n12600,g,a,3\n", 7, false},
	}
	for name, tt := range tests {
		s := open(t, options(t, ""), write(t, t.TempDir(), "a.csv", tt.in))
		rows, f := int64(len(all(t, s))), s.Folding()
		if f.Records != tt.records || tt.records > 0 && f.Hours != rows || f.Repeated+f.Merged()+f.Hours != f.Records {
			t.Errorf("%s: %+v of %d drive hours", name, f, rows)
		}
		last := ""
		if w := s.Warnings(); len(w) > 0 {
			last = w[len(w)-1].Text
		}
		if strings.Contains(last, "Hours between two records may be lost") != tt.uneven {
			t.Errorf("%s: warned of %q", name, last)
		}
	}
}
