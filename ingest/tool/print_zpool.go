package tool

import (
	"math"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
)

// zpoolPrint reads one or more reports of zpool iostat -vl, with or without times. Without -y, the
// first report is the mean since the pool was imported.
var zpoolPrint = printFormat{
	what:  "zpool iostat -vl",
	signs: []Sign{{All: []string{"capacity", "operations", "bandwidth"}}},
	open: func(b *printBuilder) printReader {
		r := &zpoolReport{}
		return printReader{line: func(line string) error { return r.line(line, &b.rows) }}
	},
}

// begin begins the look of a report.
func (r *zpoolReport) begin(prints *printBuilder, width int) error {
	if err := r.header(width); err != nil && err != errZpoolTime {
		r.columns = nil
		return err
	}
	span := look.Interval
	if r.reports == 1 {
		span = look.SinceStart
	}
	prints.begin("", r.time, span)
	return nil
}

// look adds the sample of a drive. The fields are the texts of the columns: the unit of a wait
// shows how exactly zpool prints it.
func (r *zpoolReport) look(name string, fields []string, v columnValues, prints *printBuilder) {
	s := look.Sample{Component: name, Kind: "drives of " + r.pool}
	if r.role != "data" {
		s.Kind = r.role + " of " + r.pool
	}
	const nsPerMs = 1e6
	steps := columnValues{}
	for i, text := range fields {
		if i < len(r.columns) {
			steps[r.columns[i]] = zpoolStep(text)
		}
	}
	for _, op := range []struct {
		name   string
		metric look.Metric
	}{{"read", look.ReadLatency}, {"write", look.WriteLatency}} {
		wait, rate, step := v.Of("disk_wait "+op.name), v.Of("operations "+op.name), steps.Of("disk_wait "+op.name)
		if !(wait > 0) || math.IsNaN(rate) {
			continue
		}
		// Zpool cuts off the digits after a wait in whole units: the middle of what it stands for.
		s.Values = append(s.Values, look.Value{Metric: op.metric, X: (wait + step/2) / nsPerMs, Requests: max(rate, 1), Step: step / nsPerMs})
	}
	ops := v.Of("operations read") + v.Of("operations write")
	kB := (v.Of("bandwidth read") + v.Of("bandwidth write")) / 1024
	value(&s, look.Requests, ops)
	value(&s, look.Bandwidth, kB)
	if ops > 0 {
		value(&s, look.ReqSize, kB/ops)
	}
	ahead := 0.0
	for _, op := range []string{"read", "write"} {
		if d := v.Of("total_wait "+op) - v.Of("disk_wait "+op); d > 0 {
			ahead += d / nsPerMs
		}
	}
	value(&s, look.QueueWait, ahead)
	prints.add(s)
}

// zpoolStep returns the length of the unit of a wait in ns. A wait without a unit is exact.
func zpoolStep(text string) float64 {
	for _, u := range durationUnits {
		if number, ok := strings.CutSuffix(text, u.name); ok {
			if _, isNumber := parseNumber(number); isNumber {
				return u.ns
			}
		}
	}
	return 0
}
