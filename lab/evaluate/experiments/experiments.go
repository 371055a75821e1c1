package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/detect"
	"github.com/limpet-storage/limpet/engine/diagnose"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/place"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/evaluate/score"
	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/topology"
)

// Data are the rows of a run, and how they are diagnosed.
type Data struct {
	System  *topology.System
	Stream  table.Stream
	Options diagnose.Options
	io.Closer
}

// Open opens the run of a name.
type Open func(ctx context.Context, run string) (*Data, error)

// Outcome is a run that was diagnosed.
type Outcome struct {
	testbed.Truth
	score.Outcome
	Onsets []Onset // of incidents that are right about the server
}

// Result is what became of all runs.
type Result struct {
	Name string
	Runs []Outcome
}

// Evaluate diagnoses the runs one after the other.
func Evaluate(ctx context.Context, name string, runs []testbed.Truth, open Open, tell func(done, total int)) (*Result, error) {
	r := &Result{Name: name}
	for i := range runs {
		incidents, system, err := diagnosed(ctx, runs[i].Run, open)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", runs[i].Run, err)
		}
		o, err := judge(&runs[i], system, incidents)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", runs[i].Run, err)
		}
		r.Runs = append(r.Runs, *o)
		if tell != nil {
			tell(i+1, len(runs))
		}
	}
	return r, nil
}

// diagnosed are the incidents of a run.
func diagnosed(ctx context.Context, run string, open Open) ([]incident.Incident, *topology.System, error) {
	d, err := open(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	defer d.Close()
	engine, err := diagnose.New(d.Options, d.System, d.Stream.Schema(), nil, deaf{})
	if err != nil {
		return nil, nil, err
	}
	for {
		row, err := d.Stream.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		engine.Push(row)
	}
	engine.Finish()
	return engine.Summary(incident.BySeverity).Incidents, d.System, nil
}

// deaf is for diagnoses of which only the end counts.
type deaf struct{}

func (deaf) Window(*detect.Window) {}
func (deaf) List(*diagnose.List)   {}
func (deaf) Event(*incident.Event) {}

// judge holds incidents against the truth. What is harmless by its own words
// accuses nobody.
func judge(t *testbed.Truth, system *topology.System, list []incident.Incident) (*Outcome, error) {
	if t.Server != "" && !slices.Contains(system.Servers, t.Server) {
		return nil, fmt.Errorf("the truth speaks of server %s, which the topology does not have", t.Server)
	}
	o := &Outcome{Truth: *t}
	if !t.Fault.Harmless() {
		o.Faulty = []score.Blame{{Server: t.Server, Cause: string(t.Fault)}}
	}
	for i := range list {
		if in := &list[i]; !in.Harmless() {
			o.accuse(t, in, accused(system, in))
		}
	}
	return o, nil
}

// accuse notes an incident. A cause that is right goes by the name of the fault.
// Whoever is accused before the fault has begun is accused falsely. A brick
// that is being mended works more than its peers, so nobody is wrong who says
// so of it.
func (o *Outcome) accuse(t *testbed.Truth, in *incident.Incident, servers []string) {
	for _, s := range servers {
		b := score.Blame{Server: s, Cause: string(in.Kind)}
		switch {
		case s != t.Server:
		case in.Confirmed < t.Begin.Unix():
			b.Server += " too early"
		case t.Fault.Harmless():
			continue
		default:
			if len(t.Fault.Kinds()) == 0 || slices.Contains(t.Fault.Kinds(), in.Kind) {
				b.Cause = string(t.Fault)
			}
			o.Onsets = append(o.Onsets, onsetOf(in, t.Begin))
		}
		o.Indicted = append(o.Indicted, b)
	}
}

// accused are the servers that an incident says something is wrong with: that
// which it is at, or those that have its components.
func accused(system *topology.System, in *incident.Incident) []string {
	if in.Place.Tier == place.Server {
		return []string{in.Place.Name}
	}
	var all []string
	for _, m := range in.Members {
		if s := system.Components[m.Component].Server; s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if all == nil {
		all = append(all, in.Place.Name)
	}
	slices.Sort(all)
	return all
}

// said is what a diagnosis said of a run, in a few words.
func (o *Outcome) said() string {
	var all []string
	for _, b := range o.Indicted {
		all = append(all, b.Server+" "+b.Cause)
	}
	if all == nil {
		return "nobody"
	}
	return strings.Join(all, ", ")
}
