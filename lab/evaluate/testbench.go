package evaluate

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

// TestbenchOptions choose which experiments are made, and how they are diagnosed.
type TestbenchOptions struct {
	Clusters     []testbench.Cluster
	Workloads    []testbench.Workload
	Faults       []testbench.Fault // None: control runs
	Runs         int               // number of runs of every combination; each hits another server
	Training     []testbench.Workload
	TrainingRuns int     // number of runs of every training workload
	Faulty       int     // number of servers that a fault hits at once
	Strength     float64 // strength of the faults; 1: as in F10
	Watched      int     // number of clients on which cwnd is recorded; 0: all
	Unkind       bool    // conditions and the strength of the fault are drawn for every run
	Methods      []Method
	Seed         uint64
	Workers      int
}

// DefaultTestbench returns the options of F10's own evaluation (§8, §10.1): four clusters, five
// workloads, six faults and control runs, ten runs each. The thresholds come from ten other runs of
// each of the workloads that stress the clusters. F10's algorithm and ours, which is not trained,
// diagnose the same runs. Congestion windows are those of one client: F10 §11.1 calls one client
// enough, and the mean over many clients varies far less than the connections that the paper
// describes.
func DefaultTestbench() TestbenchOptions {
	f10, _ := IndictingMethod("f10") // no error: these presets exist
	ours, _ := IndictingMethod("default")
	return TestbenchOptions{
		Clusters: testbench.Clusters(), Workloads: testbench.Workloads(),
		Faults: append([]testbench.Fault{testbench.None}, testbench.Faults()...), Runs: 10,
		Training:     []testbench.Workload{testbench.DDR, testbench.DDW, testbench.PostMark},
		TrainingRuns: 10, Faulty: 1, Strength: 1, Watched: 1, Methods: []Method{f10, ours}, Seed: 1, Workers: runtime.GOMAXPROCS(0),
	}
}

// Quick limits the evaluation to one cluster and one run of every combination. These runs and their
// training are a part of the whole evaluation.
func (o *TestbenchOptions) Quick() {
	o.Clusters, o.Runs = o.Clusters[:1], 1
}

// Validate returns an error that names every invalid setting.
func (o *TestbenchOptions) Validate() error {
	errs := bounds.Errors{checkMethods(o.Methods)}
	errs.Need(len(o.Clusters) > 0 && len(o.Workloads) > 0 && len(o.Faults) > 0, "there is nothing to simulate: choose at least one cluster, one workload and one fault")
	errs = append(errs, twice("cluster", o.Clusters), twice("workload", o.Workloads), twice("fault", o.Faults))
	for _, c := range o.Clusters {
		errs.Need(c.Servers >= 3, "cluster %s has too few servers: choose a cluster with 3 or more servers", c)
		errs.Need(2*o.Faulty < c.Servers, "cluster %s: %d faulty servers are too many: choose fewer than half of the servers", c, o.Faulty)
	}
	errs.Need(o.Faulty >= 1, "%d faulty servers are too few: give 1 or more faulty servers (for control runs, use --fault none)", o.Faulty)
	errs.Need(o.Runs >= 1, "%d runs are too few: give 1 or more runs", o.Runs)
	errs.Need(o.TrainingRuns >= 1, "%d training runs are too few: give 1 or more training runs", o.TrainingRuns)
	errs.Need(len(o.Training) > 0, "no workload is chosen for training: choose at least one workload")
	errs.Need(o.Workers >= 1, "%d workers are too few: give 1 or more workers", o.Workers)
	for _, p := range o.plans() {
		if err := o.experiment(p).Validate(); err != nil {
			errs = append(errs, fmt.Errorf("experiment %s cannot run: %w", p, err))
			break // the other experiments have the same error
		}
	}
	return errs.Join()
}

// twice returns an error if a value occurs more than once.
func twice[T comparable](what string, all []T) error {
	for i, v := range all {
		if slices.Contains(all[:i], v) {
			return fmt.Errorf("%s %v is given twice: give each %[1]s once", what, v)
		}
	}
	return nil
}

