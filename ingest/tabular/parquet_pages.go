package tabular

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A parquetFile is a Parquet file with its footer. Its errors do not contain the path of
// the file: the caller adds the path.
type parquetFile struct {
	names  []string
	leaves []parquet.LeafColumn // columns of the file, in the order of parquetFile.names
	groups []parquet.RowGroup   // the parts of the file
	file   io.ReaderAt
	size   int64
	meta   []format.RowGroup
}

// openParquet reads the footer of a file. The parameter `size` is the size of the file in bytes.
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

// recoverDamage turns a panic of the Parquet library into an error. Damaged data can cause such a
// panic.
func recoverDamage(err *error) {
	if e := recover(); e != nil {
		*err = fmt.Errorf("%v", e)
	}
}

// Names returns the names of the columns that have at most one value in each row.
func (f *parquetFile) Names() []string { return f.names }

// Parts returns the number of row groups.
func (f *parquetFile) Parts() int { return len(f.groups) }

// Check returns an error if the type of a column cannot be read as wanted. The caller has
// checked that all columns exist.
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

// A parquetReader reads the columns of a row group. Each column decodes whole pages into
// its own memory. A block contains only rows that all columns have decoded. The block
// refers to the memory of the columns, so no value is copied.
type parquetReader struct {
	wants      []Want
	columns    []*pageColumn // for each wanted column: its reader; nil if all names of the column were read from the dictionary
	faults     *Faults
	rows       int64 // number of rows of the row group
	rowsBefore int64 // number of rows that were returned or left out
}

// Read opens a row group. The caller has checked that the wanted columns exist and have types that
// can be read.
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
		if wants[i].Type == Names {
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

// Lines returns the number of rows that were read so far.
func (r *parquetReader) Lines() int64 { return r.rowsBefore }

// Next reads a block. It returns io.EOF at the end.
func (r *parquetReader) Next(b *Block) (err error) {
	defer recoverDamage(&err)
	if r.rowsBefore == r.rows {
		return io.EOF
	}
	memory, _ := b.Scratch.([]decoded)
	if len(memory) != len(r.columns) {
		memory = make([]decoded, len(r.columns))
		b.Scratch = memory
	}
	n := int(min(int64(b.MaxRows()), r.rows-r.rowsBefore))
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		c.decoded = &memory[i]
		if err := c.decodeNext(); err != nil {
			return fmt.Errorf("column %s: %w", r.wants[i].Column, err)
		}
		n = min(n, c.rowsLeft())
	}
	r.fillBlock(b, n)
	r.settle(b)
	r.rowsBefore += int64(n)
	return nil
}

// fillBlock puts the next n rows into a block, without a copy.
func (r *parquetReader) fillBlock(b *Block, n int) {
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

// settle removes from the block the rows without a required value, and the rows with the code Pass. A
// row with the code Pass has no fault. settle counts the faults of all rows.
func (r *parquetReader) settle(b *Block) {
	for _, c := range r.columns {
		if c != nil && (c.lacksRows || len(c.wrong) > 0) {
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
			b.Columns[k].CopyRow(kept, i)
		}
		kept++
	}
	b.Rows = kept
	for k := range b.Columns {
		b.Columns[k].Shorten(kept)
	}
}

// complete reports whether the i-th row is kept. The row is kept if it has all required values and no
// code Pass. If a required value is absent, complete counts the fault.
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
			r.faults.Note(fault, r.rowsBefore+int64(i), w.Column, []byte(wrong.text), hint)
			return false
		case c.Codes != nil && c.Codes[i] == NoText:
			r.faults.Note(MissingName, r.rowsBefore+int64(i), w.Column, nil, nil)
			return false
		}
	}
	return true
}

// noteValues counts the faults of the values of the i-th row.
func (r *parquetReader) noteValues(i int) {
	for _, c := range r.columns {
		if c == nil || len(c.wrong) == 0 {
			continue
		}
		wrong := c.wrongAt(i)
		if wrong.fault == notTime {
			wrong.fault, _ = c.want.NoTimeFault(NoTime, []byte(wrong.text), c.watch)
		}
		if wrong.fault != noFault {
			r.faults.Note(wrong.fault, r.rowsBefore+int64(i), c.want.Column, []byte(wrong.text), nil)
		}
	}
}

// Close closes all columns.
func (r *parquetReader) Close() error {
	for _, c := range r.columns {
		if c != nil {
			c.close()
		}
	}
	return nil
}
