package tabular

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// A pageColumn decodes one column of a row group, one page at a time. The schema does not determine
// the storage of a page. Some writers make every column optional, store integers in a wider type, or
// use a dictionary only for some pages. So each page is decoded by the physical type of its values.
type pageColumn struct {
	want     *Want
	watch    *Clock
	unsigned bool
	divisor  float64 // divisor of decimals; 1 if the column has no decimals
	tick     int64   // unit of timestamps in ns; 0 if the column has no timestamps
	local    bool    // true if timestamps are local times

	chunk     parquet.ColumnChunk
	pages     parquet.Pages
	next      int // index in the page of the first row that was not taken yet
	lastTaken int // number of rows that were taken last
	rows      int // number of rows of the page
	*decoded

	dictionary parquet.Dictionary // dictionary whose values are in pageColumn.decoded
	faults     []Fault            // for each index in the dictionary: fault of the number; nil if no number has a fault
	lacksRows  bool               // true if rows of the page may have to be left out
	levels     []byte             // for each row of the page: definition level, 0 for a null; nil if the page has no null
	wrong      []wrongValue       // wrong values of the page, sorted by row

	valuesBefore int // number of values of the page up to the last wrong value, including this wrong value
}

// decoded holds the decoded values of a column: the values of a page, and the values of the
// dictionary.
type decoded struct {
	page    Column
	codes   []int32
	numbers []float64
	times   Column
}

// A wrongValue is a value with a fault.
type wrongValue struct {
	row   int // index of the row in the page
	fault Fault
	text  string
}

func newPageColumn(w *Want, leaf parquet.LeafColumn, watch *Clock) (*pageColumn, error) {
	c := &pageColumn{want: w, watch: watch, divisor: 1, decoded: &decoded{}}
	t := leaf.Node.Type()
	if logical := t.LogicalType(); logical != nil {
		c.annotate(logical.Value)
	}
	if w.Type == Number && c.tick != 0 || !readable(w.Type, t.Kind(), c.divisor != 1) {
		return nil, fmt.Errorf("column %s has the type %s, which limpet does not read; write the column as %s", w.Column, t, readableTypes[w.Type])
	}
	return c, nil
}

func (c *pageColumn) annotate(logical format.LogicalTypeValue) {
	switch t := logical.(type) {
	case *format.IntType:
		c.unsigned = !t.IsSigned
	case *format.DecimalType:
		c.divisor = math.Pow10(int(t.Scale))
	case *format.DateType:
		c.tick = int64(24 * time.Hour)
	case *format.TimestampType:
		c.tick, c.local = int64(t.Unit.Value.Duration()), !t.IsAdjustedToUTC
	}
}

// readableTypes has the types of Parquet that limpet can read, for each type of a wanted column
// (Want.Type). It is used in messages.
var readableTypes = [...]string{Time: "TIMESTAMP, INT64 or STRING", Text: "STRING or INT64", Names: "STRING or INT64", Number: "INT64, DOUBLE or STRING"}

func readable(as ColumnType, kind parquet.Kind, decimal bool) bool {
	switch kind {
	case parquet.Int32, parquet.Int64, parquet.Float, parquet.Double:
		return true
	case parquet.ByteArray:
		return !decimal
	case parquet.Boolean:
		return as == Text || as == Names
	case parquet.Int96:
		return as == Time
	}
	return false
}

// rowsLeft returns the number of decoded rows that the method take has not returned yet.
func (c *pageColumn) rowsLeft() int { return c.rows - c.next }

// decodeNext decodes the next page if the method take has returned all decoded rows.
func (c *pageColumn) decodeNext() error {
	for c.rowsLeft() == 0 {
		if c.pages == nil {
			c.pages = c.chunk.Pages()
		}
		page, err := c.pages.ReadPage()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		c.decode(page)
		parquet.Release(page)
	}
	return nil
}

func (c *pageColumn) close() {
	if c.pages != nil {
		c.pages.Close()
	}
}

// take returns the next n rows, without a copy.
func (c *pageColumn) take(n int) Column {
	from, to := c.next, c.next+n
	c.next, c.lastTaken = to, n
	return slice(&c.page, from, to)
}

// wrongAt returns the wrong value in row i of the rows that were taken last. If the value is right,
// the fault of the result is noFault.
func (c *pageColumn) wrongAt(i int) wrongValue {
	row := c.next - c.lastTaken + i
	at := sort.Search(len(c.wrong), func(k int) bool { return c.wrong[k].row >= row })
	if at < len(c.wrong) && c.wrong[at].row == row {
		return c.wrong[at]
	}
	return wrongValue{fault: noFault}
}

