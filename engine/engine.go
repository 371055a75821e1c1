package engine

import (
	"io"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// Engine diagnoses a stream of rows. It is not safe for concurrent use.
type Engine struct {
	opts      Options
	schema    table.Schema
	places    *blame.Map
	dataTimes *window.DataTimes
	questions []question
	tracker   *incident.Tracker
	planned   []command.Command // commands from Plan that have not been applied, in order of time
	lacks     []Lack
	model     string // hash of the trained thresholds; empty without trained thresholds
	listener  Listener
}

// question is a set of detectors that answer one [Question]. The type limits is a question here
// too, although it answers no [Question].
type question interface {
	// begin finishes the windows and hours that end before the next row. It gets the Unix time at
	// which the next row ends.
	begin(end int64)
	// row takes the next row, runs the detectors, and passes findings to the tracker.
	row(*table.Row)
	// finish is called after the last row. If a question combines several rows into one longer
	// step, finish judges the last step, although some of its rows are missing. It also makes the
	// last hourly list of suspects.
	finish()
	// forget makes the detectors of a class of findings drop their evidence about a component.
	forget(finding.Class, int)
	// apply executes an operator's command on the components with the given numbers.
	apply(verb command.Verb, components []int)
	// addToSummary adds the results of the question to a summary.
	addToSummary(*Summary)
	// state writes or reads the state of all detectors.
	state(*state.Codec, *blame.Axes)
}

// New returns an engine for a system and the rows of a schema. Push, Finish and Apply call the
// listener. The parameter `model` holds trained thresholds for the hourly lists of suspects and for
// F10's checklist. If `model` is nil, the hourly lists compute their thresholds from each peer
// group, and New returns an error for F10's checklist.
func New(o Options, system *topology.System, schema table.Schema, model *persistence.Model, l Listener) (*Engine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.FitTo(schema)
	m := blame.NewMap(system)
	e := &Engine{opts: o, schema: schema, places: m, dataTimes: window.NewDataTimes(o.Criteria, m, schema), listener: l, model: model.Hash()}
	e.tracker = incident.New(o.Incidents(), m, l.Event, e.forget)
	for _, ask := range o.Questions {
		q, err := e.newQuestion(ask, model)
		if err != nil {
			return nil, err
		}
		if q != nil {
			e.questions = append(e.questions, q)
		}
	}
	if !o.isFromPaper() {
		e.questions = append(e.questions, newLimits(e))
	}
	return e, nil
}

// newQuestion makes the detectors of a question. It returns nil if the data are not sufficient for
// the question [Servers]. If the network interfaces are not known, work that clients requested
// looks like the work of a hog. So without interfaces Servers is never answered. With too few peers
// or too long steps, Servers is answered only if it is the only question.
func (e *Engine) newQuestion(q Question, model *persistence.Model) (question, error) {
	switch q {
	case Servers:
		if lack := e.missingForServers(); lack != nil && (lack.Resource == Interfaces || len(e.opts.Questions) > 1) {
			if !e.schema.Sparse || len(e.opts.Questions) == 1 { // most tables have no interfaces; for a table, missing data are reported only if Servers is the only question
				e.lacks = append(e.lacks, *lack)
			}
			return nil, nil
		}
		return newServers(e)
	case Checklist:
		return newF10(e, model)
	}
	return newComponents(e, model)
}

// Options returns the options of the engine. [Options.FitTo] has fitted the steps in these options
// to the schema.
func (e *Engine) Options() Options { return e.opts }

// Run pushes all rows of a stream, and calls Finish at the end of the stream.
func (e *Engine) Run(s table.Stream) error {
	for {
		row, err := s.Next()
		if err == io.EOF {
			e.Finish()
			return nil
		}
		if err != nil {
			return err
		}
		e.Push(row)
	}
}

// Push takes the next row. Rows come in order of time. Push applies the planned commands whose time
// is before the end of the row, runs all detectors, and calls the listener.
func (e *Engine) Push(row *table.Row) {
	for _, q := range e.questions {
		q.begin(row.End)
	}
	e.applyUntil(row.End - 1)
	e.dataTimes.Row(row)
	for _, q := range e.questions {
		q.row(row)
	}
}

// Finish ends the stream of rows. It also makes the hourly list of suspects for the last,
// unfinished hour.
func (e *Engine) Finish() {
	for _, q := range e.questions {
		q.finish()
	}
}

// Plan schedules operators' commands. The commands must be in order of time. Push applies
// each command before the first row that ends after the command's time. Plan drops commands that are
// older than the last row, because a restored engine has already applied these commands.
func (e *Engine) Plan(commands []command.Command) {
	e.planned = slices.DeleteFunc(slices.Clone(commands), func(c command.Command) bool { return c.Time < e.dataTimes.Last })
}

// applyUntil executes the planned commands whose time is at or before the Unix time `now`.
func (e *Engine) applyUntil(now int64) {
	for len(e.planned) > 0 && e.planned[0].Time <= now {
		e.apply(&e.planned[0], e.planned[0].Time)
		e.planned = e.planned[1:]
	}
}

// Apply executes an operator's command immediately, between two rows.
func (e *Engine) Apply(c *command.Command) { e.apply(c, max(c.Time, e.dataTimes.Last)) }

func (e *Engine) apply(c *command.Command, now int64) {
	components := c.Numbers(e.places.System)
	for _, q := range e.questions {
		q.apply(c.Verb, components)
	}
	e.tracker.Apply(c, components, now)
}

// forget makes all detectors of a class of findings drop their evidence about a component.
func (e *Engine) forget(class finding.Class, c int) {
	for _, q := range e.questions {
		q.forget(class, c)
	}
}

// Summary returns the present state of the diagnosis, with the incidents in the order o.
func (e *Engine) Summary(o incident.Order) Summary { return e.summarise(o, Summary{}) }

// Open returns a summary without Top and Accumulators, which take long to rank. It is meant for
// callers that need a summary every minute.
func (e *Engine) Open(o incident.Order) Summary { return e.summarise(o, Summary{unranked: true}) }

func (e *Engine) summarise(o incident.Order, s Summary) Summary {
	s.Incidents, s.From, s.To, s.Lacks = e.tracker.List(o), e.dataTimes.Begin, e.dataTimes.Last, slices.Clone(e.lacks)
	for i, name := range e.places.System.Servers {
		switch {
		case e.dataTimes.LastData[i] == 0:
			s.Silent = append(s.Silent, Silence{Server: name})
			continue
		case e.dataTimes.NeverOverlaps(i):
			s.Apart = append(s.Apart, Presence{name, e.dataTimes.FirstData[i], e.dataTimes.LastData[i]})
		case e.dataTimes.HasStopped(i):
			s.Silent = append(s.Silent, Silence{Server: name, Since: e.dataTimes.LastData[i]})
		}
		s.Heard++
	}
	if s.Heard < 2 { // if only one server sent data, there is no other server whose data could overlap in time
		s.Apart = nil
	}
	for _, q := range e.questions {
		q.addToSummary(&s)
	}
	return s
}
