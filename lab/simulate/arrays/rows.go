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

// Rows are those of the scenario's activity files, without the files: a
// table.Stream.
type Rows struct {
	run     *run
	load    *load
	system  *topology.System // that the rows are about
	schema  table.Schema
	columns []int        // of the metrics among all of a device
	taps    [][]*tap     // by cell
	left    int          // records to come
	pending []*table.Row // that servers may still have something for, in order of time
	given   *table.Row   // out for the time being
	last    int64        // end of the last one given
	spare   []*table.Row
}

// Rows runs the scenario as a stream of rows of the device metrics called so,
// or of all of them. They are about what the scenario has watched.
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
		c.briefly = true
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

// System is what the rows are about.
func (r *Rows) System() *topology.System { return r.system }

// Truth is what is wrong with it.
func (r *Rows) Truth() *simulate.Truth { return r.run.truth() }

// Schema says what the rows hold.
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

// ripe reports whether nobody has anything to say to the first row any more:
// a server gives out a step with its next record but one at the latest, by a
// clock that may be off.
func (r *Rows) ripe() bool {
	if len(r.pending) == 0 || r.left == 0 {
		return len(r.pending) > 0
	}
	end := time.Unix(r.pending[0].End+r.schema.StepSeconds+2*clockReach, 0)
	return r.run.now().After(end.Add(2 * r.run.scenario.Interval))
}

// record takes the record of now from every server and lets an interval pass.
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

// finish takes what servers hold after their last record.
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
