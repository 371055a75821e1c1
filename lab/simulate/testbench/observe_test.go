package testbench

import (
	"io"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
)

// means are what every server measured on average, by metric.
type means map[string][]float64

// observation is a run before its fault and during it.
type observation struct {
	before, during means
	seconds        int // that the benchmark took
}

// view runs an experiment and averages what its servers show: half a minute
// after the benchmark's begin until the fault, and as long after its onset.
func view(t testing.TB, e *Experiment) observation {
	t.Helper()
	r, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	before, during := newSums(r), newSums(r)
	for {
		row, err := r.Next()
		if err == io.EOF {
			break
		}
		at := float64(r.sim.seconds() - lead)
		switch {
		case at > 30 && at < e.From.Seconds():
			before.add(r, row.Values)
		case at > e.From.Seconds()+30 && at < e.To.Seconds():
			during.add(r, row.Values)
		}
	}
	return observation{before.means(r), during.means(r), r.sim.ended - lead}
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
	return map[metric.Subject]int{metric.OfDevice: o.drive, metric.OfInterface: o.nic, metric.OfHost: o.host}[s]
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

// each runs a test for some clusters and workloads at once.
func each(t *testing.T, clusters []Cluster, workloads []Workload, test func(*testing.T, Cluster, Workload)) {
	for _, c := range clusters {
		for _, w := range workloads {
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
