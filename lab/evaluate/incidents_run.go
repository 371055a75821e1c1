package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// Trial is one run, and the comparison of its incidents with the truth.
type Trial struct {
	Experiment string
	Seed       uint64
	Days       int
	Event      *arrays.Incident // experiment events: its event
	Paper      float64          // experiment events: hours until the paper's operator saw the event; NaN: none
	Source     string
	Faults     int            // experiment concurrent: number of faults to draw
	Drawn      []arrays.Drawn // experiment concurrent: the drawn faults
	LUNs       int            // number of LUNs of the system
	Suspects   int            // experiment quiet: number of suspects
	Unfounded  int            // experiment quiet: suspects that nothing in the truth explains
	*IncidentScores
}

// Name is unique among the trials of an experiment: "2011-07-14 ddn19a", "seed 17".
func (t *Trial) Name() string {
	if t.Event != nil {
		return t.Event.Name()
	}
	return fmt.Sprintf("seed %d", t.Seed)
}

// IncidentsResult holds the results of all trials.
type IncidentsResult struct {
	Options IncidentsOptions
	Trials  []Trial // by experiment
}

// Incidents simulates the runs of all experiments, and diagnoses them up to incidents.
func Incidents(ctx context.Context, o IncidentsOptions, tell Progress) (*IncidentsResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	published, err := ReadPublished()
	if err != nil {
		return nil, err
	}
	trials := o.trials(published)
	steps := steps{tell: tell, total: len(trials)}
	r := &IncidentsResult{Options: o}
	err = inOrder(ctx, o.Workers, len(trials), func(ctx context.Context, i int) (Trial, error) {
		return o.try(ctx, trials[i])
	}, func(_ int, t Trial) error {
		r.Trials = append(r.Trials, t)
		steps.did()
		return nil
	})
	return r, err
}

// trials returns all runs to simulate.
func (o *IncidentsOptions) trials(p *Published) []Trial {
	var all []Trial
	for _, experiment := range o.Experiments {
		switch experiment {
		case EventsExperiment:
			all = append(all, o.eventTrials(p)...)
		case ConcurrentExperiment:
			for i := range o.Runs {
				all = append(all, Trial{Seed: o.System.Seed + uint64(i), Days: o.ConcurrentSystem.Days, Faults: o.Faults[i%len(o.Faults)]})
			}
		case QuietExperiment:
			for i := 0; i*o.DaysAtOnce < o.Days; i++ {
				all = append(all, Trial{Seed: o.System.Seed + uint64(i), Days: min(o.DaysAtOnce, o.Days-i*o.DaysAtOnce)})
			}
		}
		for i := range all {
			all[i].Experiment = cmp.Or(all[i].Experiment, experiment)
		}
	}
	return all
}

func (o *IncidentsOptions) eventTrials(p *Published) []Trial {
	var all []Trial
	for i := range o.Events {
		t := Trial{Seed: o.System.Seed, Event: &o.Events[i]}
		t.Paper, t.Source = p.latency(t.Event.At)
		all = append(all, t)
	}
	return all
}

// try simulates a run, and compares its incidents with its truth.
func (o *IncidentsOptions) try(ctx context.Context, t Trial) (Trial, error) {
	fail := func(err error) (Trial, error) { return t, fmt.Errorf("%s, %s: %w", t.Experiment, t.Name(), err) }
	scenario, err := o.scenario(&t)
	if err != nil {
		return fail(err)
	}
	rows, err := scenario.Rows(o.Diagnose.Detect.StepSeconds, o.columns()...)
	if err != nil {
		return fail(err)
	}
	engine, err := engine.New(o.Diagnose, rows.System(), rows.Schema(), nil, engine.NoListener{})
	if err != nil {
		return fail(err)
	}
	var suspects suspects
	push := engine.Push
	if t.Experiment == QuietExperiment {
		push = look(engine, &suspects)
	}
	if err := each(ctx, rows, push); err != nil {
		return t, err
	}
	engine.Finish()
	t.IncidentScores, err = judgeIncidents(&o.Diagnose.Detect, rows.System(), rows.Truth(), engine.Summary(incident.Combined).Incidents)
	if err != nil {
		return fail(err)
	}
	t.LUNs = len(rows.System().LUNs)
	t.Suspects, t.Unfounded = suspects.Count(rows.Truth())
	return t, nil
}

// lookSeconds is the time between two looks at the suspects: a quarter of an hour, as often as an
// operator might look.
const lookSeconds = 900

// look returns a function that pushes rows, and reads the suspects every lookSeconds.
func look(engine *engine.Engine, suspects *suspects) func(*table.Row) {
	return func(row *table.Row) {
		engine.Push(row)
		if row.End%lookSeconds == 0 {
			suspects.Look(engine.Open(incident.Combined).Suspects, row.End)
		}
	}
}

// columns returns the metrics that decide, and the metrics that show the load of each component.
func (o *IncidentsOptions) columns() []string {
	names := []string{metric.TPS.Name, metric.RdSec.Name, metric.WrSec.Name, metric.Await.Name}
	for _, name := range o.Diagnose.Metrics {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// scenario returns the simulated scenario of a trial.
func (o *IncidentsOptions) scenario(t *Trial) (*arrays.Scenario, error) {
	system := o.System
	if t.Event != nil {
		return t.Event.Scenario(system)
	}
	if t.Faults > 0 {
		system = o.ConcurrentSystem
	}
	system.Seed, system.Days = t.Seed, t.Days
	scenario, err := arrays.Intrepid(system)
	if err != nil || t.Faults == 0 {
		return scenario, err
	}
	t.Drawn, err = scenario.Draw(t.Faults)
	for _, d := range t.Drawn {
		scenario.Events = append(scenario.Events, d.Events...)
	}
	return scenario, err
}

// of returns the trials of an experiment.
func (r *IncidentsResult) of(experiment string) []Trial {
	return slices.DeleteFunc(slices.Clone(r.Trials), func(t Trial) bool { return t.Experiment != experiment })
}
