package top

import (
	"slices"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report/sentence"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the settings of a model.
type Options struct {
	Engine engine.Options
	Look   look.Options
	// LookSeconds is the time over which a component is compared with its peers for one frame.
	LookSeconds int64
	// Foreign is true if another process runs the diagnosis. In this case the model has no engine, and
	// the caller sets suspects and incidents with Judge.
	Foreign bool
	Source  string // name of the source as people know it: the host, the directory or the address
	Zone    *time.Location
	// CompareFrom is the Unix time from which the model makes frames. Rows that end before this
	// time go to the engine and to the history, but the model makes no frame for these rows. If
	// CompareFrom is 0, the model makes a frame for each row.
	CompareFrom int64
	// ReadFrom is the Unix time of the first data that the model reads. It is 0 if the source has
	// no older data.
	ReadFrom int64
	// Replayed makes the model keep states of the engine, so that a Replay can show earlier times.
	Replayed bool
	// Now returns the present time. Times of another day are printed with their date. If Now is nil, no
	// time has a date.
	Now func() time.Time
}

// DefaultOptions returns the settings of the command "limpet top". The engine judges in steps of a
// second.
//
// In the command "limpet look", one ranking in twenty marks a healthy component by chance. The
// command "limpet top" shows a ranking each second, so this share would be too large. In "limpet
// top", only one ranking in a hundred may have such a false mark: about one false mark in two
// minutes. The mark lasts a few seconds and has the text "seen once".
func DefaultOptions() Options {
	o := Options{Engine: engine.DefaultOptions(), Look: look.DefaultOptions(), LookSeconds: 3, Zone: time.Local}
	o.Engine.Detect.StepSeconds = 1
	o.Look.FalseMarks = 0.01
	return o
}

// stamp returns a time of day. If the time is on another day than today, the text also has the date.
func (o *Options) stamp(at int64) string {
	if o.isOtherDay(at) {
		return time.Unix(at, 0).In(o.Zone).Format(time.DateTime)
	}
	return clock(at, o.Zone)
}

func (o *Options) isOtherDay(at int64) bool {
	return o.Now != nil && time.Unix(at, 0).In(o.Zone).Format(time.DateOnly) != o.Now().In(o.Zone).Format(time.DateOnly)
}

// A Model holds the present data of the watched system. Any goroutine may call its methods.
type Model struct {
	options Options

	mu         sync.Mutex
	system     *topology.System // nil if no row has come yet
	schema     table.Schema
	columns    columns
	history    history
	comparison comparison
	requests   []requests  // by component; nil if rows have no latencies
	given      percentiles // percentiles that another process has computed
	counted    bool        // true if a row had the latency of a request
	runs       []run       // by component: present period in which the component differs from its peers
	verdicts   verdicts
	now        *Frame // frame of the last row; nil if the frame is not made yet
	waiting    string
	lost       string // reason why no more rows will come; empty if more rows may come
	warnings   []string
	rows       int

	kept       []keptState // states for a Replay, the oldest first
	keepStride int         // number of rows between two kept states; 0 means keepEvery
}

// columns has the index of each metric among the metrics of a row. The index is -1 if rows do not
// have the metric.
type columns struct{ latency, load, read, written, busy int }

// A run is a period in which a component differs from its peers (look.Apart or look.SlowWithHost). A
// break of fewer than lookSteps steps does not end the run.
type run struct {
	since  int64 // end of the first step; 0 if the component does not differ from its peers
	steps  int   // number of steps in which the component differed from its peers
	missed int   // number of steps since the last step in which the component differed
}

// New returns a model without a system.
func New(o Options) *Model { return &Model{options: o, waiting: "waiting for the first values"} }

// Change sets the system of the rows that follow. If there was a system before, the engine keeps
// its state. A component that is in both systems keeps its values.
func (m *Model) Change(system *topology.System, schema table.Schema) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.options.Engine
	o.FitTo(schema)
	if !m.options.Foreign {
		if err := m.verdicts.start(o, system, schema); err != nil {
			return err
		}
		m.verdicts.writer = sentence.New(system, schema, &o)
		m.verdicts.stamp, m.verdicts.writer.Zone = m.options.stamp, m.options.Zone
	}
	old, oldRuns, oldRequests := m.history, m.runs, m.requests
	from := make([]int, len(system.Components)) // index of each component in the old system; -1 if the component is new
	for i := range from {
		from[i] = -1
		if m.system != nil {
			if at, ok := m.system.Lookup(system.Components[i].Name); ok {
				from[i] = at
			}
		}
	}
	m.system, m.schema, m.now = system, schema, nil
	index := func(name string) int { return metric.Index(schema.Metrics, name) }
	m.columns = columns{schema.Leading(o.Metrics), schema.Load, index(metric.RdSec.Name), index(metric.WrSec.Name), index(metric.Util.Name)}
	m.history = newHistory(len(from))
	m.comparison = newComparison(system, m.options.Look)
	m.runs = make([]run, len(from))
	m.requests, m.given = nil, percentiles{}
	if schema.Latencies {
		m.requests = make([]requests, len(from))
	}
	m.history.copyFrom(&old, from)
	for i, at := range from {
		if at < 0 {
			continue
		}
		m.runs[i] = oldRuns[at]
		if m.requests != nil && oldRequests != nil {
			m.requests[i] = oldRequests[at]
		}
	}
	return nil
}

