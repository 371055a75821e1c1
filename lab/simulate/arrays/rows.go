package arrays

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// Rows is a table.Stream of a scenario. It has the rows that the scenario's activity files would
// give, without writing files.
type Rows struct {
	run     *run
	load    *load
	system  *topology.System // part of the system that the rows have
	schema  table.Schema
	columns []int        // indexes of the chosen metrics among all metrics of a device
	taps    [][]*tap     // by cell
	left    int          // number of records to come
	pending []*table.Row // rows that are not complete yet, in order of time
	given   *table.Row   // row that the caller has; nil: none
	last    int64        // end of the last row that Next returned
	spare   []*table.Row
}

// Rows runs the scenario as a stream of rows with the named metrics of devices, or with all metrics
// if no name is given. The rows have the watched part of the system.
func (s *Scenario) Rows(stepSeconds int64, metrics ...string) (*Rows, error) {
	if stepSeconds < 1 {
		return nil, fmt.Errorf("a time step of %d s is too short: use 1 s or more", stepSeconds)
	}
	r, err := s.start()
	if err != nil {
		return nil, err
	}
	rows := &Rows{run: r, load: newLoad(s), left: s.records()}
	if rows.system, err = s.watched(r.system); err != nil {
		return nil, err
	}
	if err := rows.choose(metrics); err != nil {
		return nil, err
	}
	rows.schema.StepSeconds = stepSeconds
	rows.schema.Components, rows.schema.Servers = len(rows.system.Components), len(rows.system.Servers)
	for _, c := range r.cells {
		c.disksOnly = true
	}
	rows.taps, err = newTaps(r, rows.system, stepSeconds)
	return rows, err
}

func (r *Rows) choose(metrics []string) error {
	all := metric.Device()
	for i, m := range all {
		if len(metrics) == 0 || slices.Contains(metrics, m.Name) {
			r.columns, r.schema.Metrics = append(r.columns, i), append(r.schema.Metrics, m)
		}
	}
	for _, name := range metrics {
		if metric.Index(all, name) < 0 {
			return fmt.Errorf("%q is not a metric of a storage device: give metrics such as await, or give no metric to use all metrics", name)
		}
	}
	r.schema.Load = metric.Index(r.schema.Metrics, metric.TPS.Name)
	return nil
}

// System returns the part of the system that the rows have.
func (r *Rows) System() *topology.System { return r.system }

// Truth returns the events of the scenario.
func (r *Rows) Truth() *simulate.Truth { return r.run.truth() }

// Schema returns the schema of the rows.
func (r *Rows) Schema() table.Schema { return r.schema }

// Next returns the next row, valid until the following call, or io.EOF.
func (r *Rows) Next() (*table.Row, error) {
	if r.given != nil {
		r.spare, r.given = append(r.spare, r.given), nil
	}
	for !r.ripe() {
		if r.left == 0 {
			return nil, io.EOF
		}
		r.record()
	}
	r.given = r.pending[0]
	r.pending = slices.Delete(r.pending, 0, 1)
	r.last = r.given.End
	return r.given, nil
}

// ripe reports whether the first pending row is complete. A server completes a step with its second
// next record at the latest, and its clock may be wrong by clockReach.
func (r *Rows) ripe() bool {
	if len(r.pending) == 0 || r.left == 0 {
		return len(r.pending) > 0
	}
	end := time.Unix(r.pending[0].End+r.schema.StepSeconds+2*clockReach, 0)
	return r.run.now().After(end.Add(2 * r.run.scenario.Interval))
}

// record takes the present record of every server, and simulates the next interval.
func (r *Rows) record() {
	now := r.run.now()
	r.run.each(func(i int, _ *cell) {
		for _, t := range r.taps[i] {
			t.read(now)
		}
	})
	r.allot()
	if r.left--; r.left == 0 {
		r.finish()
		return
	}
	d := r.load.next(now, r.run.scenario.Interval.Seconds())
	r.run.each(func(i int, c *cell) {
		r.put(i)
		c.step(d)
	})
}

// finish takes the steps that servers still hold after their last record.
func (r *Rows) finish() {
	for i, taps := range r.taps {
		r.put(i)
		for _, t := range taps {
			t.flush()
		}
	}
	r.allot()
	for i := range r.taps {
		r.put(i)
	}
}
