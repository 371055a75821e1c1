package collect

import (
	"fmt"
	"io"
	"math"

	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// A tableScan is what the first reading of a file finds.
type tableScan struct {
	listed      []topology.Listed // components in the order of their first line
	torn        []int32
	seen        []sighting // by component
	first, last int64      // time of the first and last sample
	disorder    int64      // how much older a sample is than one before it, at most
	samples     int
	measured    []bool // by metric: it has a value
	warnings    []Warning
	err         error
}

// A sighting is when a component was sampled.
type sighting struct {
	first, last int64 // in the order of the lines
	intervals   intervals
}

// examine reads a file through. What is broken costs a warning and the rest of
// the file; a file that is not what the description says is an error.
func (f *tableFile) examine(d *Description) {
	f.scan = tableScan{first: math.MaxInt64, last: math.MinInt64, measured: make([]bool, len(d.Metrics))}
	t, err := f.open(d)
	switch {
	case err == io.EOF:
		f.warn("the file is empty; leave it out")
		return
	case ended(err):
		f.warn(err.Error())
		return
	case err != nil:
		f.scan.err = err
		return
	}
	defer t.Close()
	f.scan.err = f.scanSamples(t, len(d.Metrics))
	b := t.bound()
	f.scan.listed, f.scan.torn = b.roster.listed, b.roster.torn
	f.scan.warnings = append(b.faults.warnings(f.path, &d.clock), f.scan.warnings...)
}

func (f *tableFile) warn(text string) {
	f.scan.warnings = append(f.scan.warnings, Warning{File: f.path, Text: text})
}

func (f *tableFile) scanSamples(t *openTable, metrics int) error {
	batch := samples{metrics: metrics}
	for {
		batch.clear()
		err := t.read(&batch)
		for i, time := range batch.times {
			f.scan.add(time, batch.who[i])
			f.scan.noteMeasured(batch.of(i))
		}
		switch {
		case err == io.EOF:
			return nil
		case ended(err):
			f.warn(err.Error())
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
}

func (s *tableScan) add(time int64, who int32) {
	s.samples++
	s.first, s.last = min(s.first, time), max(s.last, time)
	s.disorder = max(s.disorder, s.last-time)
	if int(who) == len(s.seen) {
		s.seen = append(s.seen, sighting{first: time, last: time})
	}
	c := &s.seen[who]
	c.intervals.between(c.last, time)
	c.last = time
}

func (s *tableScan) noteMeasured(values []float64) {
	for m, v := range values {
		if !table.IsMissing(v) {
			s.measured[m] = true
		}
	}
}
