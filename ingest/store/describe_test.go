package store

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// TestPresets: every preset is a description, and asks for something.
func TestPresets(t *testing.T) {
	all := Shipped.All()
	for _, p := range all {
		d, err := ParseDescribed(p.Name, p.Text)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(d.Matches()[0].Value) == 0 || p.Title == "" || d.Name != p.Name {
			t.Errorf("%s: %+v", p.Name, d)
		}
	}
	if len(all) < 5 {
		t.Errorf("%d presets", len(all))
	}
}

// TestMistakes: each is told with its line.
func TestMistakes(t *testing.T) {
	const begin = "component: osd\ngroup: {text: all}\nmetrics:\n"
	for text, want := range map[string]string{
		"group: {text: all}\nmetrics: {}\n":                                                    "component",
		begin + "  a: {of: [x], gauge: [y], worse: higher}\n":                                  "needs one of two settings",
		begin + "  a: {worse: higher}\n":                                                       "needs one of two settings",
		begin + "  a: {of: ['x{'], worse: higher}\n":                                           "is not a series",
		begin + "  a: {of: ['x{a=b}'], worse: higher}\n":                                       "is not a series",
		begin + "  a: {of: [x], times: 0, worse: higher}\n":                                    "above 0",
		begin + "  a: {of: [x], worse: higher, colour: red}\n":                                 "colour",
		"component: {text: all}\ngroup: {text: all}\nmetrics: {a: {of: [x], worse: higher}}\n": "would be the same for all lines",
	} {
		if _, err := ParseDescribed("d.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "d.yaml:") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// told makes a series of values 15 s apart, NaN for what was not scraped.
func told(name, osd string, values ...float64) Series {
	s := Series{Labels: []exporter.Label{{Name: []byte("__name__"), Value: []byte(name)}, {Name: []byte("osd"), Value: []byte(osd)}}}
	for i, v := range values {
		if !math.IsNaN(v) {
			s.Samples = append(s.Samples, exporter.Sample{Time: int64(i) * 15000, Value: v})
		}
	}
	return s
}

func lines(d *Description, all []Series) (list []string) {
	for _, l := range d.Lines(all, 0, math.MaxInt64) {
		list = append(list, fmt.Sprint(l.Time/15000, l.Names[0], l.Values))
	}
	return list
}

// TestLines: counters are differenced and divided; what cannot be known is missing, and
// nothing done is 0.
func TestLines(t *testing.T) {
	d, err := ParseDescribed("d", []byte("component: osd\ngroup: {text: all}\nmetrics:\n"+
		"  wait: {of: [read_s, write_s], per: [reads, writes], times: 8, unit: ms, worse: higher}\n"+
		"  rate: {of: [reads, writes], worse: either, load: true}\n  depth: {gauge: [depth], worse: higher}\n"))
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	all := []Series{
		told("reads", "a", 0, 10, 10, 5, 20, nan, 40),
		told("writes", "a", 0, 5, 5, 5, 5, nan, 5),
		told("read_s", "a", 0, 1.375, 1.375, 1.375, 16.375, nan, 26.375),
		told("write_s", "a", 0, 0.5, 0.5, 0.5, 0.5, nan, 0.5),
		told("depth", "a", 1, 2, 3, 4, 5, nan, 7),
		told("depth", "b", nan, 2),
		told("depth", "", 1),
		told("other", "c", 1, 2),
	}
	want := []string{
		"0a[NaN NaN 1]",
		"1a[1 1 2]",
		"1b[NaN NaN 2]",
		"2a[0 0 3]",     // nothing was done
		"3a[NaN NaN 4]", // reads fell
		"4a[8 1 5]",
		"6a[4 0.6666666666666666 7]",
	}
	got := lines(d, all)
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], " [", "[")
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	slices.Reverse(all)
	again := lines(d, all)
	for i := range again {
		again[i] = strings.ReplaceAll(again[i], " [", "[")
	}
	if !slices.Equal(again, want) {
		t.Error("the order of series decides")
	}
}

// TestCephPreset: of the metrics of a real manager's module, those of the preset name the OSD whose
// disk takes 24 ms longer, osd.5. Latencies of clients' operations do not.
func TestCephPreset(t *testing.T) {
	var preset []byte
	for _, p := range Shipped.All() {
		if p.Name == "ceph-16" {
			preset = p.Text
		}
	}
	d, err := ParseDescribed("ceph-16", preset)
	if err != nil {
		t.Fatal(err)
	}
	lines := d.Lines(cephModule(t), 0, math.MaxInt64)
	const osds = 6
	last := lines[len(lines)-osds:]
	for _, line := range last[:osds-1] {
		commit, read := last[osds-1].Values[0]/line.Values[0], last[osds-1].Values[1]/line.Values[1]
		if last[osds-1].Names[0] != "osd.5" || !(commit >= 5) || !(read >= 3) {
			t.Errorf("%s commits %v and reads %v times slower than %s", last[osds-1].Names[0], commit, read, line.Names[0])
		}
	}
	if requests := last[0].Values[2]; !(requests > 10 && requests < 500) {
		t.Errorf("%s has %v requests a second", last[0].Names[0], requests)
	}
}

// cephModule returns what the module of a manager printed, each time after a line with the time.
func cephModule(t *testing.T) []Series {
	t.Helper()
	text, err := os.ReadFile("testdata/ceph-module-16.2.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []Series
	index, at := map[string]int{}, int64(0)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if clock, err := time.Parse(time.RFC3339, line); err == nil {
			at = clock.UnixMilli()
			continue
		}
		name, rest, _ := strings.Cut(line, `{ceph_daemon="`)
		osd, number, ok := strings.Cut(rest, `"} `)
		value, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		i, known := index[name+osd]
		if !known {
			i = len(all)
			index[name+osd] = i
			all = append(all, Series{Labels: []exporter.Label{{Name: []byte("__name__"), Value: []byte(name)}, {Name: []byte("ceph_daemon"), Value: []byte(osd)}}})
		}
		all[i].Samples = append(all[i].Samples, exporter.Sample{Time: at, Value: value})
	}
	return all
}
