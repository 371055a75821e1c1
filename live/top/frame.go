package top

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A Level is the certainty that a component is anomalous.
type Level uint8

// The levels, from the least certain to the most certain. A look compares the components over a few
// seconds. A component with the level OneLook has differed from its peers in one look. Again means
// two or more looks, and Persists means at least look.Options.OftenLooks looks. Suspected and
// Confirmed mean that the engine has a suspect or an incident.
const (
	NotOdd Level = iota
	OneLook
	Again
	Persists
	Suspected
	Confirmed
)

var levelNames = []string{"", string(look.OneLook), string(look.Again), string(look.Persists), "suspect", "incident"}

// String returns the name of a level for the screen. In JSON a level has its name in levelNames.
func (l Level) String() string {
	if name := levelNames[l]; name != string(look.OneLook) {
		return name
	}
	return seenOnce
}

// seenOnce is the text that the screen shows for the level OneLook: the component has differed from
// its peers in one look only.
const seenOnce = "seen once"

// MarshalText writes the name of a level.
func (l Level) MarshalText() ([]byte, error) { return []byte(levelNames[l]), nil }

// UnmarshalText reads the output of MarshalText.
func (l *Level) UnmarshalText(text []byte) error {
	*l = Level(max(slices.Index(levelNames, string(text)), 0))
	return nil
}

// A Number is a value that may be unknown. An unknown value is NaN in Go, and null in JSON.
type Number float64

// A Line is one component in a frame.
type Line struct {
	Name   string    `json:"name"`
	Server string    `json:"server,omitempty"`
	Group  int       `json:"-"` // index in Frame.Groups
	Mark   look.Mark `json:"mark"`
	Level  Level     `json:"sure,omitempty"`
	Since  int64     `json:"since,omitempty"` // Unix time since which the component has been anomalous; 0 if it is not anomalous
	// Before is true if the component was already slow when the data began. Since is then the time
	// at which the data began, and the true onset is unknown.
	Before bool   `json:"since_or_before,omitempty"`
	ID     string `json:"incident,omitempty"`

	other bool // true for a network interface or a host; the title does not count such lines
	// Missing is true if the server of the component has lost the device.
	Missing bool `json:"missing,omitempty"`
	// Place is the part to repair, if the suspect or incident has other components too.
	Place string `json:"place,omitempty"`

	Latency Number `json:"latency_ms"`
	Times   Number `json:"times_peers"` // latency divided by the median latency of the peers
	Odd     Number `json:"deviations"`  // distance from the median of the peers, in standard deviations of the peers
	// SinceTimes is the ratio of the component's latency to its peers' latency since the onset of
	// its suspect or incident. The field Times is the ratio over the last seconds.
	SinceTimes Number `json:"times_peers_since"`
	Load       Number `json:"requests_per_second"`
	Moved      Number `json:"kilobytes_per_second"`
	Busy       Number `json:"busy_percent"`
	P50        Number `json:"p50_ms"` // time in the device and in its queue, for reads and writes together
	P99        Number `json:"p99_ms"`
	Slowest    Number `json:"slowest_ms"`

	component int
}

// IsMarked reports whether the component differs from its peers.
func (l *Line) IsMarked() bool {
	return l.Level > NotOdd || l.Mark == look.Apart || l.Mark == look.SlowWithHost
}

// A Group is a peer group in a frame.
type Group struct {
	Name string `json:"name"`
	// Band has the usual range of the latencies. It is nil if the group cannot be compared.
	Band       *Band `json:"band,omitempty"`
	Components int   `json:"components"`
	Odd        int   `json:"odd"`
}

// A Band is the usual range of the latencies of a group, in milliseconds.
type Band struct {
	Median float64 `json:"median_ms"`
	Low    float64 `json:"low_ms"`  // 5th percentile of the latencies of the components that are like their peers
	High   float64 `json:"high_ms"` // 95th percentile
	Least  float64 `json:"least_ms"`
	Most   float64 `json:"most_ms"`
}

// A PresentProblem is a present suspect or incident.
type PresentProblem struct {
	Level   Level  `json:"sure"`
	ID      string `json:"incident,omitempty"`
	Since   int64  `json:"since"`
	Before  bool   `json:"since_or_before,omitempty"`
	Members int    `json:"members"` // number of components that have the problem
	Text    string `json:"headline"`
}

// A Message is a line about a suspect or an incident that has begun or ended.
type Message struct {
	Time int64  `json:"time"`
	ID   string `json:"incident,omitempty"`
	Text string `json:"text"`
}

