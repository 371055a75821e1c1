package page

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// noon is 2024-05-01 12:00:00 UTC.
const noon = 1714564800

var nan = math.NaN()

// small is a page with every kind of block; label is where names may be hostile.
func small(t testing.TB, label string) *Page {
	t.Helper()
	p := New(Options{Title: "Title " + label, Subtitle: "subtitle " + label, Footer: "footer " + label})
	summary := p.Section("Summary "+label, Text("First paragraph "+label+".\n\nSecond paragraph."), Warning("warning "+label))
	times := Axis{Label: "time", Scale: Time}
	at := []float64{noon, noon + 15, noon + 30, noon + 45, noon + 60}
	chart := Chart{
		Title: "chart " + label,
		X:     times,
		Y:     Axis{Label: "await " + label, Unit: "ms" + label},
		At:    at,
		Series: []Series{
			{Name: "slow " + label, Role: Suspect, Values: []float64{0, nan, 3, nan, 5}},
			{Name: "limit " + label, Role: Threshold, Values: []float64{4, 4, 6, 6, 6}, Step: true},
		},
		Levels: []Level{{Name: "level " + label, Value: 2}},
		Spans: []Span{
			{Label: "fault " + label, Role: Suspect, From: noon + 15, To: noon + 45},
			{Label: "moment " + label, From: noon + 52, To: noon + 52},
		},
		Moments: []Moment{{Label: "certain " + label, Role: Confirmation, At: noon + 40}},
	}
	details := p.Section("Details "+label, chart, smallCrowd(t, chart), Heat{
		Title:   "heat " + label,
		X:       Axis{Label: "metric " + label},
		Columns: []string{"tps", "column " + label},
		Rows:    []string{"a", "row " + label},
		Value:   Axis{Label: "distance", Unit: "ms" + label},
		Values:  [][]float64{{1, nan}, {0, 12.5}},
	}, Dots{
		Title: "dots " + label,
		X:     Axis{Label: "share", Unit: "%" + label, Max: 100},
		Rows:  []string{"a", "row " + label},
		Series: []DotSeries{
			{Name: "ours " + label, Values: []float64{0, nan}, Low: []float64{0, nan}, High: []float64{12.5, nan}},
			{Name: "theirs " + label, Role: Peer, Ring: true, Values: []float64{40, 120}},
		},
	})
	first, second := smallCases(p.Section("Cases "+label), label)
	second.Add(chart)
	summary.Add(Table{
		Caption: "table " + label,
		Columns: []Column{{Name: "disk " + label}, {Name: "await", Numeric: true}},
		Rows: [][]Cell{
			{{Text: "sda " + label, To: details, Role: Suspect}, {Text: "12.5"}},
			{{Text: "sdb " + label, To: &second.Section}, {Text: "3.0"}},
		},
		Cards: true,
	}, smallTimeline(label, first), smallMap(label, first))
	return p
}

func smallCases(s *Section, label string) (first, second *Case) {
	cases := s.Cases("cases " + label)
	first = cases.Add("sda "+label, "headline "+label, Text("case "+label))
	first.Facts, first.State, first.Role = []string{"fact " + label, "another"}, "state "+label, Suspect
	return first, cases.Add("sda "+label, "headline of another "+label)
}

func smallTimeline(label string, c *Case) Timeline {
	return Timeline{
		Title: "timeline " + label, Begin: noon, End: noon + 3600,
		Lanes: []Lane{
			{
				Name: "lane " + label, To: &c.Section,
				Intervals: []Interval{{Label: "lasting " + label, Role: Suspect, Begin: noon + 900, Early: noon + 600, Late: noon + 1200, Open: true}},
			},
			{
				Name:      "other " + label,
				Intervals: []Interval{{Label: "over " + label, Begin: noon - 60, End: noon + 600}, {Label: "too early", Begin: noon - 60, End: noon - 30}},
				Moments:   []Moment{{Label: "repair " + label, At: noon + 1800}},
			},
		},
	}
}

