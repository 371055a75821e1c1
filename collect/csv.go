package collect

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/collect/internal/csv"
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
			r.faults.note(badQuotes, r.lines.Line, r.lines.Record)
		case err != nil:
			return err
		default:
			r.sample(s)
		}
	}
	return nil
}

func (r *csvReader) sample(s *samples) {
	fields, line := r.lines.Fields, r.lines.Line
	if len(fields) != r.width && !r.mend(&fields, line) {
		return
	}
	only := -1
	if r.tidy {
		if only = r.metricCalled(fields[r.name]); only < 0 {
			return
		}
	}
	ns, ok := r.clock.parse(fields[r.time])
	if !r.when(ns, ok, line, fields[r.time]) {
		return
	}
	for i, column := range r.keys {
		r.key[i] = fields[column]
	}
	who := r.who(r.key, line)
	if who == nobody {
		return
	}
	values := s.add(ns, who)
	if r.tidy {
		values[only] = r.measured(fields[r.value], line)
		return
	}
	for m, column := range r.metrics {
		values[m] = r.measured(fields[column], line)
	}
}

func (r *csvReader) measured(text []byte, line int) float64 {
	v, k := parseValue(text)
	if k != none {
		r.faults.note(k, line, text)
	}
	return v
}

// mend fills up a line that has fewer fields than the header, or takes off
// empty ones, and reports whether the line can be read: one with more fields
// has its values in the wrong columns.
func (r *csvReader) mend(fields *[][]byte, line int) bool {
	for len(*fields) > r.width && len((*fields)[len(*fields)-1]) == 0 {
		*fields = (*fields)[:len(*fields)-1]
	}
	switch n := len(*fields); {
	case n > r.width:
		r.faults.note(tooLong, line, r.lines.Record)
		return false
	case n < r.width:
		r.faults.note(tooShort, line, r.lines.Record)
		for len(*fields) < r.width {
			*fields = append(*fields, nil)
		}
		return n > r.time && (len(r.keys) == 0 || n > slices.Max(r.keys))
	}
	return true
}
