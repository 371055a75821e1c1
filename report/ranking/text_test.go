package ranking

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/topology/site"
)

// result makes a ranking with every kind of line: servers, marks, idle ones, two metrics, long
// names, moves.
func result(name func(i int) string) *Result {
	var looks []look.Look
	for k := range 6 {
		l := look.Look{Tool: "iostat -x", Source: "iostat", Time: time.Date(2026, 11, 15, 3, k, 0, 0, time.UTC), Zoned: true}
		for i := range 40 {
			ms := 5 + 0.1*float64((i*7+k)%13)
			s := look.Sample{Component: name(i), Kind: "sd drives", Host: fmt.Sprintf("a-server-with-a-long-name-%d", i/4)}
			work := 100.0
			switch {
			case i/4 == 3:
				ms *= 7
			case i == 1:
				ms *= 1e7
			case i == 2:
				ms, work = ms*3, 300
			case i == 5 && k == 2:
				ms *= 40
			}
			s.Values = []look.Value{
				{Metric: look.ReadLatency, X: ms},
				{Metric: look.WriteLatency, X: ms / 3},
				{Metric: look.Requests, X: work},
				{Metric: look.Metric{Name: "media errors", Role: look.Errors}, X: float64(i / 39)},
			}
			if i == 30 {
				s.Values = nil
			}
			l.Samples = append(l.Samples, s)
		}
		l.Samples = append(l.Samples,
			look.Sample{Component: "x", Kind: "bricks", Values: []look.Value{{Metric: look.Latency, X: 1}}},
			look.Sample{Component: "y", Kind: "bricks", Values: []look.Value{{Metric: look.Latency, X: 90}}})
		looks = append(looks, l)
	}
	return &Result{
		Ranking: look.Rank(looks, look.DefaultOptions()), Warnings: []string{"a warning"},
		Moves: []site.Move{
			{Object: "work-OST0001", What: site.OtherServer, From: "oss1", To: "oss2", Since: time.Date(2026, 11, 15, 3, 2, 0, 0, time.UTC), Zoned: true},
			{Object: "mpatha path sdc", What: site.PathGone, From: "listed", Print: 2},
			{Object: "osd.3", What: site.OtherState, From: "up", To: "down", Since: time.Date(2026, 11, 15, 3, 2, 0, 0, time.UTC), Until: time.Date(2026, 11, 15, 3, 4, 0, 0, time.UTC), Back: true},
		},
	}
}

func short39(i int) string { return fmt.Sprintf("sd%d", i) }

func print(t *testing.T, r *Result, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTextFitsThePage prints short and long names: no line is longer than 80 columns.
func TestTextFitsThePage(t *testing.T) {
	for what, name := range map[string]func(int) string{
		"short": short39,
		"long": func(i int) string {
			return fmt.Sprintf("a-server-with-a-long-name-%d/by-id/wwn-0x5000c500a1b2c3d%d", i/4, i)
		},
		"wide": func(i int) string { return strings.Repeat("ü", 60) + fmt.Sprint(i) },
	} {
		for _, all := range []bool{false, true} {
			for line := range strings.Lines(print(t, result(name), Options{All: all, Style: picture.Style{Unicode: true}})) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
					t.Errorf("%s: %d columns: %s", what, n, line)
				}
			}
		}
	}
}

// TestText checks what a person reads, from top to bottom.
func TestText(t *testing.T) {
	text := print(t, result(short39), Options{Style: picture.Style{Unicode: true}})
	at := 0
	for _, want := range []string{
		"40 sd drives, 6 outputs of iostat -x, 2026-11-15 03:00:00 to 03:05:00 UTC\n",
		"1 server, with 4 of the 40 sd drives, differs clearly from the other servers",
		"! a-server-with-a-long-name-3: 4 of 4 components are slow; their median latency\n",
		"\n! sd1 ", "persists: in 6 of 6 outputs",
		"\n~ sd2 ", "more work than its peers (requests 300/s, peers 100/s):", "this can explain the difference",
		"\n? sd5 ", " 44 ", "differs clearly in 1 of 6 outputs",
		"media errors: 1, peers 0",
		"more components that do not differ from their peers (--all lists all\n  components), 1 idle",
		"There are two groups of components: y takes 90 times as long as x.",
		"What changed between the maps (such as ceph osd tree)",
		"work-OST0001: served by oss2 since 2026-11-15 03:02:00 UTC (before: oss1)",
		"mpatha path sdc: missing in the map since map 2",
		"osd.3: down from 2026-11-15 03:02:00 to 2026-11-15 03:04:00, then as before\n",
		"This ranking is not a verdict.",
	} {
		next := strings.Index(text[at:], want)
		if next < 0 {
			t.Fatalf("%q is not there, after what is before it:\n%s", want, text)
		}
		at += next
	}
}

func TestASCII(t *testing.T) {
	text := print(t, result(short39), Options{All: true})
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "! sd1 ") && !strings.Contains(line, "|") {
			t.Errorf("no bar in %q", line)
		}
	}
	if strings.ContainsAny(text, "·▒┃●") {
		t.Error("there are bars in Unicode")
	}
}

// TestBar places the value, the band and the median.
func TestBar(t *testing.T) {
	b := look.Band{Median: 10, Low: 8, High: 12, Min: 5, Max: 640}
	if got, want := Bar(picture.Style{}, &b, 640, 29), "...=|=......................o"; got != want {
		t.Errorf("%s\n%s is right", got, want)
	}
	if got := Bar(picture.Style{}, &b, 10, 29); strings.Count(got, "o") != 1 || strings.Index(got, "o") != 4 {
		t.Errorf("a value at the median: %s", got)
	}
}

// TestJSON reads the document back: names and numbers, and every component.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, result(short39)); err != nil {
		t.Fatal(err)
	}
	var d document
	decoder := json.NewDecoder(&b)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		t.Fatal(err)
	}
	if d.Looks != 6 || d.First != "2026-11-15T03:00:00Z" || len(d.Groups) != 2 || len(d.Groups[0].Components) != 40 || len(d.Moves) != 3 || len(d.Warnings) != 1 {
		t.Errorf("%+v", d)
	}
	if h := d.Groups[0].Hosts; len(h) != 1 || h[0].Slow != 4 || h[0].Times < 5 {
		t.Errorf("servers %+v", h)
	}
	marks := map[look.Mark]int{}
	for _, c := range d.Groups[0].Components {
		marks[c.Mark]++
	}
	if marks[look.Apart] != 1 || marks[look.SlowWithHost] != 4 || marks[look.Explained] != 1 || marks[look.Unsure] != 1 || marks[look.Idle] != 1 {
		t.Errorf("marks %v", marks)
	}
	if d.Groups[1].Split == nil {
		t.Error("the two bricks are two parts")
	}
}

// TestRestIsCounted prints one component that is not listed, and one of another kind.
func TestRestIsCounted(t *testing.T) {
	l := look.Look{Tool: "ceph osd perf", Source: "test"}
	for i, ms := range []float64{10, 10.1, 10.2, 10.3, 10.1, 0.2} {
		l.Samples = append(l.Samples, look.Sample{Component: fmt.Sprintf("osd.%d", i), Kind: "OSDs", Values: []look.Value{{Metric: look.Latency, X: ms}}})
	}
	for n, want := range map[int]string{
		4: "1 more component that does not differ from its peers (--all lists all",
		6: "2 more components that do not differ from their peers (--all lists all\n  components), 1 component of another kind\n",
	} {
		few := l
		few.Samples = l.Samples[:n]
		text := print(t, &Result{Ranking: look.Rank([]look.Look{few}, look.DefaultOptions())}, Options{})
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
