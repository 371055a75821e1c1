package columns

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/limpet-storage/limpet/study/source/internal/clock"
)

func (f *File) beginParquet() (err error) {
	defer f.recoverBroken(&err)
	p, err := parquet.OpenFile(f.file, f.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true),
		parquet.FileReadMode(parquet.ReadModeSync))
	if err != nil {
		return &BrokenError{f.path, "Parquet", err}
	}
	for _, path := range p.Schema().Columns() {
		leaf, ok := p.Schema().Lookup(path...)
		if ok && len(path) == 1 && leaf.MaxRepetitionLevel == 0 {
			f.names, f.leaves = append(f.names, path[0]), append(f.leaves, leaf)
		}
	}
	f.groups = p.RowGroups()
	for _, g := range p.Metadata().RowGroups {
		var stats [][]format.PageEncodingStats
		for i := range g.Columns {
			stats = append(stats, g.Columns[i].MetaData.EncodingStats)
		}
		f.encodings = append(f.encodings, stats)
	}
	return nil
}

// recoverBroken turns a panic over damaged data into an error.
func (f *File) recoverBroken(err *error) {
	if e := recover(); e != nil {
		*err = &BrokenError{f.path, "Parquet", fmt.Errorf("%v", e)}
	}
}

// A parquetReader reads the columns of a row group. Each decodes whole pages
// into memory of its own, and a block is what all of them have decoded and
// not yet handed on: no value is copied.
type parquetReader struct {
	file    *File
	wants   []Want
	columns []*pageColumn // by want; nil: Names that are read already
	faults  *Faults
	rows    int64 // of the group
	at      int64 // rows handed on
}

func (f *File) readParquet(part int, wants []Want, places []int, watch *clock.Clock, faults *Faults) (_ Reader, err error) {
	defer f.recoverBroken(&err)
	group := f.groups[part]
	chunks := group.ColumnChunks()
	r := &parquetReader{file: f, wants: wants, faults: faults, rows: group.NumRows()}
	for i := range wants {
		leaf := f.leaves[places[i]]
		c, err := newPageColumn(&wants[i], leaf, watch)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		c.chunk = chunks[leaf.ColumnIndex]
		done := false
		if wants[i].As == Names {
			if done, err = c.readNames(f.encodings[part][leaf.ColumnIndex]); err != nil {
				return nil, &BrokenError{f.path, "Parquet", err}
			}
		}
		if done {
			c = nil
		}
		r.columns = append(r.columns, c)
	}
	return r, nil
}

// Rows counts the rows read so far.
func (r *parquetReader) Rows() int64 { return r.at }

func (r *parquetReader) Next(b *Block) (err error) {
	defer r.file.recoverBroken(&err)
	if r.at == r.rows {
		return io.EOF
	}
	if len(b.pages) != len(r.columns) {
		b.pages = make([]decoded, len(r.columns))
	}
	n := int(min(maxBlock, r.rows-r.at))
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		c.decoded = &b.pages[i]
		if err := c.ready(r.faults, r.at); err != nil {
			return &BrokenError{r.file.path, "Parquet", fmt.Errorf("column %s: %w", r.wants[i].Column, err)}
		}
		n = min(n, c.left())
	}
	r.hand(b, n)
	r.leaveOut(b)
	r.at += int64(n)
	return nil
}

// hand lends the next n rows.
func (r *parquetReader) hand(b *Block, n int) {
	if len(b.Columns) != len(r.wants) {
		b.Columns = make([]Column, len(r.wants))
	}
	b.Rows = n
	for i, c := range r.columns {
		b.Columns[i] = Column{}
		if c != nil {
			b.Columns[i] = c.take(n)
		}
	}
}

// leaveOut takes out the rows that lack something required.
func (r *parquetReader) leaveOut(b *Block) {
	for _, c := range r.columns {
		if c != nil && c.lacking {
			r.compact(b)
			return
		}
	}
}

func (r *parquetReader) compact(b *Block) {
	kept := 0
	for i := range b.Rows {
		if !r.complete(b, i) {
			continue
		}
		for k := range b.Columns {
			b.Columns[k].keep(kept, i)
		}
		kept++
	}
	b.Rows = kept
	for k := range b.Columns {
		b.Columns[k].shorten(kept)
	}
}

func (c *Column) shorten(n int) {
	c.Times, c.Again = c.Times[:min(n, len(c.Times))], c.Again[:min(n, len(c.Again))]
	c.Codes, c.Numbers = c.Codes[:min(n, len(c.Codes))], c.Numbers[:min(n, len(c.Numbers))]
}

func (r *parquetReader) complete(b *Block, i int) bool {
	for k := range r.wants {
		w, c := &r.wants[k], &b.Columns[k]
		switch {
		case !w.Required:
		case c.Times != nil && c.Times[i] == clock.NoTime:
			r.faults.row(r.at+int64(i), "%s", r.columns[k].noTime(i))
			return false
		case c.Codes != nil && c.Codes[i] == NoText:
			r.faults.row(r.at+int64(i), "no %s", w.Column)
			return false
		}
	}
	return true
}

// Close ends reading.
func (r *parquetReader) Close() error {
	for _, c := range r.columns {
		if c != nil {
			c.close()
		}
	}
	return nil
}
