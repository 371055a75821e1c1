package period

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := LoadZone("Europe/Berlin", "")
	if err != nil {
		t.Skip("this machine has no time zones: ", err)
	}
	return zone
}

func TestParse(t *testing.T) {
	c := Clock{Now: time.Date(2026, 5, 9, 6, 30, 0, 0, time.UTC), Zone: berlin(t)}
	for _, tt := range []struct{ text, since, until string }{
		{"2026-05-08", "2026-05-07T22:00:00Z", "2026-05-08T22:00:00Z"},
		{"2026-05-08 10:00", "2026-05-08T08:00:00Z", ""},
		{"2026-05-08 10:00:30", "2026-05-08T08:00:30Z", ""},
		{"2026-05-08T10:00", "2026-05-08T08:00:00Z", ""},
		{"2026-05-08T10:00Z", "2026-05-08T10:00:00Z", ""},
		{"2026-05-08 10:00:00+05:30", "2026-05-08T04:30:00Z", ""},
		{"today", "2026-05-08T22:00:00Z", "2026-05-09T22:00:00Z"},
		{"yesterday", "2026-05-07T22:00:00Z", "2026-05-08T22:00:00Z"},
		{"now", "2026-05-09T06:30:00Z", ""},
		{"2h", "2026-05-09T04:30:00Z", ""},
		{"2h ago", "2026-05-09T04:30:00Z", ""},
		{"-90m", "2026-05-09T05:00:00Z", ""},
		{"1d12h", "2026-05-07T18:30:00Z", ""},
		{"1.5h", "2026-05-09T05:00:00Z", ""},
		{"1w", "2026-05-02T06:30:00Z", ""},
		{"@1305619200", "2011-05-17T08:00:00Z", ""},
		{"2026-03-29 02:30", "clocks are set forward", ""}, // the hour that Berlin skips
		{"", "is not a time", ""},
		{"soon", "is not a time", ""},
		{"2h30", "is not a time", ""},
		{"@-1", "is not a time", ""},
		{"999999999w", "is not a time", ""},
		{"2026-02-30", "is not a time", ""},
		{"1969-12-31", "is before 1970", ""},
	} {
		check := func(end bool, want string) {
			got, err := c.Parse(tt.text, end)
			switch {
			case err != nil && !strings.Contains(err.Error(), want), err == nil && got.UTC().Format(time.RFC3339) != want:
				t.Errorf("%q (end %v): %v, %v, want %s", tt.text, end, got.UTC(), err, want)
			}
		}
		check(false, tt.since)
		if tt.until == "" {
			tt.until = tt.since
		}
		check(true, tt.until)
	}
}

func TestPeriod(t *testing.T) {
	c := Clock{Now: time.Date(2026, 5, 9, 6, 30, 0, 0, time.UTC)}
	for _, tt := range []struct{ since, until, want string }{
		{"", "", "all times"},
		{"2h", "", "since 2026-05-09 04:30:00Z"},
		{"", "yesterday", "until 2026-05-09 00:00:00Z"},
		{"yesterday", "yesterday", "from 2026-05-08 00:00:00Z to 2026-05-09 00:00:00Z"},
		{"1h", "2h", "--until 2h (2026-05-09 04:30:00Z) is not after --since 1h (2026-05-09 05:30:00Z): give a later --until or an earlier --since"},
		{"2026-03-02", "2026-03-01", "--until 2026-03-01 (2026-03-02 00:00:00Z) is not after --since 2026-03-02 (2026-03-02 00:00:00Z): "},
		{"2026-03-02 00:00:00Z", "2026-03-01 00:00:00Z", "--until 2026-03-01 00:00:00Z is not after --since 2026-03-02 00:00:00Z: "},
		{"soon", "", `--since "soon" is not a time`},
		{"", "soon", `--until "soon" is not a time`},
	} {
		p, err := c.New(tt.since, tt.until)
		got := p.Text(nil)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("since %q until %q: %s", tt.since, tt.until, got)
		}
	}
	p, _ := c.New("2h", "1h")
	if p.Holds(p.Since.Unix()-15, p.Since.Unix()) || !p.Holds(p.Since.Unix(), p.Since.Unix()+15) {
		t.Error("a step belongs to the period that it lies in whole")
	}
}

