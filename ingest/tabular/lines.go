package tabular

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/unpack"
)

// partBytes is the size of a part of plain CSV, in bytes. Reading a part takes some tenths of a
// second. With this size, a large file has at least one part for each core.
const partBytes = 32 << 20

// beginLines reads the header of a CSV table:
//
//	"ts","disk_id","throughput","latency"
//	1659186015,"disk1",12360327.15,68.61
//	1659186030,"disk1",18078493.32,NA
func (f *File) beginLines() error {
	r, err := f.openLines(0)
	if err != nil {
		return f.brokenError(err)
	}
	f.first = r
	switch err := r.Header(); {
	case err == io.EOF:
		return f.brokenError(ErrEmpty)
	case err == errQuotes || err == errLong:
		return f.brokenError(fmt.Errorf("%w: %w", ErrHeader, err))
	case err != nil:
		return f.brokenError(err)
	}
	f.Separator = r.Separator()
	for i := range r.Fields() {
		f.names = append(f.names, strings.TrimSpace(string(r.Field(i))))
	}
	return nil
}

// openRecords is a reader of the records of one part of a file. The function openRecords.end closes
// the input of the part.
type openRecords struct {
	*reader
	end func()
}

// openLines opens a reader of the records of a part. In plain CSV a part is a range of bytes of the
// file. A compressed file, or the output of a tool, is one part.
func (f *File) openLines(part int) (*openRecords, error) {
	if f.packing == unpack.Plain && f.Format == nil {
		from := int64(part) * f.partBytes
		r, err := newPartReader(f.file, f.Size, from, from+f.partBytes, f.Separator)
		return &openRecords{r, func() {}}, err
	}
	src, err := unpack.NewReader(f.packing, io.NewSectionReader(f.file, 0, f.Size), f.WindowBytes)
	if err != nil {
		return nil, err
	}
	var lines io.Reader = src
	if f.Format != nil {
		f.form = f.Format.Reader(src)
		f.form.Dates().Assumed = f.Dates
		lines = f.form
	}
	return &openRecords{newReader(lines, f.Separator), func() { src.Close() }}, nil
}

// passHeader opens a part of the file. Only part 0 has a header, which passHeader skips. Open has
// already read this header. So the first call for part 0 returns the reader that Open used.
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

// A lineReader reads the lines of one part of a file into blocks.
type lineReader struct {
	lines  *openRecords
	file   *File
	wants  []Want
	places []int // for each wanted column: index of its field in a line
	watch  *Clock
	point  []byte // buffer for a number whose decimal comma is replaced by a point
	faults *Faults
	ended  error // io.EOF, or the error that ends the part

	timeText      []byte // text of the last time that lineReader.parseTime has parsed; its results are in lineReader.ns and lineReader.laterTime
	ns, laterTime int64
}

func (f *File) readLines(part int, wants []Want, watch *Clock, faults *Faults) (Reader, error) {
	src, err := f.passHeader(part)
	if err != nil {
		return nil, f.brokenError(err)
	}
	r := &lineReader{lines: src, file: f, wants: wants, watch: watch, faults: faults}
	for _, w := range wants {
		r.places = append(r.places, slices.Index(f.names, w.Column))
	}
	return r, nil
}

// Lines returns the number of lines that were read so far, including the header.
func (r *lineReader) Lines() int64 { return int64(r.lines.Lines()) }

// Close closes the input of this part of the file.
func (r *lineReader) Close() error {
	r.lines.end()
	return nil
}

func (r *lineReader) Next(b *Block) error {
	b.Empty(r.wants)
	if r.ended != nil {
		return r.ended
	}
	for range b.MaxRows() {
		switch err := r.lines.Next(); err {
		case nil:
			r.take(b)
		case errQuotes:
			r.note(BadQuotes, nil)
		case errLong:
			r.note(LongLine, func() string { return fmt.Sprintf("%d kB", MaxRecord>>10) })
		default:
			if err != io.EOF {
				err = r.file.brokenError(err)
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

// note counts a fault of the line that was read last.
func (r *lineReader) note(k Fault, detail func() string) {
	r.faults.Note(k, r.lineNumber(), "", r.lines.Record, detail)
}

// lineNumber returns the number of the line that was read last. The first line has the number 0.
func (r *lineReader) lineNumber() int64 { return int64(r.lines.Line - 1) }

// take adds the line that was read last to the block as a row, unless the line must be left out.
func (r *lineReader) take(b *Block) {
	n := r.lines.Fields()
	if n != len(r.file.names) && !r.acceptsFields(n) {
		return
	}
	for i, place := range r.places {
		var text []byte
		if place < n {
			text = r.lines.Field(place)
		}
		if r.wants[i].Type == Number {
			r.addNumber(b, i, text)
		} else if !r.add(b, i, text) {
			for k := range b.Columns[:i] {
				b.Columns[k].Shorten(b.Rows)
			}
			return
		}
	}
	b.Rows++
}

// acceptsFields reports whether a line with n fields is used. lineReader.take calls acceptsFields if
// the header has another number of fields.
//
//   - A line with more fields is used only if the additional fields at its end are empty. Otherwise
//     its values may be in the wrong columns.
//   - A line with fewer fields is used only with the option Ragged, and only if all wanted times
//     and texts are present.
func (r *lineReader) acceptsFields(n int) bool {
	width := len(r.file.names)
	for n > width && len(r.lines.Field(n-1)) == 0 {
		n--
	}
	detail := func() string { return fmt.Sprintf("the line has %d fields, and the header has %d", n, width) }
	switch {
	case n == width:
		return true
	case n > width:
		r.note(ManyFields, detail)
		return false
	case !r.file.Ragged:
		r.note(fewFields, detail)
		return false
	}
	r.note(ShortLine, detail)
	return !r.lacksField(n)
}

// lacksField reports whether a line of n fields lacks a wanted time or text.
func (r *lineReader) lacksField(n int) bool {
	for i := range r.wants {
		if r.wants[i].Type != Number && r.places[i] >= n {
			return true
		}
	}
	return false
}

// addNumber adds a measured value to its column.
func (r *lineReader) addNumber(b *Block, i int, text []byte) {
	number := text
	if r.file.Comma {
		r.point = withPoint(r.point[:0], text)
		number = r.point
	}
	v, fault := parseNumber(number, r.wants[i].Factor(), r.wants[i].Limit())
	if fault != noFault {
		r.faults.Note(fault, r.lineNumber(), r.wants[i].Column, text, func() string { return numberHint(text) })
	}
	c := &b.Columns[i]
	c.Numbers = append(c.Numbers, v)
}

// add adds a time or text to its column. It returns false if the row must be left out.
func (r *lineReader) add(b *Block, i int, text []byte) bool {
	w, c := &r.wants[i], &b.Columns[i]
	if w.Type == Time {
		return r.addTime(w, c, text)
	}
	code := w.Words.CodeOf(text)
	if code < 0 && (code == Pass || w.Required) {
		if code == NoText {
			r.faults.Note(MissingName, r.lineNumber(), w.Column, text, nil)
		}
		return false
	}
	if w.Type == Text {
		c.Codes = append(c.Codes, code)
	}
	return true
}