func smallMap(label string, c *Case) Map {
	return Map{
		Title: "map " + label, Value: Axis{Label: "value", Unit: "u" + label}, Columns: []string{"0", "1 " + label},
		Rows: []MapRow{
			{Name: "a " + label, Tiles: []Tile{{Name: "a0 " + label, Value: 4, Text: "text " + label, Role: Suspect, To: &c.Section}, {Name: "a1", Value: nan}}},
			{Name: "b", Tiles: []Tile{{Name: "b0"}, {}}},
		},
	}
}

func smallCrowd(t testing.TB, chart Chart) *Crowd {
	t.Helper()
	chart.Y.Min, chart.Y.Max = 0, 4
	crowd, err := NewCrowd(chart)
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range [][]float64{{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {2, 2, nan, 3, 9}} {
		if err := crowd.Add(values); err != nil {
			t.Fatal(err)
		}
	}
	return crowd
}

func written(t testing.TB, p *Page) string {
	t.Helper()
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var (
	dataBlock = regexp.MustCompile(`(?s)<script type="application/json">(.*?)</script>`)
	plotBlock = regexp.MustCompile(`(?s)<figure class="plot">.*?</figure>`)
)

// sheets decodes the numbers of all plots of a page.
func sheets(t testing.TB, html string) []sheet {
	t.Helper()
	var all []sheet
	for _, figure := range plotBlock.FindAllString(html, -1) {
		match := dataBlock.FindStringSubmatch(figure)
		var s sheet
		if err := json.Unmarshal([]byte(match[1]), &s); err != nil {
			t.Fatalf("decode plot: %v\n%s", err, match[1])
		}
		all = append(all, s)
	}
	return all
}

// elided is a page without the text of its assets, and their hashes.
func elided(html string) string {
	html = strings.NewReplacer(shared().style, "style", shared().scheme, "scheme", shared().charts, "charts", shared().program, "program").Replace(html)
	return regexp.MustCompile(`sha256-.*?&#39;`).ReplaceAllString(html, "sha256-…&#39;")
}

func TestSmallPage(t *testing.T) {
	got := elided(written(t, small(t, "x")))
	golden := filepath.Join("testdata", "small.html")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("page differs from %s; see the difference after go test -update\n%s", golden, got)
	}
}

func TestSameContentSameBytes(t *testing.T) {
	p := small(t, "x")
	first := written(t, p)
	if written(t, p) != first {
		t.Error("writing a page twice gives different bytes")
	}
	if written(t, small(t, "x")) != first {
		t.Error("two pages of the same content differ")
	}
}

func TestAnchorsOfCases(t *testing.T) {
	p := New(Options{Title: "t"})
	p.Section("Case fs1")
	cases := p.Section("s").Cases("cases")
	for _, want := range []string{"case-fs1-2", "case-fs1-3"} {
		if got := cases.Add("fs1", "headline").Anchor; got != want {
			t.Errorf("anchor %q, want %q", got, want)
		}
	}
}

func TestAnchors(t *testing.T) {
	tests := []struct {
		titles []string
		want   []string
	}{
		{[]string{"Primary old: await"}, []string{"primary-old-await"}},
		{[]string{"A", "a", "A 2", "a!"}, []string{"a", "a-2", "a-2-2", "a-3"}},
		{[]string{"", "—", "\"><script>"}, []string{"section", "section-2", "script"}},
	}
	for _, tt := range tests {
		p := New(Options{Title: "t"})
		for i, title := range tt.titles {
			if got := p.Section(title).Anchor; got != tt.want[i] {
				t.Errorf("%q: anchor of section %d is %q, want %q", tt.titles, i, got, tt.want[i])
			}
		}
	}
}

type failing struct{ after int }

func (f *failing) Write(b []byte) (int, error) {
	if f.after -= len(b); f.after < 0 {
		return 0, os.ErrClosed
	}
	return len(b), nil
}

func TestWriteReportsTheWritersError(t *testing.T) {
	whole := len(written(t, small(t, "x")))
	for _, after := range []int{0, whole / 2, whole - 1} {
		err := small(t, "x").Write(&failing{after})
		if err == nil || !strings.Contains(err.Error(), `page "Title x" cannot be written`) {
			t.Errorf("after %d bytes: error %v, want one that names the page", after, err)
		}
	}
}
