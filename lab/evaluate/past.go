package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// PastOptions are the settings of an evaluation in which components have no peers. Each component is
// diagnosed alone or in a pair, so that it can be compared only with its own past.
type PastOptions struct {
	Diagnose engine.Options
	Slower   []float64 // factors by which a component is made slower
	Days     int       // least number of days with data before a component is made slower
	Seed     uint64
}

// DefaultPast returns the default settings.
func DefaultPast() PastOptions {
	return PastOptions{Diagnose: engine.DefaultOptions(), Slower: []float64{1.5, 3}, Days: 3, Seed: 1}
}

// Validate returns an error that names every invalid setting.
func (o *PastOptions) Validate() error {
	errs := []error{o.Diagnose.Validate()}
	for _, f := range o.Slower {
		if f <= 1 {
			errs = append(errs, fmt.Errorf("a factor of %g does not make a component slower: give factors above 1", f))
		}
	}
	if o.Days < 2 {
		errs = append(errs, errors.New("limpet compares a component with at least two days of its own past: give 2 days or more"))
	}
	return errors.Join(errs...)
}

// PastResult holds the counts of an evaluation without peers.
type PastResult struct {
	System     string
	Components int
	Days       int
	Healthy    PastHealthy
	Alone      []PastFault // by factor: components that are diagnosed alone
	Pairs      []PastFault // by factor: one of two components is slower
}

// PastHealthy counts the alarms of components that were not made slower.
type PastHealthy struct {
	Runs             int
	ComponentDays    float64
	Suspects         int
	Incidents        int
	IncidentsOf      []string // components with an incident
	AllowedIncidents float64  // number of false incidents that the settings allow in the same time
}

// PastFault counts how often a component that was made slower is found within a day.
type PastFault struct {
	Slower    float64
	Runs      int
	SameDay   int // found as a suspect or as an incident on the day of the fault
	Suspects  int // found as a suspect or as an incident within 24 hours of data
	Incidents int // found as an incident within 24 hours of data
	Wrong     int // runs of two components in which the other component is named
	// Seconds of data until the incident, of the runs with an incident, in ascending order.
	IncidentSeconds []float64
}

// recording holds the rows of a stream, component by component.
type recording struct {
	schema table.Schema
	ends   []int64
	values [][][]float32 // by metric and component: a value for each row
	days   []int         // indexes of the first row of each day
}

// record reads a whole stream.
func record(ctx context.Context, s table.Stream) (*recording, error) {
	r := &recording{schema: s.Schema()}
	r.values = make([][][]float32, len(r.schema.Metrics))
	for m := range r.values {
		r.values[m] = make([][]float32, r.schema.Components)
	}
	day := int64(-1)
	err := each(ctx, s, func(row *table.Row) {
		if today := (row.End - 1) / 86400; today != day {
			day = today
			r.days = append(r.days, len(r.ends))
		}
		r.ends = append(r.ends, row.End)
		for m := range r.values {
			for c := range r.values[m] {
				r.values[m][c] = append(r.values[m][c], float32(row.Values[m][c]))
			}
		}
	})
	return r, err
}

// Past diagnoses each component of a stream without its peers: as it is, and slower from a random
// day on.
func Past(ctx context.Context, o PastOptions, system *topology.System, s table.Stream, tell Progress) (*PastResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	rec, err := record(ctx, s)
	if err != nil {
		return nil, err
	}
	if len(rec.days) < o.Days+1 {
		return nil, fmt.Errorf("the data have %d days: give data of at least %d days", len(rec.days), o.Days+1)
	}
	e := &pastEvaluation{o: o, system: system, rec: rec, result: &PastResult{System: system.Name, Days: len(rec.days)}}
	return e.result, e.run(ctx, tell)
}

type pastEvaluation struct {
	o      PastOptions
	system *topology.System
	rec    *recording
	result *PastResult
}

