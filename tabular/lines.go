package tabular

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/limpet-storage/limpet/tabular/clock"
	"github.com/limpet-storage/limpet/tabular/csv"
)

// partBytes is how much plain CSV is read in one go: some tenths of a second,
// so that all cores have some.
const partBytes = 32 << 20

// beginLines reads the header of a table of lines:
//
//	"ts","disk_id","throughput","latency"
//	1659186015,"disk1",12360327.15,68.61
//	1659186030,"disk1",18078493.32,NA
func (f *File) beginLines() error {
	r, err := f.openLines(0)
	if err != nil {
		return f.broken(err)
	}
	f.first = r
	switch err := r.Header(); {
	case err == io.EOF:
		return f.broken(ErrEmpty)
	case err == csv.ErrQuotes || err == csv.ErrLong:
		return f.broken(fmt.Errorf("%w: %w", ErrHeader, err))
	case err != nil:
		return f.broken(err)
	}
	f.Separator = r.Separator()
	for _, field := range r.Fields {
		f.names = append(f.names, strings.TrimSpace(string(field)))
	}
	return nil
}

// openRecords are those of a part, while it is read.
type openRecords struct {
	*csv.Reader
	end func()
}

// openLines begins to read the records of a part.
func (f *File) openLines(part int) (*openRecords, error) {
	if f.packing == unpacked {
		from := int64(part) * f.partBytes
		r, err := csv.NewPartReader(f.file, f.Size, from, from+f.partBytes, f.Separator)
		return &openRecords{r, func() {}}, err
	}
	src, end, err := f.packing.open(io.NewSectionReader(f.file, 0, f.Size))
	if err != nil {
		return nil, err
	}
	return &openRecords{csv.NewReader(src, f.Separator), end}, nil
}

// passHeader begins to read the records of a part, after the header. Whoever
// reads the first part first goes on where the header was found.
func (f *File) passHeader(part int) (*openRecords, error) {
	if first := f.first; part == 0 && first != nil {
		f.first = nil
		return first, nil
	}
	r, err := f.openLines(part)
	if err == nil && part == 0 {
		err = r.Header()
	}
	return r, err
}

// A lineReader turns the lines of a part into blocks.
type lineReader struct {
	lines  *openRecords
	file   *File
	wants  []Want
	places []int // by want: its field
	watch  *clock.Clock
	faults *Faults
	ended  error // io.EOF, or why there is no more

	timeText  []byte // the last long one, and what it says
	ns, again int64
}

func (f *File) readLines(part int, wants []Want, places []int, watch *clock.Clock, faults *Faults) (Reader, error) {
	src, err := f.passHeader(part)
	if err != nil {
		return nil, f.broken(err)
	}
	return &lineReader{lines: src, file: f, wants: wants, places: places, watch: watch, faults: faults}, nil
}

// Lines counts those read so far, the header's too.
func (r *lineReader) Lines() int64 { return int64(r.lines.Lines()) }

// Close ends reading.
func (r *lineReader) Close() error {
	r.lines.end()
	return nil
}

func (r *lineReader) Next(b *Block) error {
	b.empty(r.wants)
	if r.ended != nil {
		return r.ended
	}
	for range b.limit() {
		switch err := r.lines.Next(); err {
		case nil:
			r.take(b)
		case csv.ErrQuotes:
			r.note(BadQuotes, nil)
		case csv.ErrLong:
			r.note(LongLine, func() string { return fmt.Sprintf("%d kB", csv.MaxRecord>>10) })
		default:
			if err != io.EOF {
				err = r.file.broken(err)
			}
			r.ended = err
			if b.Rows > 0 {
				return nil
			}
			return err
		}
	}
	return nil
}

// note notes something wrong with the line last read.
func (r *lineReader) note(k Fault, detail func() string) {
	r.faults.note(k, r.at(), "", r.lines.Record, detail)
}

// at is the number of the line last read, from 0.
func (r *lineReader) at() int64 { return int64(r.lines.Line - 1) }

// empty makes room for the columns that are wanted.
func (b *Block) empty(wants []Want) {
	if len(b.Columns) != len(wants) {
		b.Columns = make([]Column, len(wants))
		for i := range wants {
			b.Columns[i].room(wants[i].As, b.limit())
		}
	}
	b.Rows, b.Lines = 0, b.Lines[:0]
	for i := range b.Columns {
		c := &b.Columns[i]
		c.Times, c.Again, c.Codes, c.Numbers = c.Times[:0], nil, c.Codes[:0], c.Numbers[:0]
	}
}

