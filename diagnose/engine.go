// Package diagnose runs the stages over a stream of rows: detect, then rank and
// incident, or explain where a method asks for it; or symptom and explain, where
// whole servers are judged.
// A day of files is a fast replay of a running system; both push rows into
// the same [Engine] and hear the same windows and lists.
package diagnose

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/explain"
	"github.com/limpet-storage/limpet/feedback"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/rank"
	"github.com/limpet-storage/limpet/symptom"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the settings of a diagnosis.
type Options struct {
	Detect  detect.Options
	Metrics []string // that decide; L13 lists on await
	Top     int      // lines of a list
	// Indict is how servers and the resources at fault are named.
	Indict   Indict
	Symptoms symptom.Options // of [BySymptoms]
	// Incidents are made of suspects where nobody is indicted.
	Incidents incident.Options
}

// Indict is a way to name servers and causes.
type Indict string

// The ways to indict servers.
const (
	Nobody      Indict = ""
	ByChecklist Indict = "checklist" // F10's: trained thresholds, metric by metric
	BySymptoms  Indict = "symptoms"  // ours: metrics that answer to each other; nothing is trained and nothing listed
)

// DefaultOptions judge by await and list the hundred most persistent, every
// hour, as L13 §5.1 does.
func DefaultOptions() Options {
	return Options{Detect: detect.DefaultOptions(), Metrics: []string{"await"}, Top: 100, Symptoms: symptom.DefaultOptions(), Incidents: incident.DefaultOptions()}
}

// Patience is how many seconds of data an indictment takes at the least.
func (o *Options) Patience() int64 {
	if o.Indict == BySymptoms {
		return o.Symptoms.WinSeconds + int64(o.Symptoms.K-1)*o.Symptoms.ShiftSeconds
	}
	d := &o.Detect
	return int64(d.WinSize+(d.K-1)*d.WinShift) * d.StepSeconds
}

// ServersOptions judge whole servers, every second, by symptoms.
func ServersOptions() Options {
	o := DefaultOptions()
	o.Detect.StepSeconds, o.Metrics, o.Indict = 1, symptom.Metrics(), BySymptoms
	return o
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
		o.Metrics, o.Indict = explain.Metrics(), ByChecklist
	}
	return o, nil
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := []error{o.Detect.Validate(), o.Symptoms.Validate(), o.Incidents.Validate()}
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
	detector *detect.Detector // nil where only symptoms count
	ranks    *rank.Accumulators
	tracker  *incident.Tracker   // nil where servers are indicted instead
	court    court               // nil where nobody is to be indicted
	feedback []feedback.Feedback // what is still to come
	silence  silence
	idle     *idleness
	clocks   *clocks // nil where nobody is to be indicted
	listener Listener
	hourEnd  int64 // end of the hour that the next list is for, 0 before the first row
	begin    int64 // of the first step, 0 before it
}

// New returns an engine for the rows of a schema. With a model its thresholds
// are used; what operators said must be in order of time.
func New(o Options, system *topology.System, schema table.Schema, model *detect.Model, said []feedback.Feedback, l Listener) (*Engine, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	e := &Engine{
		opts: o, system: system, ranks: rank.New(), feedback: said,
		silence: newSilence(system), idle: newIdleness(&o, system, schema), listener: l,
	}
	if o.Indict != Nobody {
		e.clocks = newClocks(system, schema)
	}
	var err error
	if o.Indict == BySymptoms {
		e.court, err = newExamination(&o, system, schema)
		return e, err
	}
	if o.Indict == ByChecklist {
		e.court = &checklist{list: explain.NewChecklist(system, schema, o.Detect)}
	}
	if e.detector, err = detect.New(o.Detect, system, schema, o.Metrics, model); err != nil {
		return nil, err
	}
	if o.Indict == Nobody {
		e.tracker, err = incident.New(o.Incidents, &o.Detect, system, schema, o.Metrics)
	}
	return e, err
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
	if e.begin == 0 {
		e.begin = row.End - e.opts.Detect.StepSeconds
	}
	e.apply(row.End - 1)
	e.silence.push(row)
	e.idle.push(row)
	if e.court != nil {
		e.court.row(row, e.idle.excused)
		e.clocks.push(row)
	}
	if e.tracker != nil {
		e.tracker.Row(row)
	}
	e.detect(row)
	e.closeHours(row.End)
}

func (e *Engine) detect(row *table.Row) {
	if e.detector == nil {
		return
	}
	end := int64(0)
	e.detector.Push(row, func(w *detect.Window) {
		if w.End != end {
			e.tick(end)
		}
		e.apply(w.End - 1)
		e.ranks.Push(w)
		if e.court != nil {
			e.court.window(w, e.idle.excused)
		}
		if e.tracker != nil {
			e.tracker.Window(w)
		}
		e.listener.Window(w)
		end = w.End
	})
	if shift := int64(e.opts.Detect.WinShift) * e.opts.Detect.StepSeconds; end == 0 && row.End%shift == 0 {
		end = row.End // nothing could be judged, and time goes on
	}
	e.tick(end)
}

// tick makes incidents of the windows that end at a time; 0 where there are
// none.
func (e *Engine) tick(end int64) {
	if e.tracker != nil && end > 0 {
		e.tracker.Tick(end)
	}
}

// closeHours lists the hour that has ended by now. An hour without data has
// no list.
func (e *Engine) closeHours(now int64) {
	if e.hourEnd == 0 || now < e.hourEnd || e.detector == nil {
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
		if e.tracker != nil {
			e.tracker.Apply(e.feedback[0])
		}
		e.feedback = e.feedback[1:]
	}
}

// Finish lists the hour that the stream ended in.
func (e *Engine) Finish() {
	if e.hourEnd != 0 {
		e.closeHours(e.hourEnd)
	}
}

// Span returns the begin of the first step and the end of the last.
func (e *Engine) Span() (from, to int64) { return e.begin, e.silence.last }

// Skews returns the servers whose clocks are apart from the others', where
// servers are to be indicted.
func (e *Engine) Skews() []Skew {
	if e.clocks == nil {
		return nil
	}
	return e.clocks.skews()
}

// Incidents returns those that were confirmed, in an order: of components, or
// of servers where these are indicted.
func (e *Engine) Incidents(o incident.Order) []incident.Incident {
	if e.tracker != nil {
		return e.tracker.List(o)
	}
	return incident.Indicted(e.Indictments(), e.system, e.silence.last, e.opts.Patience())
}

// Accumulators returns all that are above zero, whatever their number.
func (e *Engine) Accumulators() []rank.Entry { return e.ranks.Top(math.MaxInt) }

// Top returns the list as it stands.
func (e *Engine) Top() []rank.Entry { return e.ranks.Top(e.opts.Top) }