// pastRun is one diagnosis.
type pastRun struct {
	components []int
	slower     float64 // factor of the first component; 1: no component is slower
	// The component is slower from row number "from" on. The run ends before row number "to".
	from, to int
	nextDay  int // first row of the day after the row "from"
}

// pastOutcome holds the times of the first suspect and the first incident of each component of a
// run; 0: none.
type pastOutcome struct {
	suspects, incidents []int64
}

func (e *pastEvaluation) run(ctx context.Context, tell Progress) error {
	runs := e.draw()
	for _, f := range e.o.Slower {
		e.result.Alone = append(e.result.Alone, PastFault{Slower: f})
		e.result.Pairs = append(e.result.Pairs, PastFault{Slower: f})
	}
	err := inOrder(ctx, runtime.GOMAXPROCS(0), len(runs), func(_ context.Context, i int) (pastOutcome, error) {
		return e.diagnose(&runs[i])
	}, func(i int, out pastOutcome) error {
		if tell != nil {
			tell(i+1, len(runs))
		}
		e.count(&runs[i], &out)
		return nil
	})
	for _, list := range [][]PastFault{e.result.Alone, e.result.Pairs} {
		for i := range list {
			slices.Sort(list[i].IncidentSeconds)
		}
	}
	suspect := &e.o.Diagnose.Criteria
	e.result.Healthy.AllowedIncidents = e.result.Healthy.ComponentDays / 365.25 * suspect.FalseIncidentsPerYear
	return err
}

// draw chooses the runs: each component alone and healthy, each component alone with each factor,
// and each component as the slower one of two with each factor.
func (e *pastEvaluation) draw() []pastRun {
	var runs []pastRun
	rng := rand.New(rand.NewPCG(e.o.Seed, 0))
	for c := range e.system.Components {
		if e.system.Components[c].Kind != topology.Attachment {
			continue
		}
		e.result.Components++
		runs = append(runs, pastRun{components: []int{c}, slower: 1, to: len(e.rec.ends)})
		for _, f := range e.o.Slower {
			runs = append(runs, e.fault(rng, []int{c}, f))
		}
		members := e.system.Groups[e.system.Components[c].Group-1].Members
		if len(members) < 2 {
			continue
		}
		other := c
		for other == c {
			other = members[rng.IntN(len(members))]
		}
		for _, f := range e.o.Slower {
			runs = append(runs, e.fault(rng, []int{c, other}, f))
		}
	}
	return runs
}

// fault chooses the day from which on a component is slower. The run ends after 24 hours of data.
func (e *pastEvaluation) fault(rng *rand.Rand, components []int, f float64) pastRun {
	day := e.o.Days + rng.IntN(len(e.rec.days)-e.o.Days)
	r := pastRun{components: components, slower: f, from: e.rec.days[day], nextDay: len(e.rec.ends)}
	if day+1 < len(e.rec.days) {
		r.nextDay = e.rec.days[day+1]
	}
	r.to = min(r.from+int(86400/e.rec.schema.StepSeconds), len(e.rec.ends))
	return r
}

// part returns the system that consists of the given components alone.
func (e *pastEvaluation) part(components []int) *topology.System {
	whole := &e.system.Components[components[0]]
	s := &topology.System{Name: e.system.Name, Servers: []string{whole.Server}, Groups: []topology.PeerGroup{{ID: 1, Name: "alone"}}}
	for i, c := range components {
		one := e.system.Components[c]
		one.Group = 1
		s.Components = append(s.Components, one)
		s.Groups[0].Members = append(s.Groups[0].Members, i)
	}
	return s
}

