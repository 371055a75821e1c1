package tabular

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/limpet-storage/limpet/tabular/clock"
)

func (f *File) beginParquet() (err error) {
	defer f.recoverBroken(&err)
	p, err := parquet.OpenFile(f.file, f.Size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true),
		parquet.FileReadMode(parquet.ReadModeSync))
	if err != nil {
		return f.broken(err)
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
		*err = f.broken(fmt.Errorf("%v", e))
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
				return nil, f.broken(err)
			}
		}
		if done {
			c = nil
		}
		r.columns = append(r.columns, c)
	}
	return r, nil
}

// Lines counts the rows read so far.
func (r *parquetReader) Lines() int64 { return r.at }

func (r *parquetReader) Next(b *Block) (err error) {
	defer r.file.recoverBroken(&err)
	if r.at == r.rows {
		return io.EOF
	}
	if len(b.pages) != len(r.columns) {
		b.pages = make([]decoded, len(r.columns))
	}
	n := int(min(int64(b.limit()), r.rows-r.at))
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		c.decoded = &b.pages[i]
		if err := c.ready(); err != nil {
			return r.file.broken(fmt.Errorf("column %s: %w", r.wants[i].Column, err))
		}
		n = min(n, c.left())
	}
	r.hand(b, n)
	r.settle(b)
	r.at += int64(n)
	return nil
}

// hand lends the next n rows.
func (r *parquetReader) hand(b *Block, n int) {
	if len(b.Columns) != len(r.wants) {
		b.Columns = make([]Column, len(r.wants))
	}
	b.Rows, b.Lines = n, b.Lines[:0]
	for i, c := range r.columns {
		b.Columns[i] = Column{}
		if c != nil {
			b.Columns[i] = c.take(n)
		}
	}
	for i := 0; b.Numbered && i < n; i++ {
		b.Lines = append(b.Lines, r.at+int64(i))
	}
}

// settle leaves out the rows that lack something required, or that nobody
// wants, and notes what is wrong with the others.
func (r *parquetReader) settle(b *Block) {
	for _, c := range r.columns {
		if c != nil && (c.lacking || len(c.wrong) > 0) {
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
		r.noteValues(i)
		for k := range b.Columns {
			b.Columns[k].keep(kept, i)
		}
		if b.Numbered {
			b.Lines[kept] = b.Lines[i]
		}
		kept++
	}
	b.Rows = kept
	for k := range b.Columns {
		b.Columns[k].shorten(kept)
	}
}

// complete reports whether the i-th row has all that it needs.
func (r *parquetReader) complete(b *Block, i int) bool {
	for k := range r.wants {
		w, c := &r.wants[k], &b.Columns[k]
		switch {
		case c.Codes != nil && c.Codes[i] == Pass:
			return false
		case !w.Required:
		case c.Times != nil && c.Times[i] < 0:
			wrong := r.columns[k].wrongAt(i)
			fault, hint := noTime(c.Times[i], []byte(wrong.text), w, r.columns[k].watch)
			r.faults.note(fault, r.at+int64(i), w.Column, []byte(wrong.text), hint)
			return false
		case c.Codes != nil && c.Codes[i] == NoText:
			r.faults.note(NoName, r.at+int64(i), w.Column, nil, nil)
			return false
		}
	}
	return true
}

// noteValues notes what is wrong with the values of the i-th row.
func (r *parquetReader) noteValues(i int) {
	for _, c := range r.columns {
		if c == nil || len(c.wrong) == 0 {
			continue
		}
		wrong := c.wrongAt(i)
		if wrong.fault == NotTime {
			wrong.fault, _ = noTime(clock.NoTime, []byte(wrong.text), c.want, c.watch)
		}
		if wrong.fault != good {
			r.faults.note(wrong.fault, r.at+int64(i), c.want.Column, []byte(wrong.text), nil)
		}
	}
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
