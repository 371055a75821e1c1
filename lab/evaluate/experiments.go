// This file compares the diagnoses of recorded runs with the faults that were injected
// into them.
//
// Runs come from package testbed, or from anybody who writes a truth file in its form.
// Each run is diagnosed as limpet diagnose does with the topology as its only flag: both
// questions at once, nothing trained. The counts are those of F10: is every faulty server
// accused (ITP), is a healthy one (IFP), is the fault named (DTP), is a name wrong (DFP).
// A share of few runs is uncertain, so each share has its interval.
//
// The caller opens the runs.

package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/topology"
)

// Data are the rows of a run, and how they are diagnosed.
type Data struct {
	System  *topology.System
	Stream  table.Stream
	Options engine.Options
	io.Closer
}

// Open opens the run of a name.
type Open func(ctx context.Context, run string) (*Data, error)

// ExperimentsOutcome is a run that was diagnosed.
type ExperimentsOutcome struct {
	testbed.Truth
	Outcome
	Onsets []Onset // of incidents that are right about the server
}

// ExperimentsResult is what became of all runs.
type ExperimentsResult struct {
	Name string
	Runs []ExperimentsOutcome
}

// Evaluate diagnoses the runs one after the other.
func Evaluate(ctx context.Context, name string, runs []testbed.Truth, open Open, tell func(done, total int)) (*ExperimentsResult, error) {
	r := &ExperimentsResult{Name: name}
	for i := range runs {
		incidents, system, err := diagnosed(ctx, runs[i].Run, open)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", runs[i].Run, err)
		}
		o, err := judgeRun(&runs[i], system, incidents)
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
	engine, err := engine.New(d.Options, d.System, d.Stream.Schema(), nil, noEvents{})
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

// noEvents is for diagnoses of which only the end counts.
type noEvents struct{}

func (noEvents) Window(*persistence.Window) {}
func (noEvents) List(*engine.List)          {}
func (noEvents) Event(*incident.Event)      {}

// judgeRun holds incidents against the truth. What is harmless by its own words
// accuses nobody.
func judgeRun(t *testbed.Truth, system *topology.System, list []incident.Incident) (*ExperimentsOutcome, error) {
	if t.Server != "" && !slices.Contains(system.Servers, t.Server) {
		return nil, fmt.Errorf("the truth file names server %s, which the topology does not have: give the topology of these runs", t.Server)
	}
	o := &ExperimentsOutcome{Truth: *t}
	if !t.Fault.Harmless() {
		o.Faulty = []Blame{{Server: t.Server, Cause: string(t.Fault)}}
	}
	for i := range list {
		if in := &list[i]; !in.Harmless() {
			o.accuse(t, in, accused(system, in))
		}
	}
	return o, nil
}

// accuse counts an incident. A right cause is counted under the name of the fault. A
// server that is accused before the fault has begun is accused falsely. A brick that is
// being healed does more work than its peers, so an incident about that work is right.
func (o *ExperimentsOutcome) accuse(t *testbed.Truth, in *incident.Incident, servers []string) {
	for _, s := range servers {
		b := Blame{Server: s, Cause: string(in.Kind)}
		switch {
		case s != t.Server:
		case in.Confirmed < t.Begin.Unix():
			b.Server += " (before the fault)"
		case t.Fault.Harmless():
			continue
		default:
			if slices.Contains(t.Fault.Kinds(), in.Kind) {
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
	if in.Place.Tier == blame.Server {
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
func (o *ExperimentsOutcome) said() string {
	var all []string
	for _, b := range o.Indicted {
		all = append(all, b.Server+" "+b.Cause)
	}
	if all == nil {
		return "nobody"
	}
	return strings.Join(all, ", ")
}
