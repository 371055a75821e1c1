package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/simulate/testbench"
	"github.com/limpet-storage/limpet/table"
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
		all = append(all, f)
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

// written is the page of a summary.
func written(t *testing.T, e *Evidence, s Summary) string {
	t.Helper()
	var out bytes.Buffer
	if err := e.Write(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// examined judges the servers of a simulated cluster.
func examined(t *testing.T, f testbench.Fault) (*Evidence, Summary, int) {
	t.Helper()
	run, err := testbench.New(testbench.Cluster{FileSystem: testbench.Lustre, Clients: 3, Servers: 6}, testbench.DDW, f, 1).Run()
	if err != nil {
		t.Fatal(err)
	}
	s := Subject{System: run.System(), Schema: run.Schema(), Options: diagnose.ServersOptions()}
	e := NewEvidence(s)
	engine, err := diagnose.New(s.Options, s.System, s.Schema, nil, nil, e)
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Run(e.Watch(run)); err != nil {
		t.Fatal(err)
	}
	summary := Summary{Indictments: engine.Indictments(), Examined: engine.Examined(), Heard: engine.Heard(), Idle: engine.Idle(), Silent: engine.Silent()}
	summary.From, summary.To = engine.Span()
	return e, summary, int(summary.To - summary.From)
}

// TestEveryFaultIsShown: whatever is done to a server, the page leads with it,
// and every metric that the words name is drawn over the whole run, with the
// onset marked.
func TestEveryFaultIsShown(t *testing.T) {
	for _, fault := range testbench.Faults() {
		e, s, rows := examined(t, fault)
		if len(s.Indictments) != 1 || s.Indictments[0].Next == nil {
			t.Fatalf("%s: %+v", fault, s.Indictments)
		}
		in := &s.Indictments[0]
		text := written(t, e, s)
		if got := headings(text); !slices.Equal(got, []string{e.s.sayCharge(in, s.To)}) {
			t.Errorf("%s: sections %q, want %q", fault, got, e.s.sayCharge(in, s.To))
		}
		if next := html.EscapeString(sentence(sayNext(in, diagnose.BySymptoms))); !strings.Contains(text, next) {
			t.Errorf("%s: the page lacks %q", fault, next)
		}
		var want, got []string
		for _, ev := range append(ordered(in), in.Next.Evidence) {
			_, unit := legible(0, ev.Unit)
			if w := fmt.Sprintf("%s of %s over its 5 peers, %s (%s)", ev.Metric, ev.Component, ev.Metric, unit); !slices.Contains(want, w) {
				want = append(want, w)
			}
		}
		for _, f := range plotsOf(t, text) {
			title, _, _ := strings.Cut(f.Title, ":")
			got = append(got, title+", "+f.Axis)
			if int(f.Sheet.At.Count) != rows || f.Sheet.At.Step != 1 {
				t.Errorf("%s: %s has %v of %d rows", fault, f.Title, f.Sheet.At, rows)
			}
			if sp := f.Sheet.Spans; len(sp) != 1 || sp[0].From != float64(in.Onset.Early) || sp[0].To != float64(in.Onset.Late) {
				t.Errorf("%s: %s marks %v, want %+v", fault, f.Title, sp, in.Onset)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: plots\n%s\nwant\n%s", fault, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestControlRunHasAPage(t *testing.T) {
	e, s, _ := examined(t, testbench.None)
	text := written(t, e, s)
	if got := headings(text); !slices.Equal(got, []string{"Servers at fault"}) || !strings.Contains(text, "<p>No server is indicted: none of 6 stayed apart from its peers.</p>") {
		t.Errorf("sections %q of\n%s", got, text)
	}
	if len(plotsOf(t, text)) > 0 || strings.Contains(text, "<table>") {
		t.Error("a page of nothing has plots or tables")
	}
}

func TestPageOfServersSameBytes(t *testing.T) {
	a, sa, _ := examined(t, testbench.DiskHog)
	b, sb, _ := examined(t, testbench.DiskHog)
	if first := written(t, a, sa); first != written(t, a, sa) || first != written(t, b, sb) {
		t.Error("the same data gave different pages")
	}
}

// steady yields rows in which every drive reads 2000 sectors/s, every interface
// sends 3 MB/s and every host has one segment in ten sent again; from the
// eleventh on ios3 three times as much, and every second segment.
type steady struct {
	s    Subject
	rows int64
}

func (r *steady) Schema() table.Schema { return r.s.Schema }

func (r *steady) Next() (*table.Row, error) {
	if r.rows++; r.rows > 20 {
		return nil, io.EOF
	}
	row := table.NewRow(r.s.Schema)
	row.End = at + r.rows
	for c := range r.s.System.Components {
		odd := r.s.System.Components[c].Server == "ios3" && r.rows > 10
		set := func(m metric.Metric, normal, then float64) {
			if odd {
				normal = then
			}
			row.Values[metric.Index(r.s.Schema.Metrics, m.Name)][c] = normal
		}
		set(metric.RdSec, 2000, 6000)
		set(metric.Await, 10, 30)
		set(metric.TxByt, 3e6, 9e6)
		set(metric.RetrIn, 5, 25)
		set(metric.DlvIn, 45, 25)
	}
	return row, nil
}

// watchedServers is the evidence of steady rows.
func watchedServers(t *testing.T, o diagnose.Options) *Evidence {
	t.Helper()
	e := testbench.New(testbench.Cluster{FileSystem: testbench.PVFS, Clients: 1, Servers: 4}, testbench.DDW, testbench.None, 1)
	system, err := e.System()
	if err != nil {
		t.Fatal(err)
	}
	s := Subject{System: system, Options: o, Schema: table.Schema{StepSeconds: 1, Metrics: metric.All(), Components: len(system.Components)}}
	kept := NewEvidence(s)
	for stream := kept.Watch(&steady{s: s}); ; {
		if _, err := stream.Next(); err != nil {
			return kept
		}
	}
}

// TestPlotsSpeakTheUnitsOfWords: what a sentence calls 3.07 MB/s or 50 % is
// 3.07 or 50 in the plot.
func TestPlotsSpeakTheUnitsOfWords(t *testing.T) {
	e := watchedServers(t, diagnose.ServersOptions())
	for _, tt := range []struct {
		ev           explain.Evidence
		unit         string
		before, then float64
	}{
		{explain.Evidence{Metric: "rd_sec", Component: "ios3/sdb", Unit: "sectors/s"}, "MB/s", 1.024, 3.072},
		{explain.Evidence{Metric: "await", Component: "ios3/sdb", Unit: "ms"}, "ms", 10, 30},
		{explain.Evidence{Metric: "txbyt", Component: "ios3/eth0", Unit: "B/s"}, "MB/s", 3, 9},
		{explain.Evidence{Metric: "retr_in", Component: "ios3", Unit: "% of segments"}, "% of segments", 10, 50},
	} {
		s := Summary{Heard: 4, Examined: 1, From: at, To: at + 20, Indictments: []explain.Indictment{{
			Server: "ios3", Cause: explain.DiskHog, Onset: explain.Onset{At: at + 10, Early: at + 9, Late: at + 12}, Metrics: []explain.Evidence{tt.ev},
		}}}
		all := plotsOf(t, written(t, e, s))
		if len(all) != 1 || all[0].Sheet.Y.Unit != tt.unit {
			t.Errorf("%s: plots %+v, want one in %s", tt.ev.Metric, all, tt.unit)
			continue
		}
		v := all[0].values(t)
		if len(v) != 20 || math.Abs(v[9]-tt.before) > 1e-5 || math.Abs(v[10]-tt.then) > 1e-5 {
			t.Errorf("%s: %v, want %g and from the eleventh on %g", tt.ev.Metric, v, tt.before, tt.then)
		}
		if sp := all[0].Sheet.Spans; len(sp) != 1 || sp[0].From != float64(at+9) || sp[0].To != float64(at+12) {
			t.Errorf("%s: marks %v", tt.ev.Metric, sp)
		}
	}
}

// TestPageHasTheWordsOfText: the table, and what nobody could judge.
func TestPageHasTheWordsOfText(t *testing.T) {
	for name, tt := range map[string]Summary{
		"nobody": {Examined: 20, From: at, To: at + 640},
		"short":  {From: at, To: at + 50},
		"hasty":  {Examined: 2, From: at, To: at + 100},
		"idle":   {Examined: 20, From: at, To: at + 640, Idle: []diagnose.Idleness{{Server: "ios4", From: at, To: at + 600, Times: 1, Seconds: 600}}},
		"silent": {Examined: 20, From: at, To: at + 640, Silent: []diagnose.Silence{{Server: "ios2", Since: at}}},
	} {
		tt.Heard = 4
		page := written(t, watchedServers(t, diagnose.ServersOptions()), tt)
		for _, line := range strings.Split(strings.TrimSpace(indicted(t, "text", diagnose.BySymptoms, 4, tt)), "\n") {
			if !strings.Contains(page, "<p>"+html.EscapeString(line)+"</p>") {
				t.Errorf("%s: the page lacks %q", name, line)
			}
		}
		if strings.Contains(page, "Nothing limps") || strings.Contains(page, "Most persistent") {
			t.Errorf("%s: the page speaks of a list that nobody made", name)
		}
	}
	page := written(t, watchedServers(t, diagnose.ServersOptions()), evidence())
	for _, want := range []string{
		`<td class="suspect-1">rd_sec</td><td>ios7/sda</td><td class="number">66.6</td><td class="number">38.4</td><td>MB/s</td><td class="number">42.1</td><td>% of a drive&#39;s time</td><td class="number">8</td><td class="suspect-1">decides</td>`,
		`<td>await</td><td>ios7/sda</td><td class="number">1170</td><td class="number">79</td><td>ms</td><td class="number">14.8</td><td>times its peers&#39;</td><td class="number">1.5</td><td>also</td>`,
		`<td>distance</td>`,
		`or before: it was so as soon as there was any load`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestChecklistLeadsItsLists: by F10's method there are lists, too, and they
// come last; where they are empty there is nothing of them.
func TestChecklistLeadsItsLists(t *testing.T) {
	o, err := diagnose.Preset("f10")
	if err != nil {
		t.Fatal(err)
	}
	e := watchedServers(t, o)
	component, _ := e.s.System.Lookup("ios3/sdb")
	s := Summary{Heard: 4, Examined: 20, From: at, To: at + 20, Warnings: []string{"a warning"}, Indictments: []explain.Indictment{{
		Server: "ios3", Cause: explain.DiskHog, Onset: explain.Onset{At: at, Early: at, Late: at, Earlier: true},
		Metrics: []explain.Evidence{{Metric: "rd_sec", Component: "ios3/sdb", Unit: "sectors/s", Score: 4, Threshold: 0.2}},
	}}}
	want := []string{e.s.sayCharge(&s.Indictments[0], s.To), "What limits this diagnosis"}
	if got := headings(written(t, e, s)); !slices.Equal(got, want) {
		t.Errorf("without a list: sections %q, want %q", got, want)
	}
	s.Top = []rank.Entry{{Component: component, Metric: metric.Index(e.s.Schema.Metrics, "rd_sec"), Value: 6, Since: at}}
	e.s.Lists = true
	text := written(t, e, s)
	if got, want := headings(text), append(want, "Most persistent"); !slices.Equal(got, want) {
		t.Errorf("with a list: sections %q, want %q", got, want)
	}
	if n := strings.Count(text, "a warning"); n != 1 {
		t.Errorf("the warning is given %d times", n)
	}
	all := plotsOf(t, text)
	if len(all) != 1 || all[0].Sheet.Y.Unit != "MB/s" {
		t.Fatalf("plots %+v", all)
	}
	if sp := all[0].Sheet.Spans; len(sp) != 1 || sp[0].From != float64(at) || sp[0].To != float64(at+1) {
		t.Errorf("an onset before the data is marked at %v", sp)
	}
}

// TestFewPlotsOfManyServers: a page of a hundred accused can still be opened.
func TestFewPlotsOfManyServers(t *testing.T) {
	e := watchedServers(t, diagnose.ServersOptions())
	s := Summary{Heard: 4, Examined: 20, From: at, To: at + 20}
	for range 100 {
		s.Indictments = append(s.Indictments, explain.Indictment{Server: "ios3", Cause: explain.DiskHog, Metrics: []explain.Evidence{
			{Metric: "rd_sec", Component: "ios3/sdb", Unit: "sectors/s"},
		}})
	}
	text := written(t, e, s)
	if n := len(plotsOf(t, text)); n != pageStories || len(headings(text)) != 100 {
		t.Errorf("%d plots in %d sections, want %d in 100", n, len(headings(text)), pageStories)
	}
}

// TestOnlyWhatAPageMayShowIsKept: of the fifteen metrics that symptoms look at
// nine, and each of the components that have it.
func TestOnlyWhatAPageMayShowIsKept(t *testing.T) {
	e := watchedServers(t, diagnose.ServersOptions())
	if len(e.tracks) != 9 {
		t.Errorf("%d metrics are kept", len(e.tracks))
	}
	for m, track := range e.tracks {
		if track.width != 4 || len(track.cells) != 4*20 {
			t.Errorf("%s: %d components, %d cells for 4 servers and 20 rows", e.s.Schema.Metrics[m].Name, track.width, len(track.cells))
		}
	}
}
