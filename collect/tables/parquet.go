package tables

import (
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// A parquetReader reads samples from a Parquet file, a column at a time: of
// each row group the columns that the description names, page by page.
//
// Values are read as the library's own Value, which knows whether it is null
// and what it is physically: other engines write every column as optional,
// widen integers, and use a dictionary or not from page to page.
type parquetReader struct {
	*binding
	groups  []parquet.RowGroup
	left    int64 // rows of the current group
	row     int   // rows read
	columns []*parquetColumn

	time    *parquetColumn
	keys    []*parquetColumn
	metrics []*parquetColumn
	name    *parquetColumn // of a tidy table, as is value
	value   *parquetColumn
	key     [][]byte
}

// openParquet reads the footer. What cannot be read is a brokenError, as
// everything of a file hangs on its end.
func openParquet(d *Description, f *tableFile, file *os.File) (r *parquetReader, err error) {
	defer recoverBroken(&err)
	p, err := parquet.OpenFile(file, f.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, &brokenError{"Parquet", err}
	}
	leaves := flatColumns(p)
	names := make([]string, len(leaves))
	for i, leaf := range leaves {
		names[i] = leaf.Path[0]
	}
	r = &parquetReader{groups: p.RowGroups()}
	if r.binding, err = d.bind(f, names); err != nil {
		return nil, err
	}
	return r, r.choose(leaves, f)
}

// recoverBroken turns a panic over damaged data into an error.
func recoverBroken(err *error) {
	if e := recover(); e != nil {
		*err = &brokenError{"Parquet", fmt.Errorf("%v", e)}
	}
}

// flatColumns lists the columns that have one value in a row.
func flatColumns(p *parquet.File) []parquet.LeafColumn {
	var leaves []parquet.LeafColumn
	for _, path := range p.Schema().Columns() {
		leaf, ok := p.Schema().Lookup(path...)
		if ok && len(path) == 1 && leaf.MaxRepetitionLevel == 0 {
			leaves = append(leaves, leaf)
		}
	}
	return leaves
}

func (r *parquetReader) choose(leaves []parquet.LeafColumn, f *tableFile) (err error) {
	column := func(i int) *parquetColumn {
		c, e := newParquetColumn(leaves[i])
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %w", f.path, e)
		}
		r.columns = append(r.columns, c)
		return c
	}
	r.time = column(r.binding.time)
	for _, i := range r.binding.keys {
		r.keys = append(r.keys, column(i))
	}
	for _, i := range r.binding.metrics {
		r.metrics = append(r.metrics, column(i))
	}
	if r.tidy {
		r.name, r.value = column(r.binding.name), column(r.binding.value)
	}
	r.key = make([][]byte, len(r.keys))
	return err
}

func (r *parquetReader) bound() *binding { return r.binding }

// read appends the samples of some rows; io.EOF says that there are no more.
func (r *parquetReader) read(s *samples) (err error) {
	defer recoverBroken(&err)
	for r.left == 0 {
		if len(r.groups) == 0 {
			return io.EOF
		}
		r.enter(r.groups[0])
		r.groups = r.groups[1:]
	}
	n := int(min(r.left, batchLines))
	if err := r.readColumns(n); err != nil {
		return &brokenError{"Parquet", err}
	}
	for i := range n {
		r.sample(s, i)
	}
	r.left -= int64(n)
	r.row += n
	return nil
}

func (r *parquetReader) enter(g parquet.RowGroup) {
	r.left = g.NumRows()
	chunks := g.ColumnChunks()
	for _, c := range r.columns {
		c.begin(chunks[c.leaf.ColumnIndex])
	}
}

// readColumns reads n rows of every column.
func (r *parquetReader) readColumns(n int) error {
	for _, c := range r.columns {
		if err := c.read(n); err != nil {
			return fmt.Errorf("column %s: %w", c.leaf.Path[0], err)
		}
	}
	return nil
}

// sample takes the i-th of the rows last read.
func (r *parquetReader) sample(s *samples, i int) {
	if r.tidy {
		r.tidySample(s, i)
		return
	}
	values := r.begin(s, i)
	for m := range values {
		values[m] = r.measured(r.metrics[m], i)
	}
}

func (r *parquetReader) tidySample(s *samples, i int) {
	m := r.metricCalled(r.name.text(i))
	if m < 0 {
		return
	}
	if values := r.begin(s, i); values != nil {
		values[m] = r.measured(r.value, i)
	}
}

// begin adds a sample by its time and component and returns its values; nil
// where it has no time or component.
func (r *parquetReader) begin(s *samples, i int) []float64 {
	ns, ok := r.time.nanoseconds(i, &r.clock)
	if (!ok || !inRange(ns)) && !r.when(ns, ok, r.line(i), r.time.text(i)) {
		return nil
	}
	for k, c := range r.keys {
		r.key[k] = c.text(i)
	}
	who := r.who(r.key, r.line(i))
	if who == nobody {
		return nil
	}
	return s.add(ns, who)
}

func (r *parquetReader) measured(c *parquetColumn, i int) float64 {
	v, k := c.value(i)
	if k != none {
		r.faults.note(k, r.line(i), c.text(i), c.leaf.Path[0])
	}
	return v
}

// line is the number of a row, from 1.
func (r *parquetReader) line(i int) int { return r.row + i + 1 }

// Close ends reading.
func (r *parquetReader) Close() error {
	for _, c := range r.columns {
		c.close()
	}
	return nil
}
