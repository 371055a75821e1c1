package tabular

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"
)

func TestClockFormats(t *testing.T) {
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
		{"%a %D %T", "", "Mon 07/18/22 12:00:00", "12:00:00"},
		{"%A, %d %h %Y %R", "", "Monday, 18 Jul 2022 12:00", "12:00:00"},
		{"%Y%%%j %T", "", "2022%199 12:00:00", "12:00:00"},
		{"%e %B %y%t%R", "", "18 July 22\t12:00", "12:00:00"},
	}
	for _, tt := range tests {
		c, err := NewClock(tt.format, tt.zone)
		if err != nil {
			t.Fatalf("%s: %v", tt.format, err)
		}
		ns, _ := c.Parse([]byte(tt.in))
		got := "no"
		switch {
		case ns == strangeTime:
			got = "strange"
		case ns >= 0:
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

// FuzzNew takes any text for a format: a clock, or an error that says it.
func FuzzNew(f *testing.F) {
	for _, seed := range []string{"unix", "%a %D", "%%", "%", "2006-01-02", "15:04"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, format string) {
		c, err := NewClock(format, "")
		if err != nil {
			return
		}
		day := time.Date(2021, time.November, 23, 0, 0, 0, 0, time.UTC)
		if c.layout != "" && strings.TrimSpace(c.layout) == c.layout {
			if ns, _ := c.Parse([]byte(day.Format(c.layout))); ns != day.UnixNano() {
				t.Errorf("%q does not read the day that it writes", format)
			}
		}
	})
}

// TestUnixTwin holds the digits read by hand against the standard library.
func TestUnixTwin(t *testing.T) {
	for _, text := range []string{"0", "00", "1658145600", "999999999999999999", "9999999999999999999", "1e9", "", "-1", "1.5", " 7", "7 ", "x", "1_000", "+5"} {
		for _, unit := range unixUnits {
			got, ok := parseUnix([]byte(text), int64(unit))
			want, wantOK := parseUnixPlain([]byte(text), int64(unit))
			if got != want || ok != wantOK {
				t.Errorf("%q by %v is %d %v, want %d %v", text, unit, got, ok, want, wantOK)
			}
		}
	}
}

// TestConversionsAreDocumented holds docs/tables.md against what is read.
func TestConversionsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(checkout.Path(t, "docs/tables.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, row, _ := strings.Cut(string(text), "| a layout of strftime(3) |")
	row, _, _ = strings.Cut(row, "\n")
	var documented, known []string
	for _, word := range strings.Fields(strings.Trim(row, " |")) {
		documented = append(documented, strings.Trim(word, "`%"))
	}
	for c := range strftime {
		known = append(known, strings.Trim(string(c), "%"))
	}
	slices.Sort(documented)
	slices.Sort(known)
	if !slices.Equal(documented, known) {
		t.Errorf("docs/tables.md has %q, the reader %q", documented, known)
	}
}
