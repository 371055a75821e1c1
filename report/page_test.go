package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/page/pagetest"
)

// figure is a plot as a page holds it.
type figure struct {
	Title, Axis string
	Sheet       struct {
		Y     struct{ Unit string }
		At    struct{ From, Step, Count float64 }
		Lines []struct{ Values string }
		Spans []struct{ From, To float64 }
	}
}

var figureText = regexp.MustCompile(`(?s)<figcaption><span class="title">(.*?)</span><span class="axis">(.*?)</span>.*?<script type="application/json">(.*?)</script>`)

func plotsOf(t *testing.T, text string) []figure {
	t.Helper()
	var all []figure
	for _, m := range figureText.FindAllStringSubmatch(text, -1) {
		f := figure{Title: html.UnescapeString(m[1]), Axis: html.UnescapeString(m[2])}
		if err := json.Unmarshal([]byte(m[3]), &f.Sheet); err != nil {
			t.Fatalf("%v in %s", err, m[3])
		}
		if len(f.Sheet.Lines) > 0 { // a timeline has none
			all = append(all, f)
		}
	}
	return all
}

// values are those of the line that stands out.
func (f *figure) values(t *testing.T) []float64 {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(f.Sheet.Lines[0].Values)
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	for ; len(data) > 0; data = data[4:] {
		values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
	}
	return values
}

// headings are the titles of a page's sections.
func headings(text string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`<h2><a href="[^"]*">(.*?)</a></h2>`).FindAllStringSubmatch(text, -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	return all
}

