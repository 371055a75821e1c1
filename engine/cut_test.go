package engine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
)

// tape is a recording that can be diagnosed any number of times.
type tape struct {
	*recording
	opts     engine.Options
	model    *persistence.Model
	commands []command.Command // of operators, in order of time
	acts     []int             // rows from which on something is another than before
}

// writer is a listener with a state that is saved with the engine, like the writer of a
// report.
type writer interface {
	engine.Listener
	engine.Stateful
	// output is all that it has to say, from the first row on.
	output(*engine.Summary) string
}

// ear records everything that a listener receives.
type ear struct {
	lines  []string
	others []writer
}

func (e *ear) Window(w *persistence.Window) {
	e.lines = append(e.lines, "window "+dump(w))
	for _, o := range e.others {
		o.Window(w)
	}
}

func (e *ear) List(l *engine.List) {
	e.lines = append(e.lines, "list "+dump(l))
	for _, o := range e.others {
		o.List(l)
	}
}

func (e *ear) Event(v *incident.Event) {
	e.lines = append(e.lines, "event "+dump(v))
	for _, o := range e.others {
		o.Event(v)
	}
}

func (e *ear) stateful() []engine.Stateful {
	var list []engine.Stateful
	for _, o := range e.others {
		list = append(list, o)
	}
	return list
}

// tally counts what it receives.
type tally struct{ windows, lists, events int }

func (a *tally) Window(*persistence.Window) { a.windows++ }
func (a *tally) List(*engine.List)          { a.lists++ }
func (a *tally) Event(*incident.Event)      { a.events++ }

func (a *tally) output(s *engine.Summary) string {
	return fmt.Sprintf("%d windows, %d lists, %d events, %d incidents", a.windows, a.lists, a.events, len(s.Incidents))
}

func (a *tally) State(c *state.Codec, _ *blame.Axes) {
	state.Int(c, &a.windows)
	state.Int(c, &a.lists)
	state.Int(c, &a.events)
}

// run is a diagnosis of a tape.
type run struct {
	*tape
	engine *engine.Engine
	ear    *ear
	at     int // rows that were pushed
}

// listeners returns an ear and new writers.
func (p *tape) listeners(writers []func() writer) *ear {
	e := &ear{}
	for _, w := range writers {
		e.others = append(e.others, w())
	}
	return e
}

func (p *tape) begin(t *testing.T, writers ...func() writer) *run {
	t.Helper()
	r := &run{tape: p, ear: p.listeners(writers)}
	var err error
	if r.engine, err = engine.New(p.opts, p.system, p.schema, p.model, r.ear); err != nil {
		t.Fatal(err)
	}
	r.engine.Plan(p.commands)
	return r
}

// resume continues from the state of a run in a new engine.
func (p *tape) resume(t *testing.T, at int, data []byte, writers ...func() writer) *run {
	t.Helper()
	r := &run{tape: p, ear: p.listeners(writers), at: at}
	var err error
	if r.engine, err = engine.Restore(data, p.opts, p.system, p.schema, p.model, r.ear, r.ear.stateful()...); err != nil {
		t.Fatalf("cut after %d rows: %v", at, err)
	}
	r.engine.Plan(p.commands)
	return r
}

// playTo pushes rows up to an index, and finishes the stream after the last.
func (r *run) playTo(to int) {
	for ; r.at < to; r.at++ {
		for _, w := range r.ear.others {
			if page, ok := w.(interface{ Row(*table.Row) }); ok {
				page.Row(r.rows[r.at])
			}
		}
		r.engine.Push(r.rows[r.at])
		if r.at+1 == len(r.rows) {
			r.engine.Finish()
		}
	}
}

