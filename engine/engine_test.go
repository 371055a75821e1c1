package engine_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// rows is a stream of drives d0, d1, … of two servers. Drive 2 is 1.5 times slower from
// the first hour on.
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
	indexed, _ := s.Only(func(string) bool { return true }) // with an index of names
	return indexed
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

// notes records what a listener receives.
type notes struct {
	system  *topology.System
	lists   []string
	windows int
}

func (n *notes) Window(*persistence.Window) { n.windows++ }
func (n *notes) Event(*incident.Event)      {}

func (n *notes) List(l *engine.List) {
	line := time.Unix(l.Hour, 0).UTC().Format("02.15:")
	for _, e := range l.Entries {
		line += fmt.Sprintf(" %d %s", e.Value, n.system.Components[e.Component].Name)
	}
	n.lists = append(n.lists, line)
}

// listen diagnoses rows with operators' commands.
func listen(t *testing.T, s *topology.System, r *rows, commands []command.Command) (*notes, *engine.Engine) {
	t.Helper()
	n := &notes{system: s}
	e, err := engine.New(engine.DefaultOptions(), s, r.Schema(), nil, n)
	if err != nil {
		t.Fatal(err)
	}
	e.Plan(commands)
	if err := e.Run(r); err != nil {
		t.Fatal(err)
	}
	return n, e
}

