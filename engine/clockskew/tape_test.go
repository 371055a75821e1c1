package clockskew

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate/testbench"
	"github.com/limpet-storage/limpet/topology"
)

// tape holds the rows of a run, to be played with other clocks.
type tape struct {
	system *topology.System
	schema table.Schema
	rows   []*table.Row
}

func taped(t *testing.T, e *testbench.Experiment) *tape {
	t.Helper()
	run, err := e.Run()
	if err != nil {
		t.Fatal(err)
	}
	r := &tape{system: run.System(), schema: run.Schema()}
	for {
		row, err := run.Next()
		if err == io.EOF {
			return r
		}
		if err != nil {
			t.Fatal(err)
		}
		c := table.NewRow(r.schema)
		c.End = row.End
		for m := range row.Values {
			copy(c.Values[m], row.Values[m])
		}
		r.rows = append(r.rows, c)
	}
}

// skewed is a stream of a tape in which the clocks of some servers are ahead by a number
// of steps.
type skewed struct {
	*tape
	of    []int // server of every component
	ahead map[int]int
	row   *table.Row
	at    int
}

func (s *skewed) Schema() table.Schema { return s.schema }

func (s *skewed) Next() (*table.Row, error) {
	if s.at == len(s.rows) {
		return nil, io.EOF
	}
	s.row.Clear()
	s.row.End = s.rows[s.at].End
	for c, server := range s.of {
		if from := s.at - s.ahead[server]; from >= 0 && from < len(s.rows) {
			for m := range s.row.Values {
				s.row.Values[m][c] = s.rows[from].Values[m][c]
			}
		}
	}
	s.at++
	return s.row, nil
}

// clocks returns clocks with the default options.
func clocks(system *topology.System, schema table.Schema) *Clocks {
	c, err := New(DefaultOptions(), criteria.DefaultOptions(), system, schema)
	if err != nil {
		panic(err)
	}
	return c
}

// skews returns the skews that are found if the clocks of some servers are ahead.
func (r *tape) skews(ahead map[int]int) map[int]int {
	s := &skewed{tape: r, of: r.system.ServerOf(), ahead: ahead, row: table.NewRow(r.schema)}
	c := clocks(r.system, s.Schema())
	for row, err := s.Next(); err == nil; row, err = s.Next() {
		c.Push(row)
	}
	found := map[int]int{}
	for _, skew := range c.Skews() {
		found[slices.Index(r.system.Servers, skew.Server)] = int(skew.Seconds)
	}
	return found
}

// bursts are seconds in which clients use the servers: half of all seconds, in turns of
// about half a minute.
func bursts(rng *rand.Rand, seconds int) []bool {
	work := make([]bool, seconds)
	for t := 1; t < seconds; t++ {
		work[t] = work[t-1] != (rng.Float64() < 0.03)
	}
	return work
}

// busy reports whether a server has traffic t steps into a tape.
type busy func(server, t int) bool

// carry returns rows of servers with traffic while they are busy, of a random amount from
// a third of the mean to three times the mean.
func carry(rng *rand.Rand, kind topology.Kind, metrics []metric.Metric, servers, steps int, step int64, is busy) *tape {
	r := &tape{system: &topology.System{}, schema: table.Schema{StepSeconds: step, Metrics: metrics, Components: servers}}
	for s := range servers {
		name := fmt.Sprintf("s%d", s)
		r.system.Servers = append(r.system.Servers, name)
		r.system.Components = append(r.system.Components, topology.Component{Name: name + "/x", Server: name, Kind: kind})
	}
	for t := range steps {
		row := table.NewRow(r.schema)
		row.End = int64(t+1) * step
		for s := range servers {
			for m := range metrics {
				row.Values[m][s] = 0
				if is(s, t) {
					row.Values[m][s] = 5e7 * math.Exp(0.4*rng.NormFloat64())
				}
			}
		}
		r.rows = append(r.rows, row)
	}
	return r
}

var traffic = []metric.Metric{metric.RxByt, metric.TxByt}