// A Frame holds all data that the screen shows for one time.
type Frame struct {
	Source      string           `json:"source"`
	End         int64            `json:"end"` // Unix time of the end of the last step
	StepSeconds int64            `json:"step_seconds"`
	LookSeconds int64            `json:"look_seconds"` // latencies and loads are means over this time, in seconds
	Groups      []Group          `json:"groups"`
	Lines       []Line           `json:"components"` // the most anomalous component first
	Messages    []Message        `json:"messages"`   // in order of time
	Problems    []PresentProblem `json:"problems"`   // present suspects and incidents; their number is Suspects plus Incidents
	Apart       int              `json:"apart"`
	Suspects    int              `json:"suspects"`
	Incidents   int              `json:"incidents"`
	Waiting     string           `json:"waiting,omitempty"` // reason why there are no data; empty if there are data
	Warnings    []string         `json:"warnings,omitempty"`
	Histograms  bool             `json:"-"`                   // true if lines have P50, P99 and Slowest
	Past        bool             `json:"-"`                   // true if the frame shows an earlier time
	Judged      bool             `json:"-"`                   // used only if Past is true: true if the suspects and incidents of that time are known
	ReadFrom    int64            `json:"read_from,omitempty"` // data before this Unix time were not read; 0 if all data were read
	Dated       bool             `json:"-"`                   // true if the frame is of another day than today; its times are then shown with their date
	Zone        *time.Location   `json:"-"`

	smallest float64 // if Line.Times is smaller than this number, the component is like its peers
}

// Frame returns the frame of the last row that ended at or before a Unix time. If the time is 0, it
// returns the frame of the last row. The model does not change a frame after Frame has returned it.
func (m *Model) Frame(end int64) *Frame {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := len(m.history.ends) - 1
	if m.system == nil || last < 0 {
		return &Frame{Source: m.options.Source, Waiting: m.waiting, Warnings: m.warnings, Zone: m.options.Zone}
	}
	at := m.stepAt(end)
	if at == last {
		if m.now == nil {
			m.now = m.frame(last)
			for i := range m.now.Lines {
				l := &m.now.Lines[i]
				m.settle(l, &m.runs[l.component])
			}
			m.now.sort()
		}
		f := *m.now
		f.Waiting = m.lost
		f.Warnings, f.Messages, f.Problems = m.warnings, slices.Clone(m.verdicts.messages), m.verdicts.present()
		return &f
	}
	f := m.frame(at)
	f.Past = true
	f.sort()
	return f
}

// stepAt returns the index of the last step of the history that ended at or before a Unix time. If
// the time is 0, it returns the last step. A frame compares the components over lookSteps steps. So
// stepAt returns a step with at least lookSteps-1 steps before it, if the history has such a step.
func (m *Model) stepAt(end int64) int {
	last := len(m.history.ends) - 1
	if end == 0 {
		return last
	}
	at, found := slices.BinarySearch(m.history.ends, end)
	if !found {
		at--
	}
	return min(max(at, m.lookSteps()-1, 0), last)
}

// frame makes the frame of the step with the index `at`. It compares the components over one look:
// this step and the steps just before it.
func (m *Model) frame(at int) *Frame {
	steps := m.lookSteps()
	f := &Frame{
		Source: m.options.Source, End: m.history.ends[at], StepSeconds: m.schema.StepSeconds,
		LookSeconds: int64(steps) * m.schema.StepSeconds, Histograms: m.counted, Zone: m.options.Zone,
		smallest: m.options.Engine.Criteria.SmallestTimes, ReadFrom: m.options.ReadFrom, Dated: m.options.isOtherDay(m.history.ends[at]),
	}
	isLast := at == len(m.history.ends)-1
	lines := make([]Line, len(m.system.Components))
	r := &m.comparison
	latency, load, size := &r.values[0], &r.values[1], &r.values[2]
	for i := range m.system.Components {
		c := &m.system.Components[i]
		v := m.history.meanOver(i, at, steps, float64(m.schema.StepSeconds))
		lines[i] = Line{
			Name: c.Name, Server: c.Server, Group: c.Group - 1, Mark: look.Idle, component: i, other: c.Kind != topology.Attachment,
			Latency: Number(v.latency), Load: Number(v.load), Moved: Number(v.moved), Busy: nan, Times: nan, Odd: nan, SinceTimes: nan, P50: nan, P99: nan, Slowest: nan,
		}
		if isLast {
			lines[i].Busy = Number(m.history.busy[i])
		}
		latency.X[i], latency.Requests[i], load.X[i], size.X[i] = v.latency, v.requests, math.NaN(), math.NaN()
		if !math.IsNaN(v.latency) && v.load > 0 {
			load.X[i], size.X[i] = v.load, v.moved/v.load
		}
	}
	m.compare(f, lines)
	if isLast {
		m.percentiles(lines)
		m.verdicts.mark(lines)
		f.Suspects, f.Incidents = m.verdicts.suspects, m.verdicts.incidents
	}
	f.Lines = lines
	return f
}

var nan = Number(math.NaN())

// A comparison compares each component of a system with its peers, and ranks the components.
type comparison struct {
	*look.Ranker
	values []look.Values // values of latency, load and size of requests
	groups []int         // by index of a kind in the ranker: index of the peer group
}