// TestHourlyLists: an accumulator grows by the eight windows of an hour.
func TestHourlyLists(t *testing.T) {
	n, _ := listen(t, drives(10), newRows(6*240), nil)
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

// TestSilenceHasNoLists: hours without data make no list and clear no accumulator.
func TestSilenceHasNoLists(t *testing.T) {
	n, _ := listen(t, drives(10), newRows(6*240), nil)
	gap := newRows(6 * 240)
	s := drives(10)
	heard := &notes{system: s}
	e, err := engine.New(engine.DefaultOptions(), s, gap.Schema(), nil, heard)
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

func TestCommandActsAtItsTime(t *testing.T) {
	s := drives(10)
	at := newRows(0).start
	commands := []command.Command{
		{Time: at + 4*3600, Verb: command.Resolve, Components: []string{"d2"}},
		{Time: at + 5*3600, Verb: command.Mute, Components: []string{"d2"}},
	}
	n, _ := listen(t, s, newRows(6*240), commands)
	var value int
	fmt.Sscanf(n.lists[4], "17.04: %d d2", &value)
	if value == 0 || value > 8 {
		t.Errorf("an hour after it was resolved d2 stands at %d: %v", value, n.lists)
	}
	if strings.Contains(n.lists[5], "d2") {
		t.Errorf("muted, d2 is still listed: %v", n.lists)
	}
}

// TestCommandInGaps: a command in a gap of the data does not change the list of the hour
// before, whether rows are judged one by one or two by two.
func TestCommandInGaps(t *testing.T) {
	for _, step := range []int64{15, 30} {
		for _, muted := range []bool{false, true} {
			r := newRows(8 * 240)
			s := drives(10)
			n, o := &notes{system: s}, engine.DefaultOptions()
			o.Detect.StepSeconds = step
			e, err := engine.New(o, s, r.Schema(), nil, n)
			if err != nil {
				t.Fatal(err)
			}
			if muted {
				e.Plan([]command.Command{{Time: r.start + 10*3600, Verb: command.Mute, Components: []string{"d2"}}})
			}
			for row, err := r.Next(); err == nil; row, err = r.Next() {
				if r.at > 4*240-21 { // five minutes before the hour ends, between two rows that are judged together
					row.End += 20 * 3600
				}
				e.Push(row)
			}
			if got := n.lists[3]; !strings.HasPrefix(got, "17.03: ") || !strings.Contains(got, " d2") {
				t.Errorf("steps of %d s, muted %t in the gap: the list before it is %q", step, muted, got)
			}
			if got := n.lists[4]; strings.Contains(got, " d2") == muted {
				t.Errorf("steps of %d s, muted %t in the gap: the list after it is %q", step, muted, got)
			}
		}
	}
}

func TestSilentServer(t *testing.T) {
	r := newRows(4 * 240)
	r.drop = func(step, c int) bool { return c%2 == 1 && step > 480 }
	_, e := listen(t, drives(10), r, nil)
	want := []engine.Silence{{Server: "fs2", Since: r.start + 480*15}}
	if got := e.Summary(incident.Combined).Silent; !slices.Equal(got, want) {
		t.Errorf("silent: %+v, want %+v", got, want)
	}
	for _, entry := range e.Summary(incident.Combined).Top {
		if entry.Component%2 == 1 && entry.Last.Reason == persistence.Gone {
			t.Errorf("a drive of a silent server is called gone: %+v", entry)
		}
	}
}

// TestServersApart: a server whose data never overlap with those of another server is not
// silent, however old they are: its files are of another time.
func TestServersApart(t *testing.T) {
	r := newRows(4 * 240)
	r.drop = func(step, c int) bool { return (c%2 == 1) == (step > 480) }
	_, e := listen(t, drives(10), r, nil)
	s := e.Summary(incident.Combined)
	if len(s.Incidents)+len(s.Silent) > 0 {
		t.Errorf("%s, silent: %+v", tell(s.Incidents), s.Silent)
	}
	want := []engine.Presence{{Server: "fs1", From: r.start + 480*15, To: s.To}, {Server: "fs2", From: s.From, To: r.start + 480*15}}
	if !slices.Equal(s.Apart, want) {
		t.Errorf("apart: %+v, want %+v", s.Apart, want)
	}
	r = newRows(4 * 240)
	if _, e = listen(t, drives(10), r, nil); len(e.Summary(incident.Combined).Apart) > 0 {
		t.Error("servers that send together are apart")
	}
}

func TestPresets(t *testing.T) {
	for _, tt := range []struct {
		method    string
		questions []engine.Question
		metrics   string
		detect    string
	}{
		{"default", []engine.Question{engine.Components, engine.Servers}, "await", "default"},
		{"servers", []engine.Question{engine.Servers}, "await", "default"},
		{"l13", []engine.Question{engine.Components}, "await", "l13"},
		{"f10", []engine.Question{engine.Checklist}, "rd_sec wr_sec await rxbyt txbyt cwnd_out cwnd_in", "f10"},
	} {
		o, err := engine.Preset(tt.method)
		if err != nil || o.Validate() != nil || o.Method != tt.method || o.Detect.Method != tt.detect {
			t.Errorf("%s: %+v %v %v", tt.method, o, err, o.Validate())
		}
		if got := strings.Join(o.Metrics, " "); got != tt.metrics || !slices.Equal(o.Questions, tt.questions) {
			t.Errorf("%s asks %v, judges by %s", tt.method, o.Questions, got)
		}
		if !slices.Contains(engine.Methods(), tt.method) {
			t.Errorf("%s is not among the methods", tt.method)
		}
	}
	if _, err := engine.Preset("f11"); err == nil {
		t.Error("f11 is taken for a method")
	}
}

// TestChecklist: for a drive that waits twice as long, the checklist finds a busy disk of
// its server, and the components question finds a slow drive.
func TestChecklist(t *testing.T) {
	s := drives(10)
	for question, want := range map[engine.Question]string{engine.Checklist: "disk-busy fs1 active", engine.Components: "slow drive d2 active"} {
		o, _ := engine.Preset("f10")
		o.Metrics, o.Detect.StepSeconds, o.Questions = []string{"await"}, 15, []engine.Question{question}
		e, err := engine.New(o, s, newRows(0).schema, trained(t, o, s), engine.NoListener{})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Run(newRows(6 * 240)); err != nil {
			t.Fatal(err)
		}
		list := incidents(e)
		if tell(list) != want {
			t.Errorf("%s: %s, want %s", question, tell(list), want)
		}
		if question == engine.Checklist && (list[0].Class != finding.Resource || list[0].Members[0].Component != 2) {
			t.Errorf("%s: %+v", question, list[0])
		}
	}
}

// trained returns a model of the first hour, in which all drives are healthy.
func trained(t *testing.T, o engine.Options, s *topology.System) *persistence.Model {
	t.Helper()
	trainer, err := persistence.NewTrainer(o.Detect, s, newRows(0).schema, o.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	if err := trainer.Run(newRows(240)); err != nil {
		t.Fatal(err)
	}
	return trainer.Model()
}

// TestOpen: Open returns the same as Summary, without ranks.
func TestOpen(t *testing.T) {
	_, e := listen(t, drives(10), newRows(8*240), nil)
	all, open := e.Summary(incident.Combined), e.Open(incident.Combined)
	if len(all.Incidents)+len(all.Suspects) == 0 || len(all.Accumulators) == 0 {
		t.Fatal("nothing is open: the test shows nothing")
	}
	if got, want := fmt.Sprint(open.Incidents, open.Suspects, open.From, open.To), fmt.Sprint(all.Incidents, all.Suspects, all.From, all.To); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if len(open.Top)+len(open.Accumulators) > 0 {
		t.Error("there are ranks")
	}
}
