package report

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/page"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/table"
)

// Evidence keeps what a page shows: the series of every component, and the
// scores of every window.
type Evidence struct {
	s      Subject
	tracks map[int]*track         // by metric
	scores map[[2]int]*scoreBoard // by metric and group
	marks  []Mark
	coverage
}

// Mark is a stretch of time that plots point at: a fault that is known.
type Mark struct {
	Label    string
	From, To int64
	Names    []string // of the components that it touches
}

// scoreBoard keeps the scores and thresholds of one group and metric.
type scoreBoard struct {
	members            []int
	scores, thresholds *history
}

// boardRows bounds the windows of a score board: five days before they are
// averaged, and 100 MB for all groups of Intrepid.
const boardRows = 1024

// NewEvidence returns evidence of nothing yet.
func NewEvidence(s Subject) *Evidence {
	e := &Evidence{s: s, tracks: map[int]*track{}, scores: map[[2]int]*scoreBoard{}, coverage: newCoverage()}
	for _, name := range shown(&s.Options) {
		if m := metric.Index(s.Schema.Metrics, name); m >= 0 {
			e.tracks[m] = newTrack(&s, m)
		}
	}
	return e
}

// shown lists the metrics that a page may plot. Symptoms look at more than
// they name; segments that arrived are what those sent again are a share of.
func shown(o *diagnose.Options) []string {
	if o.Indict != diagnose.BySymptoms {
		return o.Metrics
	}
	return []string{
		metric.RdSec.Name, metric.WrSec.Name, metric.Await.Name, metric.RxByt.Name, metric.TxByt.Name,
		metric.RetrOut.Name, metric.RetrIn.Name, metric.DlvOut.Name, metric.DlvIn.Name,
	}
}

// Mark adds a stretch of time to point at.
func (e *Evidence) Mark(m ...Mark) { e.marks = append(e.marks, m...) }

// watched passes rows on and keeps their values.
type watched struct {
	table.Stream
	e *Evidence
}

// Watch returns the stream with its rows kept as evidence.
func (e *Evidence) Watch(s table.Stream) table.Stream { return watched{s, e} }

func (w watched) Next() (*table.Row, error) {
	row, err := w.Stream.Next()
	if err == nil {
		for _, t := range w.e.tracks {
			t.pushRow(row)
		}
	}
	return row, err
}

// Window keeps the scores of a window.
func (e *Evidence) Window(w *detect.Window) {
	e.window(w)
	key := [2]int{w.Metric, w.Group}
	b := e.scores[key]
	if b == nil {
		shift := int64(e.s.Options.Detect.WinShift) * e.s.Schema.StepSeconds
		members := e.s.System.Groups[w.Group].Members
		b = &scoreBoard{members, newHistory(len(members), shift, boardRows), newHistory(len(members), shift, boardRows)}
		e.scores[key] = b
	}
	judged := func(v *detect.Verdict, value float64) float64 {
		if v.State == detect.Unjudged || v.Reason == detect.Gone {
			return table.Missing
		}
		return value
	}
	b.scores.push(w.End, func(i int) float64 { return judged(&w.Verdicts[i], w.Verdicts[i].Score) })
	b.thresholds.push(w.End, func(i int) float64 { return judged(&w.Verdicts[i], w.Verdicts[i].Threshold) })
}

// List has nothing to keep.
func (e *Evidence) List(*diagnose.List) {}

// pageStories is how many servers have plots.
const pageStories = 12

// Write writes the page of a diagnosis: what limps, each by its series over its
// peers', and what persists, where lists were made.
func (e *Evidence) Write(w io.Writer, s Summary) error {
	p := page.New(page.Options{Title: "What limps", Subtitle: e.about(&s), Footer: "limpet diagnose"})
	if err := e.sections(p, &s); err != nil {
		return err
	}
	return p.Write(w)
}

func (e *Evidence) sections(p *page.Page, s *Summary) error {
	var err error
	if e.s.Options.Indict != diagnose.Nobody {
		err = e.indict(p, s)
	} else {
		err = e.incidents(p, s)
		p.Sections[0].Add(remarks(s)...)
	}
	if e.s.Lists && len(s.Top) > 0 {
		p.Section("Most persistent", page.Text(fmt.Sprintf("Every %s each component is compared with its peers; its value goes up while it is suspect and down while it is not.", e.shift())), e.list(s.Top))
	}
	return err
}

// about says what was judged, and how.
func (e *Evidence) about(s *Summary) string {
	o := &e.s.Options
	if o.Indict != diagnose.BySymptoms {
		return e.subtitle()
	}
	return fmt.Sprintf("%sZ to %sZ, %d servers by symptoms, windows of %d s",
		instant(s.From), instant(s.To), len(e.s.System.Servers), o.Symptoms.WinSeconds)
}

func (e *Evidence) subtitle() string {
	o := e.s.Options.Detect
	from, to := int64(0), int64(0)
	for _, t := range e.tracks {
		if n := len(t.ends); n > 0 {
			from, to = t.ends[0], t.ends[n-1]
		}
	}
	return fmt.Sprintf("%sZ to %sZ, %d components in %d peer groups, method %s, steps of %d s",
		utc(from), utc(to), len(e.s.System.Components), len(e.s.System.Groups), o.Method, o.StepSeconds)
}

// remarks are what a result is weaker for.
func remarks(s *Summary) []page.Block {
	var blocks []page.Block
	for _, q := range s.Silent {
		blocks = append(blocks, page.Warning(silenceText(q)))
	}
	for _, text := range s.Warnings {
		blocks = append(blocks, page.Warning(text))
	}
	return blocks
}

// shift is the time from one window to the next.
func (e *Evidence) shift() time.Duration {
	return seconds(int64(e.s.Options.Detect.WinShift) * e.s.Schema.StepSeconds)
}

func (e *Evidence) list(top []rank.Entry) page.Table {
	t := page.Table{Columns: []page.Column{
		{Name: "value", Numeric: true},
		{Name: "component"},
		{Name: "peer group"},
		{Name: "metric"},
		{Name: "since (UTC)"},
		{Name: "evidence"},
	}}
	for _, entry := range top {
		c := &e.s.System.Components[entry.Component]
		t.Rows = append(t.Rows, []page.Cell{
			{Text: fmt.Sprint(entry.Value)},
			{Text: c.Name, Role: page.Suspect},
			{Text: e.s.System.Groups[c.Group-1].Name},
			{Text: e.s.Schema.Metrics[entry.Metric].Name},
			{Text: utc(entry.Since)},
			{Text: e.s.Say(entry)},
		})
	}
	return t
}

// scoreChart shows the score of a component against its threshold; false where
// it has none.
func (e *Evidence) scoreChart(m, component int) (page.Chart, bool) {
	c := &e.s.System.Components[component]
	b := e.scores[[2]int{m, c.Group - 1}]
	if b == nil {
		return page.Chart{}, false
	}
	at := slices.Index(b.members, component)
	if !slices.ContainsFunc(b.scores.series(at), func(v float64) bool { return v > 0 }) {
		return page.Chart{}, false
	}
	return page.Chart{
		Title: fmt.Sprintf("Distance of %s from its peers, against the threshold", c.Name),
		X:     page.Axis{Scale: page.Time}, Y: page.Axis{Label: "distance", Scale: page.Log}, At: b.scores.at(),
		Series: []page.Series{
			{Name: c.Name, Role: page.Suspect, Values: b.scores.series(at)},
			{Name: "threshold", Role: page.Threshold, Values: b.thresholds.series(at), Step: true},
		},
		Spans: e.spans(c.Name),
	}, true
}
