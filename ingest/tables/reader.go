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

// batchRows is the number of rows that are read at a time: few, as one file for each
// server can be open at the same time.
const batchRows = 512

// A reader reads the samples of one file, in the order of its lines.
type reader struct {
	*Description
	table  *tabular.File
	rows   tabular.Reader // rows of the part; nil: no part was begun
	part   int            // number of the next part
	wants  []tabular.Want
	timeAt int // index of the time among the wants
	values int // index of the first metric among the wants
	keys   *tabular.Keys
	roster *roster
	block  tabular.Block

	faults tabular.Faults
	before []int64        // number of lines before each part
	clock  *tabular.Clock // clock of the part
	walls  tabular.Walls  // local times of components
	unsure int            // number of samples whose local time may be the later of two times
}

// open opens a file; io.EOF: it is empty.
func (f *tableFile) open(d *Description, windowBytes int64) (*reader, error) {
	t, err := tabular.Open(f.Path, tabular.Options{Separator: d.Separator, Ragged: true, Size: f.size, WindowBytes: windowBytes, Format: d.Format, Dates: f.dates})
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

// bind lists the columns that the description names. In a tidy table the name of the
// metric comes first, so that lines of other metrics are skipped at once.
func (r *reader) bind(f *tableFile) error {
	r.keys = tabular.NewKeys(r.UsedFields(), r.roster.enlist)
	r.keys.Required = append(r.Component.Fields(), r.Group.Fields()...)
	r.keys.ByRow, r.keys.IsName = true, func(text string) bool { return !tabular.IsMissing(text) }
	if err := r.keys.Begin(f.Fields); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	if r.Tidy {
		r.wants = append(r.wants, tabular.Want{Column: r.NameColumn, As: tabular.Text, Words: &tabular.Lexicon{Code: r.metricCalled}})
	}
	r.timeAt = len(r.wants)
	r.wants = r.keys.Wants(append(r.wants, tabular.Want{Column: r.Time.Column, As: tabular.Time, Required: true}), tabular.Text)
	r.values = len(r.wants)
	columns := r.Columns
	if r.Tidy {
		columns = []string{r.ValueColumn}
	}
	for i, name := range columns {
		r.wants = append(r.wants, tabular.Want{Column: name, As: tabular.Number, Most: r.mostOf(i)})
	}
	return r.nextPart()
}

// mostSeconds is the longest plausible latency, a day, as in a study. A longer one is
// a counter overflow or has another unit.
const mostSeconds = 24 * 3600

// mostOf returns the largest plausible value of the i-th column of values; 0: there
// is no bound, because the column has no durations, or because only some of its
// values are durations, as in a tidy table.
func (r *reader) mostOf(i int) float64 {
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

// metricCalled returns the metric that has a name in a tidy table.
func (r *reader) metricCalled(text string, _ int32) int32 {
	if m := slices.Index(r.Columns, text); m >= 0 {
		return int32(m)
	}
	return tabular.Pass
}

// nextPart begins the next part of the file; io.EOF: there is none.
func (r *reader) nextPart() (err error) {
	lines := int64(0)
	if r.rows != nil {
		lines = r.before[r.part-1] + r.rows.Lines()
		r.rows.Close()
		r.rows = nil
	}
	if r.part == r.table.Parts() && r.part > 0 {
		return io.EOF
	}
	if r.table.Parts() == 0 { // Parquet without rows still has columns
		return r.table.Check(r.wants)
	}
	r.faults.Part, r.before = r.part, append(r.before, lines)
	r.clock = r.Time.Clock.Own()
	r.rows, err = r.table.Read(r.part, r.wants, r.clock, &r.faults)
	r.part++
	return err
}

// read appends some samples; io.EOF: there are no more.
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
	s.who = r.keys.Numbers(s.who, &r.block)
	r.settleTimes(s, from)
	r.measured(s)
	return nil
}

// settleTimes chooses the later of two local times where the clock of a component was
// put back. Where times mark the beginning of an interval, a time at the end of a step
// belongs to the next step.
func (r *reader) settleTimes(s *samples, from int) {
	again := r.block.Columns[r.timeAt].Again
	for i := from; r.Time.Clock.IsLocal() && i < s.Len(); i++ {
		later := int64(0)
		if again != nil {
			later = again[i-from]
		}
		ns, unsure := r.walls.Tell(s.who[i], s.times[i], later, 0)
		s.times[i] = ns
		if unsure {
			r.unsure++
		}
	}
	for i := from; r.Time.Marks == "begin" && i < s.Len(); i++ {
		s.times[i]++
	}
}

// measured appends the values of the block.
func (r *reader) measured(s *samples) {
	from := len(s.values)
	s.values = slices.Grow(s.values, r.block.Rows*s.metrics)[:from+r.block.Rows*s.metrics]
	values := s.values[from:]
	if r.Tidy {
		r.measuredTidy(values, s.metrics)
		return
	}
	for m := range s.metrics {
		for i, v := range r.block.Columns[r.values+m].Numbers[:r.block.Rows] {
			values[i*s.metrics+m] = v
		}
	}
}

// measuredTidy appends the values of a tidy table: one value for each row, of the
// metric in the first column.
func (r *reader) measuredTidy(values []float64, metrics int) {
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

// Close ends reading.
func (r *reader) Close() error {
	if r.rows != nil {
		r.rows.Close()
	}
	return r.table.Close()
}

// ended reports whether an error is the end of a file, good or broken.
func ended(err error) bool {
	_, broken := errors.AsType[*tabular.BrokenError](err)
	return err == io.EOF || broken && !errors.Is(err, tabular.ErrHeader)
}

// endsHere returns the warning about a file that ends early.
func endsHere(err error) string {
	if other, ok := errors.AsType[*tool.Error](err); ok {
		return other.Error()
	}
	if broken, ok := errors.AsType[*tabular.BrokenError](err); ok {
		return fmt.Sprintf("the %s data end here: %v; what comes before is used: write the file again", broken.Kind, broken.Err)
	}
	return "the file is empty; leave it out"
}
