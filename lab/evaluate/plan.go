package evaluate

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/limpet-storage/limpet/lab/simulate/testbench"
)

// plan identifies one run by its settings.
type plan struct {
	cluster  testbench.Cluster
	workload testbench.Workload
	fault    testbench.Fault
	run      int
	training bool
}

func (p plan) faultName() string {
	if p.fault == testbench.None {
		return None
	}
	return string(p.fault)
}

// String returns all settings that distinguish the run from other runs. The seed of a run is
// computed from this string, so a run is the same in every selection of runs.
func (p plan) String() string {
	kind := p.faultName()
	if p.training {
		kind = "training"
	}
	return fmt.Sprintf("%s %s %s %d", p.cluster, p.workload, kind, p.run+1)
}

// plans returns all runs to be diagnosed, in the order of the tables.
func (o *TestbenchOptions) plans() []plan {
	var all []plan
	for _, c := range o.Clusters {
		for _, f := range o.Faults {
			for _, w := range o.Workloads {
				for run := range o.Runs {
					all = append(all, plan{cluster: c, workload: w, fault: f, run: run})
				}
			}
		}
	}
	return all
}

// trainingPlans returns the runs from which the thresholds of a cluster are computed.
func (o *TestbenchOptions) trainingPlans(c testbench.Cluster) []plan {
	var all []plan
	for _, w := range o.Training {
		for run := range o.TrainingRuns {
			all = append(all, plan{cluster: c, workload: w, run: run, training: true})
		}
	}
	return all
}

// experiment returns the experiment of a plan. The machines of a cluster are always the same. The
// runs of one combination of cluster, workload and fault hit one server after another, in an order
// that is drawn for the combination.
func (o *TestbenchOptions) experiment(p plan) *testbench.Experiment {
	e := testbench.New(p.cluster, p.workload, p.fault, o.seed(p.String()))
	e.Hardware, e.Strength, e.Watched = o.seed(p.cluster.String()), o.Strength, min(o.Watched, p.cluster.Clients)
	if p.fault != testbench.None && p.cluster.Servers > 0 {
		of := fmt.Sprintf("%s %s %s", p.cluster, p.workload, p.fault)
		order := rand.New(rand.NewPCG(o.seed(of), 0)).Perm(p.cluster.Servers)
		e.Faulty = nil
		for i := range o.Faulty {
			e.Faulty = append(e.Faulty, order[(p.run+i)%len(order)])
		}
	}
	if o.Unkind {
		e.DrawConditions()
	}
	return e
}

// seed returns the seed that belongs to a name.
func (o *TestbenchOptions) seed(name string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", o.Seed, name)
	return h.Sum64()
}
