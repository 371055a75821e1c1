package diagnose

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/feedback"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// rows is a stream of drives d0, d1, … of two servers; drive 2 is 1.5 times
// slow from the first hour on.
type rows struct {
	schema table.Schema
	start  int64
	at, n  int
	row    *table.Row
	rng    *rand.Rand
	drop   func(step, component int) bool
}

func drives(n int) *topology.System {
	s := &topology.System{Servers: []string{"fs1", "fs2"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
	for i := range n {
		s.Components = append(s.Components, topology.Component{Name: fmt.Sprintf("d%d", i), Server: s.Servers[i%2], Group: 1})
		s.Groups[0].Members = append(s.Groups[0].Members, i)
	}
	return s
}

func newRows(steps int) *rows {
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: 10}
	return &rows{
		schema: schema, n: steps, row: table.NewRow(schema), rng: rand.New(rand.NewPCG(4, 4)),
		start: time.Date(2011, 4, 17, 0, 0, 0, 0, time.UTC).Unix(),
		drop:  func(int, int) bool { return false },
	}
}

func (r *rows) Schema() table.Schema { return r.schema }

func (r *rows) Next() (*table.Row, error) {
	if r.at == r.n {
		return nil, io.EOF
	}
	r.at++
	r.row.Clear()
	r.row.End = r.start + int64(r.at)*15
	for c := range r.schema.Components {
		if r.drop(r.at, c) {
			continue
		}
		r.row.Values[0][c] = 40
		r.row.Values[1][c] = 20 * math.Exp(0.2*r.rng.NormFloat64())
		if c == 2 && r.at > 240 {
			r.row.Values[1][c] *= 1.5
		}
	}
	return r.row, nil
}

// notes writes down what a listener hears.
type notes struct {
	system  *topology.System
	lists   []string
	windows int
}

func (n *notes) Window(*detect.Window) { n.windows++ }

func (n *notes) List(l *List) {
	line := time.Unix(l.Hour, 0).UTC().Format("02.15:")
	for _, e := range l.Entries {
		line += fmt.Sprintf(" %d %s", e.Value, n.system.Components[e.Component].Name)
	}
	n.lists = append(n.lists, line)
}

func diagnose(t *testing.T, s *topology.System, r *rows, said []feedback.Feedback) (*notes, *Engine) {
	t.Helper()
	n := &notes{system: s}
	e, err := New(DefaultOptions(), s, r.Schema(), nil, said, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(r); err != nil {
		t.Fatal(err)
	}
	return n, e
}

// TestHourlyLists: an accumulator climbs by the eight windows of an hour.
func TestHourlyLists(t *testing.T) {
	n, _ := diagnose(t, drives(10), newRows(6*240), nil)
	if n.windows != 6*8-1 || len(n.lists) != 6 {
		t.Fatalf("%d windows and %d lists in six hours", n.windows, len(n.lists))
	}
	for hour, list := range n.lists {
		if !strings.HasPrefix(list, fmt.Sprintf("17.%02d:", hour)) {
			t.Errorf("list %d is %q", hour, list)
		}
	}
	var last, before int
	fmt.Sscanf(n.lists[5], "17.05: %d d2", &last)
	fmt.Sscanf(n.lists[4], "17.04: %d d2", &before)
	if last != before+8 {
		t.Errorf("d2 climbs from %d to %d, want eight more: %v", before, last, n.lists)
	}
}

// TestSilenceHasNoLists: hours without data list nothing and clear nothing.
func TestSilenceHasNoLists(t *testing.T) {
	n, _ := diagnose(t, drives(10), newRows(6*240), nil)
	gap := newRows(6 * 240)
	s := drives(10)
	heard := &notes{system: s}
	e, err := New(DefaultOptions(), s, gap.Schema(), nil, nil, heard)
	if err != nil {
		t.Fatal(err)
	}
	for {
		row, err := gap.Next()
		if err == io.EOF {
			break
		}
		if gap.at > 4*240 {
			row.End += 20 * 3600
		}
		e.Push(row)
	}
	e.Finish()
	if len(heard.lists) != len(n.lists) {
		t.Errorf("%d lists, want %d: %v", len(heard.lists), len(n.lists), heard.lists)
	}
	var before, after int
	fmt.Sscanf(heard.lists[3], "17.03: %d d2", &before)
	fmt.Sscanf(heard.lists[4], "18.00: %d d2", &after)
	if before == 0 || after < before {
		t.Errorf("the gap cleared d2: %v", heard.lists)
	}
}

func TestFeedbackActsAtItsTime(t *testing.T) {
	s := drives(10)
	at := newRows(0).start
	said := []feedback.Feedback{
		{Time: at + 4*3600, Verb: feedback.Resolve, Components: []int{2}},
		{Time: at + 5*3600, Verb: feedback.Mute, Components: []int{2}},
	}
	n, _ := diagnose(t, s, newRows(6*240), said)
	var value int
	fmt.Sscanf(n.lists[4], "17.04: %d d2", &value)
	if value == 0 || value > 8 {
		t.Errorf("an hour after it was resolved d2 stands at %d: %v", value, n.lists)
	}
	if strings.Contains(n.lists[5], "d2") {
		t.Errorf("muted, d2 is still listed: %v", n.lists)
	}
}

func TestSilentServer(t *testing.T) {
	r := newRows(4 * 240)
	r.drop = func(step, c int) bool { return c%2 == 1 && step > 480 }
	_, e := diagnose(t, drives(10), r, nil)
	want := []Silence{{Server: "fs2", Since: r.start + 480*15}}
	if got := e.Silent(); !slices.Equal(got, want) {
		t.Errorf("silent: %+v, want %+v", got, want)
	}
	for _, entry := range e.Top() {
		if entry.Component%2 == 1 && entry.Last.Reason == detect.Gone {
			t.Errorf("a drive of a silent server is called gone: %+v", entry)
		}
	}
}

func TestPresets(t *testing.T) {
	for method, want := range map[string]string{
		"default": "await",
		"l13":     "await",
		"f10":     "rd_sec wr_sec await rxbyt txbyt cwnd_out cwnd_in",
	} {
		o, err := Preset(method)
		if err != nil || o.Validate() != nil || o.Detect.Method != method {
			t.Errorf("%s: %v %v", method, o, err)
		}
		if got := strings.Join(o.Metrics, " "); got != want || (o.Indict == ByChecklist) != (method == "f10") {
			t.Errorf("%s judges by %s, indicts %q", method, got, o.Indict)
		}
	}
	if _, err := Preset("f11"); err == nil {
		t.Error("f11 is taken for a method")
	}
}

// TestEngineIndicts: a drive that waits twice as long is a busy disk of its
// server, where the options ask for a cause.
func TestEngineIndicts(t *testing.T) {
	o, _ := Preset("f10")
	o.Metrics, o.Detect.StepSeconds = []string{"await"}, 15
	s := drives(10)
	trainer, err := detect.NewTrainer(o.Detect, s, newRows(0).schema, o.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	healthy := newRows(240) // drive 2 slows down afterwards
	if err := trainer.Run(healthy); err != nil {
		t.Fatal(err)
	}
	for _, indict := range []bool{true, false} {
		if o.Indict = Nobody; indict {
			o.Indict = ByChecklist
		}
		e, err := New(o, s, healthy.schema, trainer.Model(), nil, &notes{system: s})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Run(newRows(6 * 240)); err != nil {
			t.Fatal(err)
		}
		got := e.Indictments()
		if !indict && got != nil {
			t.Errorf("indicted without being asked: %+v", got)
		}
		if indict && (len(got) != 1 || got[0].Server != "fs1" || got[0].Cause != explain.DiskBusy || got[0].Metrics[0].Component != "d2") {
			t.Errorf("indicted: %+v", got)
		}
	}
}
