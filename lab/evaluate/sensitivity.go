// This file counts how doubling and halving a bound changes the diagnosis of simulated systems.
//
// Every run is simulated once for a batch of variants, and each variant diagnoses the same rows. So
// two variants differ by their bound, and by nothing else.

package evaluate

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

// SensitivityOptions choose which bounds are varied, and on which runs.
type SensitivityOptions struct {
	Bounds    []string // names, as in docs/method.md
	Incidents IncidentsOptions
	Testbench TestbenchOptions // only the first of its methods is varied
	Workers   int
}

// DefaultSensitivity returns options that vary all bounds. The runs take about an hour: three
// events, three runs with simultaneous faults and a quiet day of small systems like Intrepid, and a
// run of every fault of F10's test bench under two workloads.
func DefaultSensitivity() SensitivityOptions {
	o := SensitivityOptions{Bounds: BoundNames(), Incidents: DefaultIncidents(), Testbench: DefaultTestbench(), Workers: runtime.GOMAXPROCS(0)}
	o.Incidents.Quick()
	o.Incidents.Runs = 3
	o.Testbench.Quick()
	o.Testbench.Workloads = []testbench.Workload{testbench.DDW, testbench.PostMark}
	o.Testbench.Methods = o.Testbench.Methods[1:]
	return o
}

// Quick shortens the evaluation to one run with two faults, and one workload.
func (o *SensitivityOptions) Quick() {
	o.Incidents.Experiments, o.Incidents.Runs = []string{ConcurrentExperiment}, 1
	o.Testbench.Workloads = o.Testbench.Workloads[:1]
	o.Testbench.Faults = []testbench.Fault{testbench.None, testbench.DiskBusy}
}

// Validate returns an error that names every invalid setting.
func (o *SensitivityOptions) Validate() error {
	errs := bounds.Errors{o.Incidents.Validate(), o.Testbench.Validate(), twice("threshold", o.Bounds)}
	known := BoundNames()
	errs.Need(len(o.Bounds) > 0, "no threshold is chosen: name at least one threshold")
	for _, name := range o.Bounds {
		errs.Need(slices.Contains(known, name), "no threshold has the name %q: use one of %s", name, strings.Join(known, ", "))
	}
	errs.Need(o.Workers >= 1, "%d workers are too few: give 1 or more workers", o.Workers)
	return errs.Join()
}

// Variant is a diagnosis with one bound varied, with its counts.
type Variant struct {
	Bound         string // empty: the default bounds
	Direction     Direction
	Before, After float64
	Refused       bool // the options are invalid with this value
	Of            [numRunKinds]Counts
}

// Counts are the faults and the incidents of all runs of a variant.
type Counts struct {
	Faults, Found int       // faults, and the faults that were found with their kind
	False         int       // incidents that are wrong
	Latencies     []float64 // seconds from the start of each named fault to its incident
}

func (c *Counts) add(o *Counts) {
	c.Faults, c.Found, c.False = c.Faults+o.Faults, c.Found+o.Found, c.False+o.False
	c.Latencies = append(c.Latencies, o.Latencies...)
}

// SensitivityResult has the counts of every variant.
type SensitivityResult struct {
	Options  SensitivityOptions
	Usual    [numRunKinds]Counts // with the default bounds
	Variants []Variant
}

// runKind is a kind of runs on which bounds are varied.
type runKind int

const (
	onIncidents runKind = iota // systems like Intrepid, in which components are compared
	onTestbench                // F10's test bench, in which servers are compared by their symptoms
	numRunKinds
)

// String names the runs in a table.
func (k runKind) String() string { return [...]string{"components", "test bench"}[k] }

// concerns reports whether a bound can change the diagnosis of a kind of runs.
func concerns(bound string, k runKind) bool {
	section, _, _ := strings.Cut(bound, ".")
	switch section {
	case "criteria":
		return true
	case "symptom", "onset", "skew":
		return k == onTestbench
	}
	return k == onIncidents
}

// batchSize is the number of variants that diagnose a simulated run at once. More take more memory,
// and fewer take more time for simulation.
const batchSize = 16

// task is one run, with the variants that diagnose it.
type task struct {
	kind     runKind
	trial    Trial
	plan     plan
	variants []int // indexes; -1: the default bounds
}