// Push adds the next row to the history and passes it to the engine. It makes the frame of this
// row, unless the row ends before Options.CompareFrom.
func (m *Model) Push(row *table.Row) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows++
	m.waiting = ""
	m.history.push(row, &m.columns)
	for i, l := range row.Latency {
		m.requests[i].push(row.End, l)
	}
	m.verdicts.push(row)
	m.keepState(row.End)
	m.now = nil
	if row.End >= m.options.CompareFrom {
		m.now = m.frame(len(m.history.ends) - 1)
		m.follow(m.now)
	}
}

// Finish ends the diagnosis after the last row. The model then has the suspects and incidents that
// the command "limpet diagnose" reports for the same rows.
func (m *Model) Finish() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.verdicts.Engine == nil || len(m.history.ends) == 0 {
		return
	}
	m.verdicts.Engine.Finish()
	m.verdicts.list(m.history.ends[len(m.history.ends)-1])
	m.now = nil
}

// follow updates the run of each component, and sets the fields Since and Level of its line.
func (m *Model) follow(f *Frame) {
	for i := range f.Lines {
		l := &f.Lines[i]
		r := &m.runs[l.component]
		switch {
		case l.Mark == look.Apart || l.Mark == look.SlowWithHost:
			if r.since == 0 {
				*r = run{since: f.End}
			}
			r.steps++
			r.missed = 0
		case r.since != 0:
			if r.missed++; r.missed >= m.lookSteps() {
				*r = run{}
			}
		}
		m.settle(l, r)
	}
	f.sort()
}

// settle sets Since and Level of a line from the run of its component.
func (m *Model) settle(l *Line, r *run) {
	if l.Level >= Suspected {
		return // the engine has set Since and Level
	}
	if r.since == 0 || l.Mark == look.Within || l.Mark == look.Idle {
		return
	}
	l.Since = r.since
	// A frame compares the components over lookSteps steps, and there is a frame for each step. So
	// neighbouring frames overlap. Only every lookSteps-th frame counts as a further look.
	switch looks := 1 + (r.steps-1)/m.lookSteps(); {
	case looks >= m.options.Look.OftenLooks:
		l.Level = Persists
	case looks >= 2:
		l.Level = Again
	default:
		l.Level = OneLook
	}
}

// lookSteps returns the number of steps over which a frame compares the components.
func (m *Model) lookSteps() int {
	return int(max(1, m.options.LookSeconds/max(1, m.schema.StepSeconds)))
}

// A Problem is a suspect or an incident of a diagnosis in another process.
type Problem struct {
	Level     Level // Suspected or Confirmed
	ID        string
	Since     int64
	Members   []ProblemMember
	Sentences []string // the headline, then the reasons
}

// A ProblemMember is a component of a Problem.
type ProblemMember struct {
	Name  string
	Times float64 // ratio of its latency to the latency of its peers since the onset; 0 if unknown
	Gone  bool    // true if its server has lost the device
}

// Judge sets the suspects, the incidents and the messages of a model with Options.Foreign.
func (m *Model) Judge(list []Problem, messages []Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := &m.verdicts
	v.problems, v.suspects, v.incidents, v.messages = nil, 0, 0, messages
	for i := range list {
		from := &list[i]
		p := problem{level: from.Level, id: from.ID, since: from.Since, sentences: from.Sentences}
		for _, of := range from.Members {
			if c, ok := m.system.Lookup(of.Name); ok {
				p.members, p.times, p.gone = append(p.members, c), append(p.times, of.Times), append(p.gone, of.Gone)
			}
		}
		v.problems = append(v.problems, p)
		if p.level == Confirmed {
			v.incidents++
		} else {
			v.suspects++
		}
	}
	m.now = nil
}

// percentiles are the percentiles of the latencies of requests in ms, by component. A slice is nil if
// the percentiles are not known.
type percentiles struct{ p50, p99, slowest []float64 }

// Percentiles sets the percentiles of the latencies of requests, in ms. It is only for a model with
// Options.Foreign. Each slice has one value for each component. A value is NaN if it is unknown. A
// slice is nil if all its values are unknown.
func (m *Model) Percentiles(p50, p99, slowest []float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.given = percentiles{p50, p99, slowest}
	m.counted = p50 != nil
	m.now = nil
}

// SetWaiting sets the reason why there is no row yet.
func (m *Model) SetWaiting(reason string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.system == nil {
		m.waiting = reason
	}
}

// SetLost sets the reason why no more rows come, for example a lost connection. An empty reason
// means that rows come again.
func (m *Model) SetLost(reason string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lost = reason
}

// SetWarnings sets the list of warnings about the input.
func (m *Model) SetWarnings(list []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.warnings = slices.Clone(list)
}

// Rows returns the number of rows that were pushed so far.
func (m *Model) Rows() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rows
}