func (r *run) save(t *testing.T) []byte {
	t.Helper()
	data, err := r.engine.Save(r.ear.stateful()...)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// stand returns the summaries of the engine and of all writers as text.
func (r *run) stand() string {
	text := ""
	for _, o := range incident.Orders() {
		s := r.engine.Summary(o)
		text += dump(s) + "\n"
	}
	s := r.engine.Summary(incident.Combined)
	for _, w := range r.ear.others {
		text += w.output(&s) + "\n"
	}
	return text
}

// cut is a part of a tape that begins with a restored engine, with the results of the
// uncut run.
type cut struct {
	from, to int // rows
	state    []byte
	heard    [2]int // lines at its begin and its end
	stand    string // at its end
	end      []byte // state at its end
}

// cutAnywhere fails unless a diagnosis that is saved and restored between two rows
// continues as if nothing had happened: it gives the same results until the end of the
// part, and then has the same summary and state. It cuts at random rows, half of them
// near rows with results or changes.
func cutAnywhere(t *testing.T, p *tape, cuts, longest int, writers ...func() writer) {
	t.Helper()
	if testing.Short() {
		cuts = max(4, cuts/6)
	}
	if len(writers) == 0 {
		writers = []func() writer{func() writer { return &tally{} }}
	}
	first := p.begin(t)
	var loud []int // rows after which there was more to hear
	for first.at < len(p.rows) {
		before := len(first.ear.lines)
		if first.playTo(first.at + 1); len(first.ear.lines) > before {
			loud = append(loud, first.at)
		}
	}
	if !slices.ContainsFunc(first.ear.lines, func(line string) bool { return strings.HasPrefix(line, "event") }) {
		t.Fatal("nothing happens")
	}
	list := p.draw(rand.New(rand.NewPCG(uint64(len(p.rows)), uint64(cuts))), cuts, longest, loud)
	whole := p.uncut(t, list, writers...)
	if !slices.Equal(whole.ear.lines, first.ear.lines) {
		t.Fatal("two runs of the same rows differ")
	}
	for i := range list {
		p.compare(t, &list[i], whole.ear.lines[list[i].heard[0]:list[i].heard[1]], writers...)
	}
}

// draw chooses parts at random. The first lasts until the end. Every third has only a few
// rows, as later rows replace much of the state.
func (p *tape) draw(rng *rand.Rand, cuts, longest int, loud []int) []cut {
	var list []cut
	for i := range cuts {
		c := cut{from: rng.IntN(len(p.rows) + 1)}
		switch {
		case i%4 == 1 && len(p.acts) > 0:
			c.from = min(p.acts[rng.IntN(len(p.acts))]+rng.IntN(60), len(p.rows))
		case i%2 == 1:
			c.from = min(max(loud[rng.IntN(len(loud))]+rng.IntN(4)-2, 0), len(p.rows))
		}
		c.to = min(len(p.rows), c.from+1+int(float64(longest)*rng.Float64()*rng.Float64()))
		switch {
		case i == 0:
			c.to = len(p.rows)
		case i%3 == 1:
			c.to = min(len(p.rows), c.from+1+rng.IntN(40))
		}
		list = append(list, c)
	}
	return list
}

// uncut plays the tape without a cut, and records the results for all cuts.
func (p *tape) uncut(t *testing.T, list []cut, writers ...func() writer) *run {
	t.Helper()
	r := p.begin(t, writers...)
	for at := 0; at <= len(p.rows); at++ {
		r.playTo(at)
		for i := range list {
			c := &list[i]
			if c.from == at {
				c.state, c.heard[0] = r.save(t), len(r.ear.lines)
			}
			if c.to == at {
				c.stand, c.end, c.heard[1] = r.stand(), r.save(t), len(r.ear.lines)
			}
		}
	}
	return r
}

// compare resumes a run from a cut, and compares.
func (p *tape) compare(t *testing.T, c *cut, want []string, writers ...func() writer) {
	t.Helper()
	r := p.resume(t, c.from, c.state, writers...)
	if !bytes.Equal(r.save(t), c.state) {
		t.Fatalf("cut after %d rows: what was restored is saved as something else", c.from)
	}
	r.playTo(c.to)
	for i := range max(len(want), len(r.ear.lines)) {
		if got, want := line(r.ear.lines, i), line(want, i); got != want {
			t.Fatalf("cut after %d rows, at most %d rows later: %s", c.from, c.to-c.from, differ(got, want))
		}
	}
	if got := r.stand(); got != c.stand {
		t.Fatalf("cut after %d rows, %d rows later: %s", c.from, c.to-c.from, differ(got, c.stand))
	}
	if !bytes.Equal(r.save(t), c.end) {
		t.Fatalf("cut after %d rows, %d rows later: the engines say the same and remember something else", c.from, c.to-c.from)
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

// differ shows where two texts differ.
func differ(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	part := func(s string) string { return s[max(0, min(at, len(s))-200):min(len(s), at+200)] }
	return fmt.Sprintf("got\n…%s…\nwant\n…%s…", part(got), part(want))
}
