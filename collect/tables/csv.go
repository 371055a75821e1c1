package tables

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/collect/tables/internal/csv"
)

// A csvReader reads samples from a table of lines:
//
//	"ts","disk_id","throughput","latency"
//	1659186015,"disk1",12360327.15,68.61
//	1659186030,"disk1",18078493.32,NA
type csvReader struct {
	*binding
	lines *csv.Reader
	key   [][]byte
}

// openCSV reads the header; io.EOF says that there is none.
func openCSV(d *Description, f *tableFile, src io.Reader) (*csvReader, error) {
	r := &csvReader{lines: csv.NewReader(src, d.separator)}
	switch err := r.lines.Header(); {
	case err == csv.ErrQuotes || err == csv.ErrLong:
		return nil, fmt.Errorf("%s: no header in the first line: %w; is this a table?", f.path, err)
	case err != nil:
		return nil, err
	}
	var header []string
	for _, field := range r.lines.Fields {
		header = append(header, strings.TrimSpace(string(field)))
	}
	var err error
	r.binding, err = d.bind(f, header)
	if err != nil {
		return nil, err
	}
	r.key = make([][]byte, len(r.keys))
	return r, nil
}

func (r *csvReader) bound() *binding { return r.binding }

// read appends the samples of some lines; io.EOF says that there are no more.
func (r *csvReader) read(s *samples) error {
	for range batchLines {
		switch err := r.lines.Next(); {
		case err == csv.ErrQuotes || err == csv.ErrLong:
			r.faults.note(badQuotes, r.lines.Line, r.lines.Record, "")
		case err != nil:
			return err
		default:
			r.sample(s)
		}
	}
	return nil
}

// sample appends that of the line last read, if it has one.
func (r *csvReader) sample(s *samples) {
	fields := r.lines.Fields
	if len(fields) != r.width && !r.mend(&fields) {
		return
	}
	if r.tidy {
		r.tidySample(s, fields)
		return
	}
	values := r.begin(s, fields)
	for m := range values {
		values[m] = r.measured(fields, r.metrics[m])
	}
}

func (r *csvReader) tidySample(s *samples, fields [][]byte) {
	m := r.metricCalled(fields[r.name])
	if m < 0 {
		return
	}
	if values := r.begin(s, fields); values != nil {
		values[m] = r.measured(fields, r.value)
	}
}

// begin adds a sample by its time and component and returns its values; nil
// where it has no time or component.
func (r *csvReader) begin(s *samples, fields [][]byte) []float64 {
	ns, ok := r.clock.parse(fields[r.time])
	if !r.when(ns, ok, r.lines.Line, fields[r.time]) {
		return nil
	}
	for i, column := range r.keys {
		r.key[i] = fields[column]
	}
	who := r.who(r.key, r.lines.Line)
	if who == nobody {
		return nil
	}
	return s.add(ns, who)
}

func (r *csvReader) measured(fields [][]byte, column int) float64 {
	v, k := parseValue(fields[column])
	if k != none {
		r.faults.note(k, r.lines.Line, fields[column], r.header[column])
	}
	return v
}

// mend fills up a line that has fewer fields than the header, or takes off
// empty ones, and reports whether the line can be read: one with more fields
// has its values in the wrong columns.
func (r *csvReader) mend(fields *[][]byte) bool {
	for len(*fields) > r.width && len((*fields)[len(*fields)-1]) == 0 {
		*fields = (*fields)[:len(*fields)-1]
	}
	switch n := len(*fields); {
	case n > r.width:
		r.faults.note(tooLong, r.lines.Line, r.lines.Record, "")
		return false
	case n < r.width:
		r.faults.note(tooShort, r.lines.Line, r.lines.Record, "")
		for len(*fields) < r.width {
			*fields = append(*fields, nil)
		}
		return n > r.time && (len(r.keys) == 0 || n > slices.Max(r.keys))
	}
	return true
}
