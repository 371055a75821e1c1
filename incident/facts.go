package incident

import (
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
)

// facts are what the last window's rows say of each component, beside any
// comparison: was it there, and how much did it do.
type facts struct {
	columns              columns
	step                 float64
	shifts               []shift // the newest is shifts[at]
	at                   int
	lastSeen, lastLoaded []int64 // by component: end of the step
	heard                []bool  // by server, in the last row
	begin                int64
}

// columns are places of metrics in a row, -1 where it has none.
type columns struct{ load, read, written, await int }

// shift sums the rows between two windows.
type shift struct {
	steps    int
	samples  []int32   // by component: steps with a value
	loaded   []int32   // by component: steps with requests
	requests []float64 // by component
	sectors  []float64 // by component
	heard    []int32   // by server: steps
	aside    []int32   // by LUN: steps in which other paths than the first had a share worth the name
	asked    []float64 // by LUN: requests through all of its paths
	waited   []float64 // by LUN: what these took together
}

func newFacts(l *layout, s table.Schema, lead, shifts int) *facts {
	n := len(l.system.Components)
	f := &facts{
		step:     float64(s.StepSeconds),
		columns:  columns{s.Load, metric.Index(s.Metrics, metric.RdSec.Name), metric.Index(s.Metrics, metric.WrSec.Name), lead},
		shifts:   make([]shift, shifts),
		lastSeen: make([]int64, n), lastLoaded: make([]int64, n), heard: make([]bool, len(l.system.Servers)),
	}
	for i := range f.shifts {
		f.shifts[i] = shift{
			samples: make([]int32, n), loaded: make([]int32, n), requests: make([]float64, n), sectors: make([]float64, n),
			heard: make([]int32, len(l.system.Servers)), aside: make([]int32, len(l.paths)),
			asked: make([]float64, len(l.paths)), waited: make([]float64, len(l.paths)),
		}
	}
	return f
}

// row adds a row to the newest shift.
func (f *facts) row(l *layout, row *table.Row) {
	if f.begin == 0 {
		f.begin = row.End - int64(f.step)
	}
	s := &f.shifts[f.at]
	s.steps++
	row.HeardFrom(l.serverOf, f.heard)
	for i, heard := range f.heard {
		if heard {
			s.heard[i]++
		}
	}
	for _, c := range l.watched {
		if f.missing(row, c) {
			continue
		}
		s.samples[c]++
		f.lastSeen[c] = row.End
		if requests := f.requests(row, c); requests > 0 {
			s.requests[c] += requests
			s.loaded[c]++
			f.lastLoaded[c] = row.End
		}
		s.sectors[c] += f.step * f.work(row, c)
	}
}

func (f *facts) missing(row *table.Row, c int) bool {
	if f.columns.load >= 0 {
		return table.IsMissing(row.Values[f.columns.load][c])
	}
	return table.IsMissing(row.Values[f.columns.await][c])
}

// requests are what a component did in a step; where only its latency is
// known, one if it has any.
func (f *facts) requests(row *table.Row, c int) float64 {
	if f.columns.load >= 0 {
		return f.step * row.Values[f.columns.load][c]
	}
	if row.Values[f.columns.await][c] > 0 {
		return 1
	}
	return 0
}

// work is the throughput of a component in a step: in sectors, or in whatever
// tells a busy component from an idle one where they are not known.
func (f *facts) work(row *table.Row, c int) float64 {
	if f.columns.read < 0 && f.columns.written < 0 {
		return present(row, f.columns.load, c)
	}
	return present(row, f.columns.read, c) + present(row, f.columns.written, c)
}

func present(row *table.Row, column, c int) float64 {
	if column < 0 || table.IsMissing(row.Values[column][c]) {
		return 0
	}
	return row.Values[column][c]
}

// turn begins a new shift, in place of the oldest.
func (f *facts) turn() {
	f.at = (f.at + 1) % len(f.shifts)
	s := &f.shifts[f.at]
	s.steps = 0
	clear(s.samples)
	clear(s.loaded)
	clear(s.requests)
	clear(s.sectors)
	clear(s.heard)
	clear(s.aside)
	clear(s.asked)
	clear(s.waited)
}

func (f *facts) steps() (n int) {
	for i := range f.shifts {
		n += f.shifts[i].steps
	}
	return n
}

func (f *facts) samples(c int) (n int32) {
	for i := range f.shifts {
		n += f.shifts[i].samples[c]
	}
	return n
}

func (f *facts) aside(lun int) (n int) {
	for i := range f.shifts {
		n += int(f.shifts[i].aside[lun])
	}
	return n
}

// wait is the mean latency of a LUN's requests, whatever path they took; 0 where
// there were none.
func (f *facts) wait(lun int) float64 {
	asked, waited := 0.0, 0.0
	for i := range f.shifts {
		asked, waited = asked+f.shifts[i].asked[lun], waited+f.shifts[i].waited[lun]
	}
	if asked == 0 {
		return 0
	}
	return waited / asked
}

// loaded counts the steps in which a component had something to do.
func (f *facts) loaded(c int) (n int32) {
	for i := range f.shifts {
		n += f.shifts[i].loaded[c]
	}
	return n
}

func (f *facts) load(c int) (sum float64) {
	for i := range f.shifts {
		sum += f.shifts[i].requests[c]
	}
	return sum
}

// rate is the mean throughput of a component, in sectors a second.
func (f *facts) rate(c int) (sum float64) {
	for i := range f.shifts {
		sum += f.shifts[i].sectors[c]
	}
	return sum / (f.step * float64(max(f.steps(), 1)))
}

// up says whether a server sent data in most of the window.
func (f *facts) up(server int) bool {
	if server < 0 {
		return true
	}
	n := 0
	for i := range f.shifts {
		n += int(f.shifts[i].heard[server])
	}
	return 2*n > f.steps()
}
