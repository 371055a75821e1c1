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

// TestDatesThatAreNoTimes: a column with dates of drives, such as the day of installation, does not
// separate the drives into looks. The table has one line for each drive, or a line for each drive in
// each of two looks.
func TestDatesThatAreNoTimes(t *testing.T) {
	for name, values := range map[string][4]string{
		"installed": {"2021-03-04", "2022-05-06", "2020-01-02", "2023-07-08"}, "in_service": {"2021-03-04", "2022-05-06", "2023-01-02", "2024-07-08"},
		"birth_time": {"2021-03-04 10:00:00", "2021-03-04 11:00:00", "2021-03-05 10:00:00", "2021-03-06 10:00:00"},
		"firmware":   {"2021.3.4", "2021.3.4", "2022.5.6", "2022.5.6"}, "rev": {"2021.3.4", "2021.3.4", "2021.3.4", "2021.3.4"},
		"fw_date": {"2021.3.4", "2021.3.4", "2022.5.6", "2022.5.6"}, "level": {"2021.3.4", "2021.3.4", "2021.3.4", "2021.3.4"},
		"purchase date": {"03/04/2021", "03/04/2021", "05/06/2022", "05/06/2022"}, "last_error": {"2026-03-01", "2026-03-04", "2026-03-04", "2026-03-02"},
		"install_date": {"1614816000", "1651795200", "1651795200", "1688774400"}, "delivery_date": {"1614816000", "1651795200", "1651795200", "1688774400"},
	} {
		for rounds := 1; rounds <= 2; rounds++ {
			text := "disk," + name + ",latency_ms\n"
			for round := range rounds {
				for i, value := range values {
					text += fmt.Sprintf("sd%c,%s,%d.%d\n", 'a'+i, value, 3+round, i)
				}
			}
			p := ReadTable("d.csv", []byte(text))
			if len(p.Looks) != rounds || len(p.Notes) > 0 {
				t.Errorf("column %q, %d rounds: %d looks, notes %v", name, rounds, len(p.Looks), p.Notes)
				continue
			}
			for _, l := range p.Looks {
				if len(l.Samples) != 4 || l.Samples[0].Component != "sda" || len(l.Samples[0].Values) != 1 {
					t.Errorf("column %q, %d rounds: samples %v", name, rounds, l.Samples)
				}
			}
		}
	}
}

// TestOrderOfTimes: a column with an unknown name has the times also if the newest line is the first
// line, and if the lines of a component follow each other.
func TestOrderOfTimes(t *testing.T) {
	for name, text := range map[string]string{
		"newest first":      "x,disk,latency_ms\n2026-03-08 21:01:00,sda,4\n2026-03-08 21:01:00,sdb,4\n2026-03-08 21:00:00,sda,4\n2026-03-08 21:00:00,sdb,4\n",
		"by component":      "x,disk,latency_ms\n2026-03-08 21:00:00,sda,4\n2026-03-08 21:01:00,sda,4\n2026-03-08 21:00:00,sdb,4\n2026-03-08 21:01:00,sdb,4\n",
		"day first":         "x,disk,latency_ms\n31/01/2026 21:00:00,sda,4\n31/01/2026 21:00:00,sdb,4\n01/02/2026 21:00:00,sda,4\n01/02/2026 21:00:00,sdb,4\n",
		"another date":      "x,last error,disk,latency_ms\n2026-03-08 21:00:00,2026-01-02,sda,4\n2026-03-08 21:00:00,2026-01-01,sdb,4\n2026-03-08 21:01:00,2026-01-02,sda,4\n2026-03-08 21:01:00,2026-01-03,sdb,4\n",
		"known name":        "last error,disk,collected_at,latency_ms\n2026-01-01,sda,2026-03-08 21:01:00,4\n2026-01-01,sdb,2026-03-08 21:00:00,4\n2026-01-02,sda,2026-03-08 21:00:00,4\n2026-01-02,sdb,2026-03-08 21:01:00,4\n",
		"without header":    "2026-03-08 21:00:00,sda,4ms\n2026-03-08 21:00:00,sdb,4ms\n2026-03-08 21:01:00,sda,4ms\n2026-03-08 21:01:00,sdb,4ms\n",
		"one line each":     "x,disk,latency_ms\n2026-03-08 21:00:00,sda,4\n2026-03-08 21:00:00,sdb,4\n2026-03-08 21:01:00,sda,4\n2026-03-08 21:01:00,sdb,4\n",
		"times of each day": "x,clock,disk,latency_ms\n2026-03-08,21:00,sda,4\n2026-03-08,21:00,sdb,4\n2026-03-08,21:01,sda,4\n2026-03-08,21:01,sdb,4\n",
	} {
		p := ReadTable("o.csv", []byte(text))
		if len(p.Looks) != 2 || len(p.Looks[0].Samples) != 2 || p.Looks[0].Samples[0].Component != "sda" || len(p.Looks[1].Samples) != 2 {
			t.Errorf("%s: looks %v, notes %v", name, p.Looks, p.Notes)
		}
	}
	for _, text := range []string{
		"when,disk,latency_ms\n2026-03-08 21:00:00,sda,4\n2026-03-08 21:00:00,sdb,4\n",
		"@timestamp,disk,latency_ms\n2026-03-08 21:00:00,sda,4\n2026-03-08 21:00:00,sdb,4\n",
	} {
		if p := ReadTable("o.csv", []byte(text)); len(p.Looks) != 1 || p.Looks[0].Time.IsZero() {
			t.Errorf("a table of one time has looks %v", p.Looks)
		}
	}
}

// TestTimeOfDay: the column after a date has the time of day if its values can be times of day, and
// if another column has the names.
func TestTimeOfDay(t *testing.T) {
	for text, want := range map[string]bool{
		"21:00": true, "9:05": true, "23:59:60": true, "21:00:00.250": true, "9:05:01 PM": true, "9:05 am": true, "21:00:00Z": true, "21:00:00+01:00": true,
		"32:10": false, "24:00": false, "8:60": false, "21:00:61": false, "8:16:1": false, "21:00x": false, "21:00:00:01": false,
	} {
		if timeOfDay.MatchString(text) != want {
			t.Errorf("%q as a time of day: %v", text, !want)
		}
	}
	if isTime("32:10:05") {
		t.Error("32:10:05 is not a time")
	}
	for header, first := range map[string]string{
		"date,slot,latency_ms": "%d:1%d", "date,slot,vendor,latency_ms": "%d:1%d,HGST",
	} {
		for _, enclosure := range []int{8, 32} {
			text := header + "\n"
			for i := range 3 {
				text += fmt.Sprintf("2026-03-08,"+first+",4.1\n", enclosure, i)
			}
			p := ReadTable("slots.csv", []byte(text))
			if len(p.Looks) != 1 || len(p.Looks[0].Samples) != 3 || p.Looks[0].Samples[1].Component != fmt.Sprintf("%d:11", enclosure) {
				t.Errorf("%s, enclosure %d: looks %v, notes %v", header, enclosure, p.Looks, p.Notes)
			}
		}
	}
}