// newComparison returns the comparison of a system. The ranker compares only components of the same
// kind, so the kind of a component is the index of its peer group.
func newComparison(system *topology.System, o look.Options) comparison {
	n := len(system.Components)
	components := make([]look.Sample, n)
	kinds := make([]string, len(system.Groups))
	for i := range kinds {
		kinds[i] = strconv.Itoa(i)
	}
	for i := range components {
		c := &system.Components[i]
		components[i] = look.Sample{Component: c.Name, Kind: kinds[c.Group-1], Host: c.Server}
	}
	metrics := []look.Metric{look.Latency, look.Requests, look.ReqSize}
	r := comparison{Ranker: look.NewRanker(components, metrics, o), values: make([]look.Values, len(metrics))}
	for m := range metrics {
		r.values[m].X = make([]float64, n)
	}
	r.values[0].Requests = make([]float64, n)
	for _, kind := range r.Kinds() {
		r.groups = append(r.groups, slices.Index(kinds, kind))
	}
	return r
}

// compare ranks the components, and writes the results into the lines and groups of the frame.
func (m *Model) compare(f *Frame, lines []Line) {
	f.Groups = make([]Group, len(m.system.Groups))
	for i := range f.Groups {
		g := &m.system.Groups[i]
		f.Groups[i] = Group{Name: g.Name, Components: len(g.Members)}
	}
	results, bands := m.comparison.Rank(m.comparison.values)
	for k, b := range bands {
		if b != nil && b.Metric == look.Latency {
			f.Groups[m.comparison.groups[k]].Band = &Band{b.Median, b.Low, b.High, b.Min, b.Max}
		}
	}
	for i := range results {
		r := &results[i]
		lines[i].Mark = r.Mark
		if r.Metric == look.Latency {
			lines[i].Times, lines[i].Odd = Number(r.Times), Number(r.Deviations)
		}
	}
}

// percentiles writes the percentiles of the requests of the last minute into the given lines.
func (m *Model) percentiles(lines []Line) {
	for i := range m.given.p50 {
		lines[i].P50, lines[i].P99, lines[i].Slowest = Number(m.given.p50[i]), Number(m.given.p99[i]), Number(m.given.slowest[i])
	}
	for i := range m.requests {
		var sum table.Latency
		m.requests[i].sum(&sum)
		all := sum[0].Device
		all.Add(sum[1].Device)
		if all.Requests() == 0 {
			continue
		}
		m.counted = true
		const msPerNs = 1e-6
		l := &lines[i]
		l.P50, l.P99, l.Slowest = Number(all.QuantileNs(0.5)*msPerNs), Number(all.QuantileNs(0.99)*msPerNs), Number(all.QuantileNs(1)*msPerNs)
	}
}

// sort puts the most anomalous components first, and counts the anomalous components.
func (f *Frame) sort() {
	f.Apart = 0
	for i := range f.Groups {
		f.Groups[i].Odd = 0
	}
	for i := range f.Lines {
		l := &f.Lines[i]
		if l.Mark == look.Apart || l.Mark == look.SlowWithHost {
			f.Apart++
		}
		if l.IsMarked() {
			f.Groups[l.Group].Odd++
		}
	}
	// A Line is a large struct, so small keys are sorted instead of lines. Lines that are equally
	// anomalous stay in the order of the system.
	keys := make([]sortKey, len(f.Lines))
	for i := range f.Lines {
		l := &f.Lines[i]
		rank := len(markOrder) - slices.Index(markOrder, l.Mark)
		keys[i] = sortKey{int(max(l.Level, Persists))<<16 | rank<<8 | int(l.Level), float64(l.Odd), l.component, i}
		if math.IsNaN(keys[i].odd) {
			keys[i].odd = math.Inf(-1)
		}
	}
	slices.SortFunc(keys, func(a, b sortKey) int {
		switch {
		case a.class != b.class:
			return b.class - a.class
		case a.odd > b.odd:
			return -1
		case a.odd < b.odd:
			return 1
		}
		return a.component - b.component
	})
	sorted := make([]Line, len(f.Lines))
	for at := range keys {
		sorted[at] = f.Lines[keys[at].line]
	}
	f.Lines = sorted
}

// A sortKey orders lines.
type sortKey struct {
	class     int     // number that combines level and mark; lines with larger numbers come first
	odd       float64 // distance from the peers in standard deviations, -Inf if unknown; lines with larger distances come first
	component int
	line      int // index of the line before sorting
}

// markOrder lists the marks in the order in which the screen shows lines without a suspect or an
// incident.
var markOrder = []look.Mark{look.Apart, look.SlowWithHost, look.Unsure, look.Explained, look.Within, look.OtherKind, look.Alone, look.Idle}

// isWide reports whether a problem has several members, and a place with a name.
func isWide(p blame.Place, members int) bool { return members > 1 && p.Name != "" }