func TestOutside(t *testing.T) {
	p := Period{Since: time.Date(2026, 5, 9, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)}
	at := func(month, day int) time.Time { return time.Date(2026, time.Month(month), day, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		path    string
		written time.Time
		outside bool
	}{
		{"fs1-20260507T000005Z.sa.xz", at(11, 1), true}, // its day and a day of doubt end before
		{"fs1-20260508T000005Z.sa.xz", at(11, 1), false},
		{"fs1-20260509T000005Z.sa", at(1, 1), false}, // the name goes before the time of writing
		{"fs1-20260512T000005Z.sa", time.Time{}, true},
		{"sa20260507", at(11, 1), true},
		{"sa20260509", at(1, 1), false},
		{"sa20260511", at(11, 1), false},
		{"sa20260512.xz", at(11, 1), true},
		{"sa14", at(5, 7), true}, // last written before
		{"sa14", at(5, 9), false},
		{"sa14", time.Time{}, false},
		{"2026-05-01.csv", at(11, 1), false}, // may be a month
		{"2026-05-01.csv", at(5, 2), true},
		{"2026-05-12.parquet", at(11, 1), true},
		{"2026-05-01-2026-05-31.csv", at(11, 1), false}, // two dates
		{"part.12345678.csv", at(11, 1), false},         // no date
	} {
		if got := p.Outside(File{"/data/" + tt.path, tt.written}); got != tt.outside {
			t.Errorf("%s, written %s: outside %v", tt.path, tt.written.Format(time.DateOnly), got)
		}
	}
	if (Period{}).Outside(File{"sa20260507", at(1, 1)}) {
		t.Error("nothing is outside of all times")
	}
}

func TestLoadZone(t *testing.T) {
	berlin(t)
	for _, tt := range []struct{ name, tz, want string }{
		{"", "", "UTC"}, {"", "Europe/Berlin", "Europe/Berlin"}, {"UTC", "Europe/Berlin", "UTC"}, {"", ":Asia/Tokyo", "Asia/Tokyo"}, {"local", "", "Local"},
	} {
		zone, err := LoadZone(tt.name, tt.tz)
		if err != nil || zone.String() != tt.want {
			t.Errorf("--tz %q, TZ %q: %v, %v", tt.name, tt.tz, zone, err)
		}
	}
	if _, err := LoadZone("Mars/Olympus", ""); err == nil || !strings.Contains(err.Error(), "Europe/Berlin") {
		t.Error(err)
	}
}

// TestZoneOfEnvironment: TZ may begin with a colon and may name a file. If limpet cannot read the
// value of TZ, the error names TZ, its value, and --tz.
func TestZoneOfEnvironment(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "zoneinfo", "Europe", "Berlin")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	// The file has one offset from UTC, an hour, with the name CET.
	header := "TZif" + strings.Repeat("\x00", 16) + strings.Repeat("\x00", 16) + "\x00\x00\x00\x01" + "\x00\x00\x00\x04"
	if err := os.WriteFile(file, []byte(header+"\x00\x00\x0e\x10\x00\x00"+"CET\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "localtime")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, tz := range []string{file, ":" + file, link, ":" + link} {
		zone, err := LoadZone("", tz)
		if err != nil {
			t.Errorf("TZ=%s: %v", tz, err)
			continue
		}
		if got := time.Unix(0, 0).In(zone).Format("15:04 MST"); got != "01:00 CET" || zone.String() != "Europe/Berlin" {
			t.Errorf("TZ=%s: %s in zone %s", tz, got, zone)
		}
	}
	for _, tz := range []string{"CET-1CEST,M3.5.0,M10.5.0/3", ":" + filepath.Join(dir, "missing"), dir} {
		_, err := LoadZone("", tz)
		if value := strconv.Quote(strings.TrimPrefix(tz, ":")); err == nil || !strings.Contains(err.Error(), "variable TZ is "+value) || !strings.Contains(err.Error(), "--tz Europe/Berlin") {
			t.Errorf("TZ=%s: %v", tz, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2h", "yesterday", "2026-05-09 08:00Z", "@1", "1d12h ago"} {
		f.Add(s)
	}
	c := Clock{Now: time.Unix(1.7e9, 0)}
	f.Fuzz(func(t *testing.T, text string) {
		if at, err := c.Parse(text, false); err == nil && at.IsZero() {
			t.Errorf("%q is the zero time, which stands for an open end", text)
		}
	})
}
