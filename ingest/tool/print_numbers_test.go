package tool

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTimesOfNumberTables: whatever the column of times is called and however its times are written,
// the lines of one time are one look, and a time is never a part of the name of a component.
func TestTimesOfNumberTables(t *testing.T) {
	start := time.Date(2026, 3, 8, 21, 0, 0, 0, time.UTC)
	for name, layout := range map[string]string{
		"time": "2006-01-02 15:04:05", "@timestamp": "2006-01-02T15:04:05.000Z07:00", "_time": "2006-01-02T15:04:05.000-0700",
		"Time (UTC)": "2006-01-02 15:04:05", "collected_at": time.RFC3339, "Datum": "02.01.2006 15:04:05", "Zeit": "02.01.2006 15:04",
		"fecha": "2006/01/02 15:04", "when": "2 Jan 2006 15:04:05", "minute": "15:04:05", "date time": "2006-01-02 15:04:05",
		"epoch": "unix", "sample_time": "unix", "ts": "unix", "x": "1/2/2006 3:04:05 PM",
	} {
		for _, separator := range []string{";", ",", "\t", " "} {
			header := name
			if separator == " " {
				if strings.Count(layout, " ") > 1 || strings.Contains(layout, "Jan") {
					continue
				}
				header = strings.ReplaceAll(name, " ", "_")
				if strings.Contains(layout, " ") {
					header = "day clock"
				}
			}
			text := strings.Join([]string{header, "server", "disk", "iops", "latency_ms"}, separator) + "\n"
			if separator == " " {
				text = header + " server disk iops latency_ms\n"
			}
			for minute := range 4 {
				at := start.Add(time.Duration(minute) * time.Minute)
				stamp := at.Format(layout)
				if layout == "unix" {
					stamp = fmt.Sprint(at.Unix())
				}
				for disk := range 3 {
					text += strings.Join([]string{stamp, "nas1", fmt.Sprintf("sd%c", 'a'+disk), "120", fmt.Sprintf("4.%d", disk)}, separator) + "\n"
				}
			}
			p := ReadTable("w.csv", []byte(text))
			if len(p.Looks) != 4 || len(p.Notes) > 0 {
				t.Errorf("column %q, separator %q: %d looks instead of 4, notes %v\n%.200s", name, separator, len(p.Looks), p.Notes, text)
				continue
			}
			for _, l := range p.Looks {
				if len(l.Samples) != 3 || l.Samples[0].Component != "nas1/sda" {
					t.Errorf("column %q, separator %q: %d samples, the first is %q", name, separator, len(l.Samples), l.Samples[0].Component)
				}
			}
		}
	}
}

// TestNamesThatLookLikeTimes: slots, addresses and LUNs are names, also if they have colons and dots.
func TestNamesThatLookLikeTimes(t *testing.T) {
	for _, name := range []string{"32:10", "252:4", "1.07.4", "10.0.0.12", "0:0:1:0", "8:16", "2026", "nvme0n1", "1-2-3"} {
		if isTime(name) {
			t.Errorf("%q is not a time", name)
		}
	}
	text := "slot,latency_ms\n32:10,4.1\n32:11,4.2\n32:12,4.3\n"
	if p := ReadTable("slots.csv", []byte(text)); len(p.Looks) != 1 || len(p.Looks[0].Samples) != 3 {
		t.Errorf("%d looks", len(p.Looks))
	}
}