// Sensitivity simulates all runs, and diagnoses them with every bound doubled and halved.
func Sensitivity(ctx context.Context, o SensitivityOptions, tell Progress) (*SensitivityResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	published, err := ReadPublished()
	if err != nil {
		return nil, err
	}
	r := &SensitivityResult{Options: o}
	for _, name := range o.Bounds {
		for _, d := range []Direction{toHalf, toDouble} {
			v, options := Variant{Bound: name, Direction: d}, o.Incidents.Diagnose
			v.Before, v.After, err = vary(&options, name, d)
			v.Refused = err != nil
			r.Variants = append(r.Variants, v)
		}
	}
	tasks := r.tasks(published)
	steps := steps{tell: tell, total: len(tasks)}
	err = inOrder(ctx, o.Workers, len(tasks), func(ctx context.Context, i int) ([]Counts, error) {
		return r.run(ctx, &tasks[i])
	}, func(i int, counts []Counts) error {
		r.note(&tasks[i], counts)
		steps.did()
		return nil
	})
	return r, err
}

// tasks returns all runs, each as often as there are batches of variants.
func (r *SensitivityResult) tasks(p *Published) []task {
	var all []task
	for k := range numRunKinds {
		variants := []int{-1}
		for i := range r.Variants {
			if v := &r.Variants[i]; !v.Refused && concerns(v.Bound, k) {
				variants = append(variants, i)
			}
		}
		for batch := range slices.Chunk(variants, batchSize) {
			if k == onIncidents {
				for _, t := range r.Options.Incidents.trials(p) {
					all = append(all, task{kind: k, trial: t, variants: batch})
				}
				continue
			}
			for _, p := range r.Options.Testbench.plans() {
				all = append(all, task{kind: k, plan: p, variants: batch})
			}
		}
	}
	return all
}

// run simulates a run, and returns the counts of each variant.
func (r *SensitivityResult) run(ctx context.Context, t *task) ([]Counts, error) {
	if t.kind == onTestbench {
		return r.bench(ctx, t)
	}
	o := r.Options.Incidents
	scenario, err := o.scenario(&t.trial)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", t.trial.Experiment, t.trial.Name(), err)
	}
	rows, err := scenario.Rows(o.Diagnose.Detect.StepSeconds, o.columns()...)
	if err != nil {
		return nil, err
	}
	lists, err := r.diagnose(ctx, t, o.Diagnose, rows)
	if err != nil {
		return nil, err
	}
	var all []Counts
	for _, list := range lists {
		scores, err := judgeIncidents(&o.Diagnose.Detect, rows.System(), rows.Truth(), list)
		if err != nil {
			return nil, err
		}
		c := Counts{Faults: len(scores.Devices), Found: scores.Found(), False: len(scores.Wrong())}
		for _, d := range scores.Devices {
			if d.Named {
				c.Latencies = append(c.Latencies, d.Latency.Seconds())
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// bench simulates a run of the test bench, and returns the counts of each variant.
func (r *SensitivityResult) bench(ctx context.Context, t *task) ([]Counts, error) {
	e := r.Options.Testbench.experiment(t.plan)
	run, err := e.Run()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.plan, err)
	}
	lists, err := r.diagnose(ctx, t, r.Options.Testbench.Methods[0].Options, run)
	if err != nil {
		return nil, err
	}
	var all []Counts
	for _, list := range lists {
		list = indicted(list)
		c := Counts{}
		for _, f := range e.Truth().Faults {
			c.Faults++
			for _, in := range list {
				if in.Place.Name == f.Component && string(in.Kind) == string(f.Kind) {
					c.Found++
					c.Latencies = append(c.Latencies, time.Unix(in.Confirmed, 0).Sub(f.From).Seconds())
					break
				}
			}
		}
		c.False = max(len(list)-c.Found, 0)
		all = append(all, c)
	}
	return all, nil
}

// stream is a simulated run.
type stream interface {
	table.Stream
	System() *topology.System
}

// diagnose pushes the rows of a run through the engines of all variants, and returns the incidents of
// each.
func (r *SensitivityResult) diagnose(ctx context.Context, t *task, options engine.Options, rows stream) ([][]incident.Incident, error) {
	var engines []*engine.Engine
	for _, i := range t.variants {
		o := options
		if i >= 0 {
			if _, _, err := vary(&o, r.Variants[i].Bound, r.Variants[i].Direction); err != nil {
				return nil, err
			}
		}
		e, err := engine.New(o, rows.System(), rows.Schema(), nil, engine.NoListener{})
		if err != nil {
			return nil, err
		}
		engines = append(engines, e)
	}
	if err := each(ctx, rows, func(row *table.Row) {
		for _, e := range engines {
			e.Push(row)
		}
	}); err != nil {
		return nil, err
	}
	var lists [][]incident.Incident
	for _, e := range engines {
		e.Finish()
		lists = append(lists, e.Summary(incident.Combined).Incidents)
	}
	return lists, nil
}

// note adds the counts of a run to its variants.
func (r *SensitivityResult) note(t *task, counts []Counts) {
	for n, i := range t.variants {
		if i < 0 {
			r.Usual[t.kind].add(&counts[n])
		} else {
			r.Variants[i].Of[t.kind].add(&counts[n])
		}
	}
}