// TestbenchResult has the outcome of every experiment.
type TestbenchResult struct {
	Options     TestbenchOptions
	Experiments []Experiment // by method, then in the order of the tables
}

// Testbench makes the experiments and diagnoses them.
func Testbench(ctx context.Context, o TestbenchOptions, tell Progress) (*TestbenchResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	b := &bench{TestbenchOptions: o, models: map[string]map[string]*persistence.Model{}, steps: steps{tell: tell}}
	plans := o.plans()
	b.steps.total = len(plans)
	if b.trains() {
		b.steps.total += len(o.Clusters) * len(o.Training) * o.TrainingRuns
	}
	for _, c := range o.Clusters {
		if err := b.train(ctx, c); err != nil {
			return nil, err
		}
	}
	all := make([][]Experiment, len(o.Methods))
	err := inOrder(ctx, o.Workers, len(plans), func(ctx context.Context, i int) ([]Experiment, error) {
		return b.diagnose(ctx, plans[i])
	}, func(_ int, of []Experiment) error {
		for m := range of {
			all[m] = append(all[m], of[m])
		}
		b.steps.did()
		return nil
	})
	r := &TestbenchResult{Options: o}
	for _, of := range all {
		r.Experiments = append(r.Experiments, of...)
	}
	return r, err
}

// bench holds the state of an evaluation.
type bench struct {
	TestbenchOptions
	models map[string]map[string]*persistence.Model // by cluster and method
	steps  steps
}

// diagnose makes one experiment and diagnoses it by every method.
func (b *bench) diagnose(ctx context.Context, p plan) ([]Experiment, error) {
	e := b.experiment(p)
	run, err := e.Run()
	if err != nil {
		return nil, fmt.Errorf("experiment %s cannot run: %w", p, err)
	}
	var engines []*engine.Engine
	for _, m := range b.Methods {
		engine, err := engine.New(m.Options, run.System(), run.Schema(), b.models[p.cluster.String()][m.Name], engine.NoListener{})
		if err != nil {
			return nil, fmt.Errorf("experiment %s cannot be evaluated with method %s: %w", p, m.Name, err)
		}
		engines = append(engines, engine)
	}
	if err := each(ctx, run, func(row *table.Row) {
		for _, engine := range engines {
			engine.Push(row)
		}
	}); err != nil {
		return nil, err
	}
	var out []Experiment
	for i, m := range b.Methods {
		x := outcome(p, m.Name, e.Truth(), indicted(engines[i].Summary(incident.BySeverity).Incidents))
		if b.Unkind {
			x.Conditions = e.Conditions.String()
		}
		out = append(out, x)
	}
	return out, nil
}

// indicted returns the incidents of servers' resources.
func indicted(list []incident.Incident) []incident.Incident {
	return slices.DeleteFunc(list, func(in incident.Incident) bool { return in.Class != finding.Resource })
}

// outcome compares the blamed servers with the fault of the cluster.
func outcome(p plan, method string, truth *simulate.Truth, list []incident.Incident) Experiment {
	x := Experiment{Cluster: p.cluster.String(), Workload: string(p.workload), Fault: p.faultName(), Run: p.run, Method: method}
	for _, in := range list {
		x.Indicted = append(x.Indicted, Blame{Server: in.Place.Name, Cause: string(in.Kind)})
		x.Evidence = append(x.Evidence, evidence(&in))
	}
	for _, f := range truth.Faults {
		x.Faulty = append(x.Faulty, Blame{Server: f.Component, Cause: string(f.Kind)})
		for _, in := range list {
			if in.Place.Name == f.Component {
				x.OnsetErrors = append(x.OnsetErrors, float64(in.Onset.At-f.From.Unix()))
			}
		}
	}
	return x
}

// evidence returns a text with the metrics that exceeded their thresholds, and by how much.
func evidence(in *incident.Incident) string {
	var all []string
	for _, m := range in.Evidence {
		all = append(all, fmt.Sprintf("%s %.3g > %.3g", m.Metric, m.Score, m.Threshold))
	}
	return strings.Join(all, ", ")
}
