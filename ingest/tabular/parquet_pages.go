// This file reads columns of Parquet files, whole pages at a time, by their
// physical types. A dictionary is decoded once, and rows are looked up in it.
//
// It stands below tabular, beside tabular/csv, and says nothing of paths: who
// opened the file names it in errors.

package tabular

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A parquetFile is a table whose footer was read.
type parquetFile struct {
	names  []string
	leaves []parquet.LeafColumn // by name
	groups []parquet.RowGroup   // its parts
	file   io.ReaderAt
	size   int64
	meta   []format.RowGroup
}

// openParquet reads the footer of a file of some size.
func openParquet(file io.ReaderAt, size int64) (f *parquetFile, err error) {
	defer recoverDamage(&err)
	if err := checkFooter(file, size); err != nil {
		return nil, err
	}
	p, err := parquet.OpenFile(file, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true),
		parquet.FileReadMode(parquet.ReadModeSync))
	if err != nil {
		return nil, err
	}
	f = &parquetFile{groups: p.RowGroups(), file: file, size: size, meta: p.Metadata().RowGroups}
	if err := checkRows(f.meta, size); err != nil {
		return nil, err
	}
	for _, path := range p.Schema().Columns() {
		leaf, ok := p.Schema().Lookup(path...)
		if ok && len(path) == 1 && leaf.MaxRepetitionLevel == 0 {
			f.names, f.leaves = append(f.names, path[0]), append(f.leaves, leaf)
		}
	}
	return f, nil
}

// recoverDamage turns a panic over damaged data into an error.
func recoverDamage(err *error) {
	if e := recover(); e != nil {
		*err = fmt.Errorf("%v", e)
	}
}

// Names are those of the columns that have one value in a row.
func (f *parquetFile) Names() []string { return f.names }

// Parts is how many row groups there are.
func (f *parquetFile) Parts() int { return len(f.groups) }

// Check reports columns of a type that is not read as what is wanted. All of
// them are there.
func (f *parquetFile) Check(wants []Want) error {
	for i := range wants {
		if _, err := newPageColumn(&wants[i], f.leaf(&wants[i]), nil); err != nil {
			return err
		}
	}
	return nil
}

func (f *parquetFile) leaf(w *Want) parquet.LeafColumn {
	return f.leaves[slices.Index(f.names, w.Column)]
}

// A parquetReader reads the columns of a row group. Each decodes whole pages into
// memory of its own, and a block is what all of them have decoded and not yet
// handed on: no value is copied.
type parquetReader struct {
	wants   []Want
	columns []*pageColumn // by want; nil: names that are read already
	faults  *Faults
	rows    int64 // of the group
	at      int64 // rows handed on
}

// Read begins to read a row group, of which the wants were checked.
func (f *parquetFile) Read(part int, wants []Want, watch *Clock, faults *Faults) (_ *parquetReader, err error) {
	defer recoverDamage(&err)
	group := f.groups[part]
	chunks := group.ColumnChunks()
	r := &parquetReader{wants: wants, faults: faults, rows: group.NumRows()}
	for i := range wants {
		leaf := f.leaf(&wants[i])
		c, err := newPageColumn(&wants[i], leaf, watch)
		if err != nil {
			return nil, err
		}
		c.chunk = chunks[leaf.ColumnIndex]
		meta := &f.meta[part].Columns[leaf.ColumnIndex].MetaData
		if err := checkPages(f.file, f.size, meta); err != nil {
			return nil, fmt.Errorf("column %s: %w", wants[i].Column, err)
		}
		done := false
		if wants[i].As == Names {
			if done, err = c.readNames(meta.EncodingStats); err != nil {
				return nil, err
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

// Next reads a block, or returns io.EOF.
func (r *parquetReader) Next(b *Block) (err error) {
	defer recoverDamage(&err)
	if r.at == r.rows {
		return io.EOF
	}
	memory, _ := b.Scratch.([]decoded)
	if len(memory) != len(r.columns) {
		memory = make([]decoded, len(r.columns))
		b.Scratch = memory
	}
	n := int(min(int64(b.MaxRows()), r.rows-r.at))
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		c.decoded = &memory[i]
		if err := c.ready(); err != nil {
			return fmt.Errorf("column %s: %w", r.wants[i].Column, err)
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
	b.Rows = n
	for i, c := range r.columns {
		b.Columns[i] = Column{}
		if c != nil {
			b.Columns[i] = c.take(n)
		}
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
			b.Columns[k].Keep(kept, i)
		}
		kept++
	}
	b.Rows = kept
	for k := range b.Columns {
		b.Columns[k].Shorten(kept)
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
			fault, hint := w.NoTimeFault(c.Times[i], []byte(wrong.text), r.columns[k].watch)
			r.faults.Note(fault, r.at+int64(i), w.Column, []byte(wrong.text), hint)
			return false
		case c.Codes != nil && c.Codes[i] == NoText:
			r.faults.Note(MissingName, r.at+int64(i), w.Column, nil, nil)
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
		if wrong.fault == notTime {
			wrong.fault, _ = c.want.NoTimeFault(NoTime, []byte(wrong.text), c.watch)
		}
		if wrong.fault != good {
			r.faults.Note(wrong.fault, r.at+int64(i), c.want.Column, []byte(wrong.text), nil)
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
