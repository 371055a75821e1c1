package simulate

import (
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// Rows are those of the scenario's activity files, without the files: a
// table.Stream.
type Rows struct {
	run    *run
	schema table.Schema
	folds  []*table.Fold // by server
	row    *table.Row
	left   int // records
}

// Rows runs the scenario as a stream of rows of every device metric.
func (s *Scenario) Rows(stepSeconds int64) (*Rows, error) {
	if stepSeconds < 1 {
		return nil, fmt.Errorf("steps of %d s: a step has at least 1 s", stepSeconds)
	}
	r, err := s.start()
	if err != nil {
		return nil, err
	}
	rows := &Rows{run: r, left: s.records(), schema: table.Schema{
		StepSeconds: stepSeconds, Metrics: metric.Device(), Components: len(r.system.Components), Servers: len(r.system.Servers),
		Load: metric.Index(metric.Device(), metric.TPS.Name),
	}}
	for _, server := range r.servers {
		rows.folds = append(rows.folds, table.NewFold(stepSeconds, len(server.attachments)))
	}
	rows.row = table.NewRow(rows.schema)
	return rows, nil
}

// System is what the rows are about.
func (r *Rows) System() *topology.System { return r.run.system }

// Truth is what is wrong with it.
func (r *Rows) Truth() *Truth { return r.run.truth() }

// Schema says what the rows hold.
func (r *Rows) Schema() table.Schema { return r.schema }

// Next returns the next row, valid until the following call, or io.EOF.
func (r *Rows) Next() (*table.Row, error) {
	r.row.Clear()
	for {
		var full bool
		switch {
		case r.left > 0:
			full = r.each((*table.Fold).Close)
			if r.left--; r.left > 0 {
				r.run.step()
			}
		case r.left == 0:
			full = r.each((*table.Fold).Flush)
			r.left--
		default:
			return nil, io.EOF
		}
		if full {
			return r.row, nil
		}
	}
}

// each takes a step of every server into the row and reports whether there
// was any.
func (r *Rows) each(next func(*table.Fold) (*table.Step, bool)) (full bool) {
	for i, server := range r.run.servers {
		fold := r.folds[i]
		server.read(fold.Reading(), r.run.now.Unix())
		if step, ok := next(fold); ok {
			r.take(server, step)
			r.row.Heard[slices.Index(r.run.system.Servers, server.name)] = true
			full = true
		}
	}
	return full
}

// take puts a server's step into the row.
func (r *Rows) take(s *server, step *table.Step) {
	r.row.End = step.End
	for i, a := range s.attachments {
		for m := range r.row.Values {
			if step.Known[i] {
				r.row.Values[m][a.component] = step.Work[i].Value(m, step.Seconds)
			}
		}
	}
}

// read takes a reading of the server's counters.
func (s *server) read(out *table.Reading, now int64) {
	out.Time, out.Uptime = now, s.uptime()
	for i, a := range s.attachments {
		out.Disks[i], out.Present[i] = a.reading(), !a.gone
	}
}
