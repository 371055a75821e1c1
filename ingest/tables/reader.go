package tables

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/ingest/tool"
)

// batchRows is the number of rows that are read at a time. The number is small to save memory,
// because many files can be open at the same time, one for each server.
const batchRows = 512

// A reader reads the samples of one file, in the order of its lines. Package tabular divides a file
// into parts, and a part into blocks of rows.
type reader struct {
	*Description
	table  *tabular.File
	rows   tabular.Reader // reader of the current part; nil if no part is open
	part   int            // index of the next part of the file
	wants  []tabular.Want
	timeAt int // index of the time column in wants, the list of the columns to read
	values int // index of the first metric column in wants
	keys   *tabular.Keys
	roster *roster
	block  tabular.Block

	faults    tabular.Faults
	before    []int64        // number of lines before each part
	clock     *tabular.Clock // parses the times of the current part
	zones     timeZones      // zones in the times of the previous parts
	walls     tabular.Walls  // decides between the two possible times of an ambiguous local time
	undecided int            // number of samples whose ambiguous local time could not be decided
}

// open opens a file. It returns io.EOF if the file is empty.
func (f *tableFile) open(d *Description, windowBytes int64) (*reader, error) {
	t, err := tabular.Open(f.Path, tabular.Options{Separator: d.Separator, Comma: d.Comma, Ragged: true, Size: f.size, WindowBytes: windowBytes, Format: d.Format, Dates: f.dates})
	if errors.Is(err, tabular.ErrEmpty) {
		return nil, io.EOF
	}
	if err != nil {
		return nil, err
	}
	f.size = t.Size
	r := &reader{Description: d, table: t, roster: newRoster(d), block: tabular.Block{Limit: batchRows}}
	if err := r.bind(f); err != nil {
		t.Close()
		return nil, d.Hinted(err)
	}
	return r, nil
}

// bind lists the columns to read, and opens the first part of the file. In a tidy table, the column
// with the metric's name comes first. So lines of unused metrics are skipped before their other
// columns are parsed.
func (r *reader) bind(f *tableFile) error {
	r.keys = tabular.NewKeys(r.UsedFields(), r.roster.numberOf)
	r.keys.Required = append(r.Component.Fields(), r.Group.Fields()...)
	r.keys.ByRow, r.keys.IsName = true, func(text string) bool { return !tabular.IsMissing(text) }
	if err := r.keys.Begin(f.Fields); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	if r.Tidy {
		r.wants = append(r.wants, tabular.Want{Column: r.NameColumn, Type: tabular.Text, Words: &tabular.Lexicon{Code: r.metricCalled}})
	}
	r.timeAt = len(r.wants)
	r.wants = r.keys.AppendWants(append(r.wants, tabular.Want{Column: r.Time.Column, Type: tabular.Time, Required: true}), tabular.Text)
	r.values = len(r.wants)
	columns := r.Columns
	if r.Tidy {
		columns = []string{r.ValueColumn}
	}
	for i, name := range columns {
		r.wants = append(r.wants, tabular.Want{Column: name, Type: tabular.Number, Most: r.mostOf(i)})
	}
	return r.nextPart()
}

// mostSeconds is the longest plausible latency in seconds: one day, the same limit as in
// package study. A longer latency comes from a counter overflow or from a wrong unit.
const mostSeconds = 24 * 3600

// mostOf returns the largest plausible value of the i-th column of values. It returns 0,
// which means no limit, for a column that does not contain durations. The value column of
// a tidy table contains all metrics. So mostOf returns 0 if one of these metrics is not a duration.
func (r *reader) mostOf(i int) float64 {
	if i >= len(r.Metrics) || r.Tidy && len(r.room) > 0 {
		return 0
	}
	metrics := r.Metrics[i : i+1]
	if r.Tidy {
		metrics = r.Metrics
	}
	most := 0.0
	for m := range metrics {
		seconds := metrics[m].Seconds()
		if seconds == 0 {
			return 0
		}
		most = max(most, mostSeconds/seconds)
	}
	return most
}

// metricCalled returns the index of a metric of a tidy table. The parameter `text` is the name of
// the metric in the table. For an unused metric, the result is tabular.Pass, so that the line is
// skipped.
func (r *reader) metricCalled(text string, _ int32) int32 {
	if m := slices.Index(r.Columns, text); m >= 0 {
		return int32(m)
	}
	return tabular.Pass
}

