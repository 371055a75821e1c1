package tables

import (
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	const noon = 1658145600 // 2022-07-18 12:00:00 UTC
	tests := []struct {
		format, zone, in string
		want             string // UTC, or no, or strange
	}{
		{"unix", "", "1658145600", "12:00:00"},
		{"unix", "", " 1658145600", "12:00:00"},
		{"unix", "", "1658145600.25", "12:00:00.25"},
		{"unix", "", "1.6581456e9", "12:00:00"},
		{"unix", "", "1658145600000", "strange"},
		{"unix", "", "18446744074", "strange"}, // in range if 64 bits wrap
		{"unix", "", "99999999999999999999", "strange"},
		{"unix", "", "-1", "strange"},
		{"unix", "", "ts", "no"},
		{"unix", "", "", "no"},
		{"unix", "", "NaN", "no"},
		{"unix", "", "Inf", "strange"},
		{"unix_ms", "", "1658145600250", "12:00:00.25"},
		{"unix_us", "", "1658145600000250", "12:00:00.00025"},
		{"unix_ns", "", "1658145600000000250", "12:00:00.00000025"},
		{"rfc3339", "", "2022-07-18T12:00:00Z", "12:00:00"},
		{"rfc3339", "", "2022-07-18T14:00:00.5+02:00", "12:00:00.5"},
		{"rfc3339", "Europe/Berlin", "2022-07-18T12:00:00Z", "12:00:00"},
		{"rfc3339", "", "2022-07-18 12:00:00", "no"},
		{"rfc3339", "", "9999-07-18T12:00:00Z", "strange"},
		{"2006-01-02 15:04:05", "", "2022-07-18 12:00:00", "12:00:00"},
		{"2006-01-02 15:04:05", "", "2022-07-18 12:00:00.125 ", "12:00:00.125"},
		{"2006-01-02 15:04:05", "Europe/Berlin", "2022-07-18 14:00:00", "12:00:00"},
		{"2006-01-02 15:04:05", "", "2022-07-18", "no"},
		{"%Y-%m-%d %H:%M:%S", "", "2022-07-18 12:00:00", "12:00:00"},
		{"%Y-%m-%dT%H:%M:%S.%f%z", "", "2022-07-18T14:00:00.500000+0200", "12:00:00.5"},
		{"%d/%b/%Y:%T", "", "18/Jul/2022:12:00:00", "12:00:00"},
		{"%F %I:%M %p", "", "2022-07-18 12:00 PM", "12:00:00"},
	}
	for _, tt := range tests {
		c, err := newClock(tt.format, tt.zone)
		if err != nil {
			t.Fatalf("%s: %v", tt.format, err)
		}
		ns, ok := c.parse([]byte(tt.in))
		got := "no"
		switch {
		case ok && !inRange(ns):
			got = "strange"
		case ok:
			got = time.Unix(0, ns).UTC().Format("15:04:05.999999999")
			if day := time.Unix(0, ns).UTC().Format(time.DateOnly); day != "2022-07-18" {
				got += " on " + day
			}
		}
		if got != tt.want {
			t.Errorf("%s %s reads %q as %s, want %s (noon is %d)", tt.format, tt.zone, tt.in, got, tt.want, noon)
		}
	}
}

func FuzzClock(f *testing.F) {
	for _, seed := range []string{"1658145600", "1658145600.25", "2022-07-18T12:00:00Z", "2022-07-18 12:00:00", "-1", "1e300", "\xff"} {
		f.Add([]byte(seed))
	}
	var clocks []clock
	for _, format := range []string{"unix", "unix_ms", "unix_us", "unix_ns", "rfc3339", "%Y-%m-%d %H:%M:%S"} {
		c, err := newClock(format, "")
		if err != nil {
			f.Fatal(err)
		}
		clocks = append(clocks, c)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for i := range clocks {
			if ns, ok := clocks[i].parse(in); ok && inRange(ns) && stepOf(ns, 15) < 0 {
				t.Errorf("%s reads %q as %d", clocks[i].format, in, ns)
			}
		}
	})
}