// The page leads with what limps, and names site, version and inputs.
func TestPageLeadsWithWhatLimps(t *testing.T) {
	text := newWorld(t, site, true).run()["page"]
	want := []string{"Limping components", "Suspect, not yet certain", "When and where", "What limits this diagnosis", "Components that were suspect for the longest time"}
	if got := headings(text); !slices.Equal(got, want) {
		t.Errorf("sections %q, want %q", got, want)
	}
	for _, want := range []string{
		"Limping components at site", "limpet diagnose 1.2.3",
		"Data from 2026-03-01 00:00:00Z to 03:00:00Z (UTC): 80 components of 8 servers in 6 peer groups. Method default, metrics await, time steps of 15 s",
		"At 2026-03-01 03:00Z: 3 incidents, 1 suspect, 1 recovering, 1 over, 1 harmless.",
		"LUN 1.0 answers 3.1 times slower than its peers (between 2.8 and 3.4 times).", "Ruled out: workload (same load as its peers).",
		"Ruled out: packet loss (retr_out of fs3: 0.07 % of segments, its peers: 0.26 %).",
		"Also: LUN 1.2 answers 3.1 times slower than its peers (between 2.8 and 3.4 times).", "ordered a drive",
		`<td class="suspect-1">rd_sec</td><td>1.2.3</td><td class="number">66.6 MB/s</td><td class="number">38.4 MB/s</td><td>42.1 % of a drive&#39;s time</td><td class="number">8</td>`,
		"If the problem continues, this suspect becomes an incident at 2026-03-01 04:00Z.", "a warning", "There are no data of fs7 after",
	} {
		if !strings.Contains(text, want) && !strings.Contains(text, html.EscapeString(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	next, plot := strings.Index(text, "Suggested commands"), strings.Index(text, "<figcaption>")
	if next < 0 || next > plot {
		t.Errorf("what to do stands at %d, behind the first plot at %d", next, plot)
	}
	if len(text) > 5<<18 { // densities on logarithmic axes fill more cells
		t.Errorf("the page has %d bytes", len(text))
	}
}

// TestBadgesAreSections shows that the badge of an incident is the word for its section in text and in
// the API: an incident without a fault is harmless, and one that is over is not "cleared".
func TestBadgesAreSections(t *testing.T) {
	text := newWorld(t, site, true).run()["page"]
	var badges []string
	for _, m := range regexp.MustCompile(`<p class="facts"><span class="state">(.*?)</span>`).FindAllStringSubmatch(text, -1) {
		badges = append(badges, m[1])
	}
	if want := []string{"now", "now", "now", "recovering", "over", "harmless"}; !slices.Equal(badges, want) {
		t.Errorf("badges %q, want %q", badges, want)
	}
}

// Every incident has its plots: of components over their peers with the score, of
// resources metric by metric with the onset, and of what else was found behind.
func TestPlotsOfIncidents(t *testing.T) {
	w := newWorld(t, site, false)
	var got []string
	for _, f := range plotsOf(t, w.run()["page"]) {
		got = append(got, f.Title)
		if strings.HasSuffix(f.Title, ": decides") {
			if sp := f.Sheet.Spans; len(sp) != 1 || sp[0].From != float64(start+7200-300) || sp[0].To != float64(start+7200+300) {
				t.Errorf("%s marks %v as the onset", f.Title, sp)
			}
		}
	}
	want := []string{
		"await of 2.0.5, 2.1.6, compared with the 14 other components of peer group primary", "How far 2.0.5 is from its peers (distance), and the threshold of the distance",
		"await of 2.0.7, compared with the 15 other components of peer group tertiary",
		"await of 1.0.1, compared with the 15 other components of peer group primary", "How far 1.0.1 is from its peers (distance), and the threshold of the distance",
		"rd_sec of 1.2.3 and of its 15 peers (decides)", "txbyt of fs3/eth0 and of its 7 peers (also differs)", "retr_out of fs3 and of its 7 peers (expected effect of packet loss)",
		"await of 1.2.3, compared with the 15 other components of peer group primary", "How far 1.2.3 is from its peers (distance), and the threshold of the distance",
		"await of 1.3.4, compared with the 15 other components of peer group primary", "How far 1.3.4 is from its peers (distance), and the threshold of the distance",
		"await of 2.3.8, compared with the 15 other components of peer group primary", "How far 2.3.8 is from its peers (distance), and the threshold of the distance",
		"await of 1.1.1, compared with the 15 other components of peer group 4th",
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("plots\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// What a sentence calls 3.07 MB/s or 50 % is 3.07 or 50 in the plot.
func TestPlotsSpeakTheUnitsOfWords(t *testing.T) {
	w := newWorld(t, site, false)
	e := NewEvidence(w.s)
	for i := range int64(20) {
		row := table.NewRow(w.s.Schema)
		row.End = start + 15*i
		for m := range row.Values {
			for c := range row.Values[m] {
				row.Values[m][c] = map[string]float64{"rd_sec": 2000, "await": 10, "txbyt": 3e6, "retr_in": 5, "dlv_in": 45}[w.s.Schema.Metrics[m].Name]
			}
		}
		e.Row(row)
	}
	for _, tt := range []struct {
		metric, component, unit, shown string
		want                           float64
	}{
		{"rd_sec", "1.2.3", "sectors/s", "MB/s", 1.024},
		{"await", "1.2.3", "ms", "ms", 10},
		{"txbyt", "fs3/eth0", "B/s", "MB/s", 3},
		{"retr_in", "fs3", "% of segments", "% of segments", 10},
	} {
		in := w.hog()
		in.Also, in.RuledOut = nil, nil
		in.Evidence = []finding.Evidence{{Metric: tt.metric, Component: w.at(tt.component), Unit: tt.unit, Decides: true}}
		s := w.summary()
		s.Incidents = []incident.Incident{in}
		var out bytes.Buffer
		if err := e.Write(&out, s); err != nil {
			t.Fatal(err)
		}
		all := plotsOf(t, out.String())
		if len(all) != 1 || all[0].Sheet.Y.Unit != tt.shown {
			t.Errorf("%s: plots %+v, want one in %s", tt.metric, all, tt.shown)
			continue
		}
		if v := all[0].values(t); len(v) != 20 || math.Abs(v[9]-tt.want) > 1e-5 {
			t.Errorf("%s: %v, want %g", tt.metric, v, tt.want)
		}
	}
}

// A page of a hundred incidents can still be opened.
func TestFewPlotsOfMany(t *testing.T) {
	w := newWorld(t, site, false)
	f := w.family()
	f.hear(w.steps[:100])
	s := w.summary()
	s.Incidents = nil
	for i := range 100 {
		in := w.slowLUN()
		in.ID = fmt.Sprint(i)
		s.Incidents = append(s.Incidents, in)
	}
	if n := len(plotsOf(t, f.finish(s)["page"])); n < plottedCases || n > 2*plottedCases {
		t.Errorf("%d plots, want one or two for %d incidents", n, plottedCases)
	}
}

// Without what speaks for resources only the metrics that judge are kept.
func TestOnlyWhatAPageMayShowIsKept(t *testing.T) {
	w := newWorld(t, site, false)
	if n := len(NewEvidence(w.s).plots.Metrics()); n != 9 {
		t.Errorf("%d metrics are kept", n)
	}
	w.s.Options.Method = "l13"
	if n := len(NewEvidence(w.s).plots.Metrics()); n != 1 {
		t.Errorf("%d metrics are kept for l13", n)
	}
}

func TestTrainingPage(t *testing.T) {
	w := newWorld(t, site, false)
	f := w.family()
	f.hear(w.steps)
	group := w.s.System.Groups[0]
	model := &persistence.Model{Groups: []persistence.TrainedGroup{{Group: group.Name, Metric: "await", Windows: 8, Typical: 0.5, Median: 1, Thresholds: map[string]float64{"1.0.1": 4, "1.1.2": 1}}}}
	var out bytes.Buffer
	if err := f.evidence.WriteTraining(&out, model, []string{"a warning"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Are the data suitable for training? at site", "a warning", "await of primary", "4 (1.0.1)", "limpet train 1.2.3"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// A reader goes through the page: each incident opens from the list, the timeline
// and the map.
func TestPageInABrowser(t *testing.T) {
	b := pagetest.Start(t)
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(newWorld(t, site, true).run()["page"]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, view := range []pagetest.View{{Width: 1200, Height: 900}, {Width: 400, Height: 800, Dark: true}} {
		tab := b.Open(t, file, view)
		is := func(on, want string) {
			t.Helper()
			if got := tab.Text(on); got != want {
				t.Errorf("%s says %q, want %q", on, got, want)
			}
		}
		is(".cases [aria-selected=true] .name", "ddn2a")
		tab.Focus(".cases [aria-selected=true]")
		tab.Press("ArrowDown")
		is(".case h3", "LUN 1.0 answers 3.1 times slower than its peers (between 2.8 and 3.4 times).")
		tab.Click(".timeline ol > li:nth-child(3) a .bar")
		is(".cases [aria-selected=true] .name", "fs3")
		tab.Click(".map .field a[href='#case-1-0'] .edge")
		is(".cases [aria-selected=true] .name", "1.0")
		var sideways float64
		if tab.Evaluate(`document.documentElement.scrollWidth - innerWidth`, &sideways); sideways > 0 {
			t.Errorf("the page is %g pixels wider than its window", sideways)
		}
	}
}

// TestTabled: a column that is empty in all rows takes no room.
func TestTabled(t *testing.T) {
	got := tableOf("", []string{"what", "windows", "own"}, [][]string{{"a", "", "1"}, {"b", "", ""}})
	if len(got.Columns) != 2 || got.Columns[1].Name != "own" || !got.Columns[1].Numeric || len(got.Rows[0]) != 2 || got.Rows[0][1].Text != "1" {
		t.Errorf("%+v", got)
	}
	if none := tableOf("", []string{"what", "own"}, nil); len(none.Columns) != 2 {
		t.Errorf("without rows: %+v", none)
	}
}
