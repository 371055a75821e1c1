package tabular

import (
	"strconv"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	at := func(text string) int64 {
		v, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return v.UnixNano()
	}
	tests := []struct {
		format, zone, text string
		want, again        int64
	}{
		{"", "", "0", 0, 0},
		{"", "", "1767225600", at("2026-01-01T00:00:00Z"), 0},
		{"", "", "20260101", at("2026-01-01T00:00:00Z"), 0},
		{"", "Europe/Berlin", "20260701", at("2026-06-30T22:00:00Z"), 0},
		{"", "", "20261301", at("1970-08-23T12:08:21Z"), 0}, // no day
		{"unix", "", "20260101", at("1970-08-23T11:48:21Z"), 0},
		{"", "", "1767225600.5", at("2026-01-01T00:00:00.5Z"), 0},
		{"", "", "2026-01-31T00:00:00Z", at("2026-01-31T00:00:00Z"), 0},
		{"", "", "2026-02-28T01:02:03Z", at("2026-02-28T01:02:03Z"), 0},
		{"", "", "2026-02-30T01:02:03Z", NoTime, 0},
		{"", "", "2026-01-01T00:00:00+01:00", at("2025-12-31T23:00:00Z"), 0},
		{"", "Europe/Berlin", "2026-01-01 00:00:00", at("2025-12-31T23:00:00Z"), 0},
		{"", "Europe/Berlin", "2026-07-01", at("2026-06-30T22:00:00Z"), 0},
		{"", "", "today", NoTime, 0},
		{"", "", "", NoTime, 0},
		{"", "", "-1", strangeTime, 0},
		{"", "", "1767225600000", strangeTime, 0}, // milliseconds, as seconds in the year 57970
		{"unix", "", "2026-01-01T00:00:00Z", NoTime, 0},
		{"unix_ms", "", "1767225600001", at("2026-01-01T00:00:00.001Z"), 0},
		{"unix_ns", "", "1767225600000000001", at("2026-01-01T00:00:00.000000001Z"), 0},
		{"rfc3339", "", "1767225600", NoTime, 0},
		{"rfc3339", "", "1969-12-31T23:59:59Z", strangeTime, 0},
		{"%d.%m.%Y %H:%M", "", "31.12.2025 23:59", at("2025-12-31T23:59:00Z"), 0},
		{"2006-01-02 15:04 -0700", "Asia/Tokyo", "2026-01-01 00:00 +0000", at("2026-01-01T00:00:00Z"), 0},
		{"2006-01-02 15:04 MST", "Europe/Berlin", "2026-10-25 02:30 CEST", at("2026-10-25T00:30:00Z"), 0},
		{"2006-01-02 15:04 MST", "Europe/Berlin", "2026-10-25 02:30 CET", at("2026-10-25T01:30:00Z"), 0},
		{"2006-01-02 15:04", "Europe/Berlin", "2026-10-25 01:59", at("2026-10-24T23:59:00Z"), 0},
		{"2006-01-02 15:04", "Europe/Berlin", "2026-10-25 02:00", at("2026-10-25T00:00:00Z"), at("2026-10-25T01:00:00Z")},
		{"2006-01-02 15:04", "Europe/Berlin", "2026-10-25 02:59", at("2026-10-25T00:59:00Z"), at("2026-10-25T01:59:00Z")},
		{"2006-01-02 15:04", "Europe/Berlin", "2026-10-25 03:00", at("2026-10-25T02:00:00Z"), 0},
		{"2006-01-02 15:04", "Europe/Berlin", "2026-03-29 01:59", at("2026-03-29T00:59:00Z"), 0},
		{"2006-01-02 15:04", "Europe/Berlin", "2026-03-29 02:00", skippedTime, 0},
		{"2006-01-02 15:04", "Europe/Berlin", "2026-03-29 02:59", skippedTime, 0},
		{"2006-01-02 15:04", "Europe/Berlin", "2026-03-29 03:00", at("2026-03-29T01:00:00Z"), 0},
		// Lord Howe Island puts its clocks back by half an hour, at 02:00.
		{"2006-01-02 15:04", "Australia/Lord_Howe", "2026-04-05 01:29", at("2026-04-04T14:29:00Z"), 0},
		{"2006-01-02 15:04", "Australia/Lord_Howe", "2026-04-05 01:30", at("2026-04-04T14:30:00Z"), at("2026-04-04T15:00:00Z")},
		{"2006-01-02 15:04", "Asia/Kolkata", "2026-01-01 05:30", at("2026-01-01T00:00:00Z"), 0},
	}
	for _, tt := range tests {
		c, err := NewClock(tt.format, tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got, again := c.Parse([]byte(tt.text)); got != tt.want || again != tt.again {
			t.Errorf("%q in %q of %q: got %d, %d; want %d, %d", tt.text, tt.format, tt.zone, got, again, tt.want, tt.again)
		}
	}
}

// TestZone holds walls against Go's own clock over two years: what a wall
// shows at a time is read as that time.
func TestZone(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "America/Santiago"} {
		location, err := time.LoadLocation(name)
		if err != nil {
			t.Skipf("zone %s is absent", name)
		}
		z := newZone(location)
		start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		for at := start; at.Before(start.AddDate(2, 0, 0)); at = at.Add(10 * time.Minute) {
			_, offset := at.In(location).Zone()
			wall := at.UnixNano() + int64(offset)*int64(time.Second)
			if ns, again := z.utc(wall); ns != at.UnixNano() && again != at.UnixNano() {
				t.Fatalf("%s: the wall of %v is read as %d or %d", name, at, ns, again)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, bad := range [][2]string{{"%Q", ""}, {"15:04", ""}, {"", "Mars/Olympus"}, {"%H:%M", ""}} {
		if _, err := NewClock(bad[0], bad[1]); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"1767225600", "2026-01-01T00:00:00Z", "2026-10-25 02:30:00", "1e9", "-0", "9999999999999999999"} {
		f.Add(text)
	}
	plain, _ := NewClock("", "")
	local, _ := NewClock("%Y-%m-%d %H:%M:%S", "Europe/Berlin")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range []*Clock{plain, local} {
			ns, again := c.Parse([]byte(text))
			if ns != NoTime && ns != strangeTime && ns != skippedTime && (ns < 0 || ns >= endOfTimes) {
				t.Errorf("%q is read as %d", text, ns)
			}
			if again != 0 && (again <= ns || ns < 0) {
				t.Errorf("%q is %d and then %d", text, ns, again)
			}
			// RFC 3339 by hand is RFC 3339.
			if at, err := time.Parse(time.RFC3339, text); err == nil && c == plain && ns >= 0 && ns != at.UnixNano() {
				t.Errorf("%q is read as %d, and is %d", text, ns, at.UnixNano())
			}
		}
	})
}

// TestIntegerIsText: a number is the same time as its digits.
func TestIntegerIsText(t *testing.T) {
	for _, format := range []string{"", "unix", "unix_ms", "2006", "20060102"} {
		c, err := NewClock(format, "")
		if err != nil {
			continue // the year alone is none
		}
		for _, v := range []int64{-1, 0, 3600, 19691231, 19700101, 20260101, 20261301, 21991231, 22000101, 1767225600, 1767225600000} {
			got, _ := c.Integer(v)
			if want, _ := c.Parse([]byte(strconv.FormatInt(v, 10))); got != want {
				t.Errorf("%q: %d is %d, as text %d", format, v, got, want)
			}
		}
	}
}

func TestHint(t *testing.T) {
	tests := []struct{ format, text, want string }{
		{"", "1767225600000", "write the format of the time, probably unix_ms"},
		{"", "1767225600000000", "write the format of the time, probably unix_us"},
		{"unix", "1767225600000000000", "write the format of the time, probably unix_ns"},
		{"", "1767225600000.5", "write the format of the time, probably unix_ms"},
		{"", "09.05.2026 00:00:00", `write the format of the time, probably "%d.%m.%Y %H:%M:%S"`},
		{"", "05/09/2026 00:00:00", `write the format of the time, probably "%m/%d/%Y %H:%M:%S", or "%d/%m/%Y %H:%M:%S" if the day is first`},
		{"", "13/05/2026 00:00", `write the format of the time, probably "%d/%m/%Y %H:%M"`},
		{"", "yesterday", "write the format or the time zone of the time"},
		{"", "-1", "write the format or the time zone of the time"},
		{"rfc3339", "1767225600000", "write the format or the time zone of the time"},
	}
	for _, tt := range tests {
		c, err := NewClock(tt.format, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Hint([]byte(tt.text)); got != tt.want {
			t.Errorf("%q of %q: %s, want %s", tt.format, tt.text, got, tt.want)
		}
	}
}