// nextPart opens the next part of the file. It returns io.EOF if there are no more parts.
func (r *reader) nextPart() (err error) {
	lines := int64(0)
	if r.rows != nil {
		lines = r.before[r.part-1] + r.rows.Lines()
		r.rows.Close()
		r.rows = nil
		r.zones.add(r.clock)
	}
	if r.part == r.table.Parts() && r.part > 0 {
		return io.EOF
	}
	if r.table.Parts() == 0 { // a Parquet file without rows has columns, but no parts
		return r.table.Check(r.wants)
	}
	r.faults.Part, r.before = r.part, append(r.before, lines)
	r.clock = r.Time.Clock.Copy()
	r.rows, err = r.table.Read(r.part, r.wants, r.clock, &r.faults)
	r.part++
	return err
}

// read appends the samples of the next block (the rows that are read at a time) to s. It returns
// io.EOF if there are no more samples.
func (r *reader) read(s *samples) error {
	if r.rows == nil {
		return io.EOF
	}
	err := r.rows.Next(&r.block)
	if err == io.EOF {
		return r.nextPart()
	}
	if err != nil {
		return err
	}
	from := s.Len()
	s.times = append(s.times, r.block.Columns[r.timeAt].Times[:r.block.Rows]...)
	s.components = r.keys.Numbers(s.components, &r.block)
	r.settleTimes(s, from)
	r.appendValues(s)
	return nil
}

// settleTimes chooses one of the two possible times for each ambiguous local time. If times mark
// the beginning of an interval, a sample exactly at the end of a step belongs to the next step. To
// achieve this, settleTimes adds 1 ns to each time.
func (r *reader) settleTimes(s *samples, from int) {
	again := r.block.Columns[r.timeAt].LaterTimes
	for i := from; r.Time.Clock.IsLocal() && i < s.Len(); i++ {
		later := int64(0)
		if again != nil {
			later = again[i-from]
		}
		ns, unsure := r.walls.TimeOf(s.components[i], s.times[i], later, 0)
		s.times[i] = ns
		if unsure {
			r.undecided++
		}
	}
	for i := from; r.Time.Marks == "begin" && i < s.Len(); i++ {
		s.times[i]++
	}
}

// appendValues appends the values of the block to s.
func (r *reader) appendValues(s *samples) {
	from := len(s.values)
	s.values = slices.Grow(s.values, r.block.Rows*s.metrics)[:from+r.block.Rows*s.metrics]
	values := s.values[from:]
	if r.Tidy {
		r.setTidyValues(values, s.metrics)
		return
	}
	for m := range s.metrics {
		for i, v := range r.block.Columns[r.values+m].Numbers[:r.block.Rows] {
			values[i*s.metrics+m] = v
		}
	}
}

// setTidyValues sets the values of a tidy table. Each row has one value. The code in the first
// column of the block is the index of the metric that the value belongs to.
func (r *reader) setTidyValues(values []float64, metrics int) {
	for i := range values {
		values[i] = table.Missing
	}
	names := r.block.Columns[0].Codes
	for i, v := range r.block.Columns[r.values].Numbers[:r.block.Rows] {
		if m := int(names[i]); m >= 0 {
			values[i*metrics+m] = v
		}
	}
}

// Close closes the file.
func (r *reader) Close() error {
	if r.rows != nil {
		r.rows.Close()
	}
	return r.table.Close()
}

// isEnd reports whether an error means that no more lines follow. The file is then at its
// end, or the rest of its data is broken. For the error of a broken header, the result is
// false.
func isEnd(err error) bool {
	_, broken := errors.AsType[*tabular.BrokenError](err)
	return err == io.EOF || broken && !errors.Is(err, tabular.ErrHeader)
}

// endsHere returns the text of the warning about a file that is empty, or whose end is missing.
func endsHere(err error) string {
	if other, ok := errors.AsType[*tool.Error](err); ok {
		return other.Error()
	}
	if broken, ok := errors.AsType[*tabular.BrokenError](err); ok {
		return fmt.Sprintf("the %s data are incomplete: their end is missing (%v). limpet uses only the data before the missing part: write the file again", broken.Kind, broken.Err)
	}
	return "the file is empty; remove this file"
}