// slice returns some rows of a column, without a copy.
func slice(c *Column, from, to int) Column {
	var s Column
	if c.Times != nil {
		s.Times = c.Times[from:to]
	}
	if c.LaterTimes != nil {
		s.LaterTimes = c.LaterTimes[from:to]
	}
	if c.Codes != nil {
		s.Codes = c.Codes[from:to]
	}
	if c.Numbers != nil {
		s.Numbers = c.Numbers[from:to]
	}
	return s
}

// decode decodes all rows of a page.
func (c *pageColumn) decode(page parquet.Page) {
	if d := page.Dictionary(); d != nil && d != c.dictionary {
		c.dictionary = d
		c.convertDictionary(d.Page().Data(), d.Len())
	}
	nulls := int(page.NumNulls())
	c.next, c.rows, c.levels, c.wrong = 0, int(page.NumRows()), nil, c.wrong[:0]
	if nulls > 0 {
		c.levels = page.DefinitionLevels()
	}
	n := c.rows - nulls
	indexed := page.Dictionary() != nil
	switch c.want.Type {
	case Time:
		c.page.Times, c.page.LaterTimes = slices.Grow(c.page.Times[:0], c.rows)[:n], nil
		c.decodeTimes(page.Data(), indexed)
		c.page.Times = spread(c.page.Times, c.levels, NoTime)
		c.page.LaterTimes = spread(c.page.LaterTimes, c.levels, 0)
	case Number:
		c.page.Numbers = slices.Grow(c.page.Numbers[:0], c.rows)[:n]
		c.decodeNumbers(page.Data(), indexed)
		c.page.Numbers = spread(c.page.Numbers, c.levels, math.NaN())
	default:
		c.page.Codes = slices.Grow(c.page.Codes[:0], c.rows)[:n]
		c.decodeTexts(page.Data(), indexed)
		c.page.Codes = spread(c.page.Codes, c.levels, NoText)
	}
	c.lacksRows = c.mayLackRows(indexed)
}

// mayLackRows reports whether some rows of the page may have to be left out. A row is left out if it
// lacks a required value or has the code Pass.
func (c *pageColumn) mayLackRows(indexed bool) bool {
	codes := c.page.Codes
	if indexed {
		codes = c.codes
	}
	switch c.want.Type {
	case Number:
		return false
	case Time:
		return c.want.Required && (c.levels != nil || len(c.wrong) > 0)
	}
	return c.want.Required && (c.levels != nil || slices.Contains(codes, NoText)) || slices.Contains(codes, Pass)
}

// spread moves each value to its row. A row without a value gets the value `null`. The definition
// level levels[i] is 0 if row i has no value. If `levels` is nil, all rows have a value.
func spread[T any](values []T, levels []byte, null T) []T {
	if levels == nil || values == nil {
		return values
	}
	i := len(values) - 1
	values = slices.Grow(values, len(levels))[:len(levels)]
	for row := len(levels) - 1; row >= 0; row-- {
		if levels[row] == 0 {
			values[row] = null
			continue
		}
		values[row] = values[i]
		i--
	}
	return values
}

// convertDictionary converts the n values of a dictionary to the type of the column (Want.Type).
func (c *pageColumn) convertDictionary(values encoding.Values, n int) {
	switch c.want.Type {
	case Time:
		c.times = Column{Times: make([]int64, n)}
		c.readTimes(&c.times, values)
	case Number:
		c.numbers, c.faults = slices.Grow(c.numbers[:0], n)[:n], nil
		c.readNumbers(c.numbers, values, func(i int, fault Fault) {
			if c.faults == nil {
				c.faults = slices.Repeat([]Fault{noFault}, n)
			}
			c.faults[i] = fault
		})
	default:
		c.codes = slices.Grow(c.codes[:0], n)[:n]
		c.readTexts(c.codes, values)
	}
}

// readNames reads the texts of the dictionary. It returns false if the column may have
// texts that are not in the dictionary.
func (c *pageColumn) readNames(encodings []format.PageEncodingStats) (bool, error) {
	if !allIndexed(encodings) {
		return false, nil
	}
	pages, ok := c.chunk.Pages().(*parquet.FilePages)
	if !ok {
		return false, nil
	}
	defer pages.Close()
	d, err := pages.ReadDictionary()
	if err != nil || d == nil {
		return false, err
	}
	c.convertDictionary(d.Page().Data(), d.Len())
	return true, nil
}

// allIndexed reports whether all data pages use the dictionary. A writer stops using a
// dictionary that has grown too large.
func allIndexed(encodings []format.PageEncodingStats) bool {
	for _, e := range encodings {
		isData := e.PageType == format.DataPage || e.PageType == format.DataPageV2
		if isData && e.Encoding != format.PlainDictionary && //nolint:staticcheck // old files have the encoding PlainDictionary
			e.Encoding != format.RLEDictionary {
			return false
		}
	}
	return len(encodings) > 0
}