// room makes room for n rows.
func (c *Column) room(as As, n int) {
	switch as {
	case Time:
		c.Times = make([]int64, 0, n)
	case Text:
		c.Codes = make([]int32, 0, n)
	case Number:
		c.Numbers = make([]float64, 0, n)
	}
}

// take adds the row of a line, if it has one.
func (r *lineReader) take(b *Block) {
	fields := r.lines.Fields
	if len(fields) != len(r.file.names) && !r.mend(&fields) {
		return
	}
	for i, place := range r.places {
		text := fields[place]
		if r.wants[i].As == Number {
			r.addNumber(b, i, text)
		} else if !r.add(b, i, text) {
			for k := range b.Columns[:i] {
				b.Columns[k].shorten(b.Rows)
			}
			return
		}
	}
	if b.Numbered {
		b.Lines = append(b.Lines, r.at())
	}
	b.Rows++
}

// mend takes off empty fields at the end of a line, or fills up one that is
// short, and reports whether the line can be read: one with more fields has its
// values in the wrong columns.
func (r *lineReader) mend(fields *[][]byte) bool {
	width := len(r.file.names)
	for len(*fields) > width && len((*fields)[len(*fields)-1]) == 0 {
		*fields = (*fields)[:len(*fields)-1]
	}
	n := len(*fields)
	detail := func() string { return fmt.Sprintf("%d fields where the header has %d", n, width) }
	switch {
	case n > width:
		r.note(ManyFields, detail)
		return false
	case n < width && !r.file.Ragged:
		r.note(FewFields, detail)
		return false
	case n < width:
		r.note(ShortLine, detail)
	}
	for len(*fields) < width {
		*fields = append(*fields, nil)
	}
	return !r.cutOff(n)
}

// cutOff reports whether a line of n fields lacks its time or a name.
func (r *lineReader) cutOff(n int) bool {
	for i := range r.wants {
		if r.wants[i].As != Number && r.places[i] >= n {
			return true
		}
	}
	return false
}

// addNumber adds a measured value to its column.
func (r *lineReader) addNumber(b *Block, i int, text []byte) {
	v, fault := parseNumber(text, r.wants[i].scale())
	if fault != good {
		r.faults.note(fault, r.at(), r.wants[i].Column, text, nil)
	}
	c := &b.Columns[i]
	c.Numbers = append(c.Numbers, v)
}

// add adds a time or text to its column, or reports that the row is left out.
func (r *lineReader) add(b *Block, i int, text []byte) bool {
	w, c := &r.wants[i], &b.Columns[i]
	if w.As == Time {
		return r.addTime(w, c, text)
	}
	code := w.Words.code(text)
	if code < 0 && (code == Pass || w.Required) {
		if code == NoText {
			r.faults.note(NoName, r.at(), w.Column, text, nil)
		}
		return false
	}
	if w.As == Text {
		c.Codes = append(c.Codes, code)
	}
	return true
}

// addTime adds a time, and Again from the first that is ambiguous on.
func (r *lineReader) addTime(w *Want, c *Column, text []byte) bool {
	ns, again := r.tell(text)
	if ns < 0 {
		k, hint := noTime(ns, text, w, r.watch)
		if k != good {
			r.faults.note(k, r.at(), w.Column, bytes.TrimSpace(text), hint)
		}
		if w.Required {
			return false
		}
	}
	c.Times = append(c.Times, ns)
	if again != 0 && c.Again == nil {
		c.Again = make([]int64, len(c.Times)-1, cap(c.Times))
	}
	if c.Again != nil {
		c.Again = append(c.Again, again)
	}
	return true
}

// shortTime is a text that is read as quickly as it is compared: a number of
// seconds.
const shortTime = 10

// tell reads a time, which is mostly the one of the line before.
func (r *lineReader) tell(text []byte) (ns, again int64) {
	if len(text) <= shortTime {
		return r.watch.Parse(text)
	}
	if !bytes.Equal(text, r.timeText) {
		r.timeText = append(r.timeText[:0], text...)
		r.ns, r.again = r.watch.Parse(text)
	}
	return r.ns, r.again
}

// noTime says what is wrong with a text that is no time, and what to do.
func noTime(ns int64, text []byte, w *Want, watch *clock.Clock) (k Fault, hint func() string) {
	switch missing := IsMissing(bytes.TrimSpace(text)); {
	case !w.Required && missing:
		return good, nil
	case !w.Required:
		return NotTime, nil
	case missing:
		return NoTime, nil
	case ns == clock.Strange:
		k = StrangeTime
	default:
		k = BadTime
	}
	return k, func() string { return watch.Hint(text) }
}
