package testbench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
)

// means are what every server measured on average, by metric.
type means map[string][]float64

// observation is a run before its fault and during it.
type observation struct{ before, during means }

// view runs an experiment until its fault ends and averages what its servers show:
// from half a minute after the benchmark's begin until the fault, and from half a
// minute after the fault's begin until its end. Tests that view the same experiment
// share one run.
func view(t testing.TB, e *Experiment) observation {
	t.Helper()
	w := sharedRun(t, e)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.observation
}

// runSeconds returns the simulated seconds that the benchmark of an experiment takes.
func runSeconds(t testing.TB, e *Experiment) float64 {
	t.Helper()
	w := sharedRun(t, e)
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if _, err := w.run.Next(); err == io.EOF {
			return float64(w.run.sim.ended - lead)
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// watched is a run that stands at the end of its fault, or at its own end.
type watched struct {
	mu  sync.Mutex
	run *Run
	observation
}

// runs holds the runs of all tests by their experiments: equal experiments are equal
// runs.
var runs sync.Map

// sharedRun returns the run of an experiment, which it begins if no other test has.
func sharedRun(t testing.TB, e *Experiment) *watched {
	t.Helper()
	begin := sync.OnceValues(func() (*watched, error) { return runUntilFaultEnds(e) })
	shared, _ := runs.LoadOrStore(fmt.Sprintf("%+v", *e), begin)
	w, err := shared.(func() (*watched, error))()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// runUntilFaultEnds runs an experiment until its fault ends.
func runUntilFaultEnds(e *Experiment) (*watched, error) {
	r, err := e.Run()
	if err != nil {
		return nil, err
	}
	w := &watched{run: r}
	before, during := newSums(r), newSums(r)
	for at := 0.0; at < e.To.Seconds(); {
		row, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		at = float64(r.sim.seconds() - lead)
		switch {
		case at > 30 && at < e.From.Seconds():
			before.add(r, row.Values)
		case at > e.From.Seconds()+30 && at < e.To.Seconds():
			during.add(r, row.Values)
		}
	}
	w.observation = observation{before.means(r), during.means(r)}
	return w, nil
}

type sums struct {
	values [][]float64
	n      float64
}

func newSums(r *Run) *sums {
	s := &sums{}
	for range r.schema.Metrics {
		s.values = append(s.values, make([]float64, len(r.servers)))
	}
	return s
}

func (s *sums) add(r *Run, values [][]float64) {
	s.n++
	for m, metrics := range r.schema.Metrics {
		for i, o := range r.servers {
			s.values[m][i] += values[m][o.of(metrics.Subject)]
		}
	}
}

func (o *observed) of(s metric.Subject) int {
	return map[metric.Subject]int{metric.SubjectDevice: o.drive, metric.SubjectInterface: o.nic, metric.SubjectHost: o.host}[s]
}

func (s *sums) means(r *Run) means {
	m := means{}
	for i, metrics := range r.schema.Metrics {
		for j := range s.values[i] {
			s.values[i][j] /= s.n
		}
		m[metrics.Name] = s.values[i]
	}
	return m
}

// others is the median of the servers but one.
func others(values []float64, faulty int) float64 {
	rest := slices.Delete(slices.Clone(values), faulty, faulty+1)
	slices.Sort(rest)
	return rest[len(rest)/2]
}

// spread is how far the servers but one lie apart, against their mean.
func spread(values []float64, faulty int) float64 {
	rest := values
	if faulty >= 0 {
		rest = slices.Delete(slices.Clone(values), faulty, faulty+1)
	}
	sum := 0.0
	for _, v := range rest {
		sum += v
	}
	return (slices.Max(rest) - slices.Min(rest)) / (sum / float64(len(rest)))
}

// between fails where a figure is not what it has to be.
func between(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if got < low || got > high || math.IsNaN(got) {
		t.Errorf("%s is %.3g, want %.3g to %.3g", what, got, low, high)
	}
}

var (
	pvfs10, pvfs6 = Cluster{PVFS, 10, 10}, Cluster{PVFS, 6, 12}
	lustre6       = Cluster{Lustre, 6, 12}
	large         = []Workload{DDR, DDW, IOzoneR, IOzoneW}
)

const faultyServer = 4

func with(c Cluster, w Workload, f Fault) *Experiment {
	e := New(c, w, f, 3)
	if f != None {
		e.Faulty = []int{faultyServer}
	}
	return e
}

// throughput is the disk metric that a workload moves.
func throughput(w Workload) string {
	if w == DDR || w == IOzoneR {
		return "rd_sec"
	}
	return "wr_sec"
}

// each runs a test for some clusters and workloads at once. With -short it takes only the first
// and the last cluster, and each workload with one of the two in turn.
func each(t *testing.T, clusters []Cluster, workloads []Workload, test func(*testing.T, Cluster, Workload)) {
	if testing.Short() && len(clusters) > 2 {
		clusters = []Cluster{clusters[0], clusters[len(clusters)-1]}
	}
	for i, c := range clusters {
		for j, w := range workloads {
			if testing.Short() && len(clusters) > 1 && (i+j)%2 == 1 {
				continue
			}
			t.Run(c.String()+" "+string(w), func(t *testing.T) {
				t.Parallel()
				test(t, c, w)
			})
		}
	}
}

// short is an experiment whose fault begins early and ends soon, for what
// needs no long look.
func short(e *Experiment) *Experiment {
	e.From, e.To = 80*time.Second, 200*time.Second
	return e
}
