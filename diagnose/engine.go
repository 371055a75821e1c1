// Package diagnose runs the stages over a stream of rows: detect, then rank
// and, where a method asks for it, explain.
// A day of files is a fast replay of a running system; both push rows into
// the same [Engine] and hear the same windows and lists.
package diagnose

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the settings of a diagnosis.
type Options struct {
	Detect  detect.Options
	Metrics []string // that decide; L13 lists on await
	Top     int      // lines of a list
	Indict  bool     // name servers and causes by F10's checklist
}

// DefaultOptions judge by await and list the hundred most persistent, every
// hour, as L13 §5.1 does.
func DefaultOptions() Options {
	return Options{Detect: detect.DefaultOptions(), Metrics: []string{"await"}, Top: 100}
}

// Preset returns the options of a method by its name, with the metrics that it
// judges by.
func Preset(method string) (Options, error) {
	o := DefaultOptions()
	preset, err := detect.Preset(method)
	if err != nil {
		return o, err
	}
	o.Detect = preset
	if method == "f10" {
		o.Metrics, o.Indict = explain.Metrics(), true
	}
	return o, nil
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := []error{o.Detect.Validate()}
	if len(o.Metrics) == 0 {
		errs = append(errs, errors.New("no metric is chosen: name at least one"))
	}
	for i, m := range o.Metrics {
		if slices.Contains(o.Metrics[:i], m) {
			errs = append(errs, fmt.Errorf("metric %s is named twice: name it once", m))
		}
	}
	if o.Top < 1 {
		errs = append(errs, fmt.Errorf("lists of %d lines: at least 1 is needed", o.Top))
	}
	return errors.Join(errs...)
}

// hour is how often a list is made (L13 §5.1).
const hour = 3600

// List is the persistence list of one hour.
type List struct {
	Hour    int64 // Unix time at which the hour begins
	Entries []rank.Entry
}

// Listener hears what a diagnosis finds, in time order. What it is given is
// valid until it returns.
type Listener interface {
	Window(*detect.Window)
	List(*List)
}

// Engine diagnoses rows as they come.
type Engine struct {
	opts     Options
	system   *topology.System
	detector *detect.Detector
	ranks    *rank.Accumulators
	charges  *explain.Indictments // nil where nobody is to be indicted
	feedback []rank.Feedback      // what is still to come
	silence  silence
	listener Listener
	hourEnd  int64 // end of the hour that the next list is for, 0 before the first row
}

// New returns an engine for the rows of a schema. With a model its thresholds
// are used; feedback must be in order of time.
func New(o Options, system *topology.System, schema table.Schema, model *detect.Model, feedback []rank.Feedback, l Listener) (*Engine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	d, err := detect.New(o.Detect, system, schema, o.Metrics, model)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		opts: o, system: system, detector: d, ranks: rank.New(),
		feedback: feedback, silence: newSilence(system), listener: l,
	}
	if o.Indict {
		e.charges = explain.NewIndictments(system, schema.Metrics)
	}
	return e, nil
}

// Run diagnoses a whole stream.
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

// Push takes the next row.
func (e *Engine) Push(row *table.Row) {
	e.closeHours(row.End - 1)
	if e.hourEnd == 0 {
		e.hourEnd = (row.End-1)/hour*hour + hour
	}
	e.apply(row.End - 1)
	e.silence.push(row)
	e.detector.Push(row, func(w *detect.Window) {
		e.apply(w.End - 1)
		e.ranks.Push(w)
		if e.charges != nil {
			e.charges.Window(w)
		}
		e.listener.Window(w)
	})
	e.closeHours(row.End)
}

// closeHours lists the hour that has ended by now. An hour without data has
// no list.
func (e *Engine) closeHours(now int64) {
	if e.hourEnd == 0 || now < e.hourEnd {
		return
	}
	e.apply(e.hourEnd - 1)
	e.listener.List(&List{Hour: e.hourEnd - hour, Entries: e.ranks.Top(e.opts.Top)})
	e.hourEnd = 0
}

// apply carries out the feedback given until now.
func (e *Engine) apply(now int64) {
	for len(e.feedback) > 0 && e.feedback[0].Time <= now {
		e.ranks.Apply(e.feedback[0])
		e.feedback = e.feedback[1:]
	}
}

// Finish lists the hour that the stream ended in.
func (e *Engine) Finish() {
	if e.hourEnd != 0 {
		e.closeHours(e.hourEnd)
	}
}

// Top returns the list as it stands.
func (e *Engine) Top() []rank.Entry { return e.ranks.Top(e.opts.Top) }

// Indictments returns the servers that are indicted as it stands, none where
// the options do not ask for them.
func (e *Engine) Indictments() []explain.Indictment {
	if e.charges == nil {
		return nil
	}
	return e.charges.List()
}
