package columns

import (
	"bytes"
	"io"

	"github.com/limpet-storage/limpet/study/source/internal/clock"
	"github.com/limpet-storage/limpet/study/source/internal/lines"
)

// A csvReader turns the lines of a part into blocks.
type csvReader struct {
	lines  *lines.Reader
	file   *File
	wants  []Want
	places []int // by want: its field
	watch  *clock.Clock
	faults *Faults
	fields [][]byte
	ended  error // io.EOF, or why there is no more

	timeText  []byte // the last one, and what it says
	ns, again int64
}

func (f *File) readCSV(part int, wants []Want, places []int, watch *clock.Clock, faults *Faults) (Reader, error) {
	src, err := f.lines.Open(f.file, f.size, part)
	if err == nil && part == 0 {
		_, err = src.Line() // the header
	}
	if err != nil && err != io.EOF {
		return nil, f.broken(err)
	}
	return &csvReader{lines: src, file: f, wants: wants, places: places, watch: watch, faults: faults}, nil
}

// Rows counts lines, the header's too.
func (r *csvReader) Rows() int64 { return r.lines.Number() }

// Close ends reading.
func (r *csvReader) Close() error { return r.lines.Close() }

func (r *csvReader) Next(b *Block) error {
	b.empty(len(r.wants))
	if r.ended != nil {
		return r.ended
	}
	for range maxBlock {
		line, err := r.line()
		switch {
		case err == lines.ErrLong:
			r.faults.row(r.at(), "the line has more than %d kB", lines.MaxLine>>10)
		case err != nil && b.Rows > 0:
			r.ended = err
			return nil
		case err != nil:
			return err
		case len(line) > 0:
			r.take(b, line)
		}
	}
	return nil
}

// line reads the next one.
func (r *csvReader) line() ([]byte, error) {
	line, err := r.lines.Line()
	if err != nil && err != io.EOF && err != lines.ErrLong {
		err = r.file.broken(err)
	}
	return line, err
}

// at is the number of the line last read, from 0.
func (r *csvReader) at() int64 { return r.lines.Number() - 1 }

// empty makes room for the columns that are wanted.
func (b *Block) empty(columns int) {
	if len(b.Columns) != columns {
		b.Columns = make([]Column, columns)
	}
	b.Rows = 0
	for i := range b.Columns {
		c := &b.Columns[i]
		c.Times, c.Again, c.Codes, c.Numbers = c.Times[:0], nil, c.Codes[:0], c.Numbers[:0]
	}
}

// take adds the row of a line, if it has one.
func (r *csvReader) take(b *Block, line []byte) {
	var ok bool
	if r.fields, ok = lines.Cut(r.fields[:0], line, r.file.lines.separator); !ok {
		r.faults.row(r.at(), "quotes do not end in %s", excerpt(line))
		return
	}
	for len(r.fields) > r.file.lines.width && len(r.fields[len(r.fields)-1]) == 0 {
		r.fields = r.fields[:len(r.fields)-1]
	}
	if len(r.fields) != r.file.lines.width {
		r.faults.row(r.at(), "%d fields where the header has %d: %s", len(r.fields), r.file.lines.width, excerpt(line))
		return
	}
	if !r.complete() {
		return
	}
	for i := range r.wants {
		r.add(b, i)
	}
	b.Rows++
}

// complete reads the time and reports whether the row has all that it needs.
func (r *csvReader) complete() bool {
	for i := range r.wants {
		w, text := &r.wants[i], r.fields[r.places[i]]
		if w.As == Time {
			r.tell(text)
			if w.Required && r.ns == clock.NoTime {
				r.noTime(w.Column, bytes.TrimSpace(text))
				return false
			}
		} else if w.Required && len(bytes.TrimSpace(text)) == 0 { // a drive may be called NA
			r.faults.row(r.at(), "no %s", w.Column)
			return false
		}
	}
	return true
}

// noTime notes a row without one, and what may be wrong.
func (r *csvReader) noTime(column string, text []byte) {
	if IsMissing(text) {
		r.faults.row(r.at(), "no %s", column)
		return
	}
	r.faults.row(r.at(), "%s in %s is no time; %s", excerpt(text), column, r.watch.Hint(text))
}

// tell reads a time, which is mostly the one of the line before.
func (r *csvReader) tell(text []byte) {
	if r.timeText != nil && bytes.Equal(text, r.timeText) {
		return
	}
	r.timeText = append(r.timeText[:0], text...)
	r.ns, r.again = r.watch.Parse(text)
}

// add adds a value to its column.
func (r *csvReader) add(b *Block, i int) {
	w, c, text := &r.wants[i], &b.Columns[i], r.fields[r.places[i]]
	switch w.As {
	case Time:
		c.addTime(r.ns, r.again)
		if r.ns == clock.NoTime && !IsMissing(bytes.TrimSpace(text)) {
			r.faults.value(r.at(), "%s in %s is no time", excerpt(text), w.Column)
		}
	case Number:
		v, bad := parseNumber(text, w.scale())
		if bad != good {
			r.faults.value(r.at(), "%s in %s %s", excerpt(text), w.Column, bad)
		}
		c.Numbers = append(c.Numbers, v)
	case Names:
		w.Words.code(bytes.TrimSpace(text))
	default:
		c.Codes = append(c.Codes, w.Words.code(bytes.TrimSpace(text)))
	}
}

func (w *Want) scale() float64 {
	if w.Scale == 0 {
		return 1
	}
	return w.Scale
}

// addTime adds a time, and Again from the first that is ambiguous on.
func (c *Column) addTime(ns, again int64) {
	c.Times = append(c.Times, ns)
	if again != 0 && c.Again == nil {
		c.Again = make([]int64, len(c.Times)-1, maxBlock)
	}
	if c.Again != nil {
		c.Again = append(c.Again, again)
	}
}