// diagnose pushes the rows of a run into an engine.
func (e *pastEvaluation) diagnose(r *pastRun) (pastOutcome, error) {
	out := pastOutcome{make([]int64, len(r.components)), make([]int64, len(r.components))}
	schema := e.rec.schema
	schema.Components, schema.Servers = len(r.components), 0
	o := e.o.Diagnose
	o.Questions = []engine.Question{engine.Components}
	eng, err := engine.New(o, e.part(r.components), schema, nil, engine.NoListener{})
	if err != nil {
		return out, err
	}
	lead := schema.Leading(o.Metrics)
	row := table.NewRow(schema)
	for i := range r.to {
		row.Clear()
		row.End = e.rec.ends[i]
		for m := range row.Values {
			for k, c := range r.components {
				row.Values[m][k] = float64(e.rec.values[m][c][i])
			}
		}
		if i >= r.from {
			row.Values[lead][0] *= r.slower
		}
		eng.Push(row)
		if row.End%pastLookSeconds == 0 {
			out.look(eng, row.End)
		}
	}
	return out, nil
}

// pastLookSeconds is the time between two looks at the findings of an engine. It is the interval in
// which detectors compare components with their past.
const pastLookSeconds = 300

// look records the first suspect and the first incident of each component.
func (p *pastOutcome) look(e *engine.Engine, now int64) {
	s := e.Open(incident.BySeverity)
	for i := range s.Incidents {
		if in := &s.Incidents[i]; in.Class == finding.Past {
			note(p.incidents, in.Members, now)
		}
	}
	for i := range s.Suspects {
		if in := &s.Suspects[i]; in.Class == finding.Past {
			note(p.suspects, in.Members, now)
		}
	}
}

func note(first []int64, members []finding.Member, now int64) {
	for _, m := range members {
		if first[m.Component] == 0 {
			first[m.Component] = now
		}
	}
}

// count adds a run to the result.
func (e *pastEvaluation) count(r *pastRun, out *pastOutcome) {
	if r.slower == 1 {
		e.countHealthy(r, out)
		return
	}
	list := e.result.Alone
	if len(r.components) > 1 {
		list = e.result.Pairs
	}
	f := &list[slices.Index(e.o.Slower, r.slower)]
	f.Runs++
	suspectAt, incidentAt := out.suspects[0], out.incidents[0]
	if suspectAt < e.rec.ends[r.from] || incidentAt > 0 && incidentAt < suspectAt {
		suspectAt = incidentAt // no suspect after the start of the fault, or the incident came first
	}
	if incidentAt >= e.rec.ends[r.from] {
		f.Incidents++
		f.IncidentSeconds = append(f.IncidentSeconds, e.dataSeconds(r.from, incidentAt))
	}
	if suspectAt >= e.rec.ends[r.from] {
		f.Suspects++
		if suspectAt <= e.rec.ends[r.nextDay-1] {
			f.SameDay++
		}
	}
	if len(r.components) > 1 && out.incidents[1] >= e.rec.ends[r.from] {
		f.Wrong++
	}
}

// dataSeconds returns the seconds of data from the beginning of a row to a Unix time.
func (e *pastEvaluation) dataSeconds(row int, to int64) float64 {
	rows, _ := slices.BinarySearch(e.rec.ends, to+1)
	return float64(rows-row) * float64(e.rec.schema.StepSeconds)
}

func (e *pastEvaluation) countHealthy(r *pastRun, out *pastOutcome) {
	h := &e.result.Healthy
	h.Runs++
	h.ComponentDays += float64(r.to) * float64(e.rec.schema.StepSeconds) / 86400
	if out.suspects[0] > 0 {
		h.Suspects++
	}
	if out.incidents[0] > 0 {
		h.Incidents++
		h.IncidentsOf = append(h.IncidentsOf, fmt.Sprintf("%s since %s", e.system.Components[r.components[0]].Name, time.Unix(out.incidents[0], 0).UTC().Format(time.DateOnly)))
	}
}

// medianSeconds returns the median time until an incident; NaN without an incident.
func (f *PastFault) medianSeconds() float64 {
	if len(f.IncidentSeconds) == 0 {
		return math.NaN()
	}
	return f.IncidentSeconds[len(f.IncidentSeconds)/2]
}
