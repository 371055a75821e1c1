// This file has what readers of tables fill and their callers take: which
// columns are wanted and as what, blocks of typed rows, texts as codes, names
// made of several columns, and what is wrong with rows and values.
//
// It stands below tabular, whose readers of CSV and Parquet share it, and
// opens no file.

package tabular

import "math"

// As says what a column is read as.
type As uint8

// What columns are read as.
const (
	Time   As = iota // nanoseconds since the epoch
	Text             // codes of a Lexicon
	Names            // likewise, but only which texts there are, not in which rows
	Number           // a measured value: at least 0, NaN where there is none
)

// A Want is a column to be read. A row is read in the order of the wants: what
// leaves it out is best asked for first, and numbers last.
type Want struct {
	Column string
	As     As
	// Required rows: one in which the column has no value is left out.
	Required bool
	Words    *Lexicon // of Text and Names
	Scale    float64  // of Number: what a value is multiplied by; 0 stands for 1
	Most     float64  // of Number: the most that is believed, as multiplied; 0: whatever a number may be
}

// Factor is what a value is multiplied by.
func (w *Want) Factor() float64 {
	if w.Scale == 0 {
		return 1
	}
	return w.Scale
}

// Believed is the most that is believed of a value that was multiplied.
func (w *Want) Believed() float64 {
	if w.Most == 0 {
		return math.Inf(1)
	}
	return w.Most
}

// A Block is some rows, valid until the next is read. It keeps its memory: use
// the same for all of a part, and for the next one.
type Block struct {
	Rows    int
	Columns []Column // in the order of the wants
	Limit   int      // of rows, at most; 0: as many as stay in a core's own cache
	Scratch any      // memory of the reader, which it keeps from part to part
}

// manyRows stay in a core's own cache from column to column.
const manyRows = 8192

// MaxRows is how many rows the block takes.
func (b *Block) MaxRows() int {
	if b.Limit > 0 {
		return b.Limit
	}
	return manyRows
}

// A Column of a block has one of these, by what it was read as.
type Column struct {
	Times []int64
	// Again is nil, or has the other time that an ambiguous local time may
	// stand for, the later one, and 0 for all others.
	Again   []int64
	Codes   []int32 // NoText where there is none
	Numbers []float64
}

// Keep moves the i-th row to the n-th place.
func (c *Column) Keep(n, i int) {
	if c.Times != nil {
		c.Times[n] = c.Times[i]
	}
	if c.Again != nil {
		c.Again[n] = c.Again[i]
	}
	if c.Codes != nil {
		c.Codes[n] = c.Codes[i]
	}
	if c.Numbers != nil {
		c.Numbers[n] = c.Numbers[i]
	}
}

// Shorten leaves the first n rows.
func (c *Column) Shorten(n int) {
	c.Times, c.Again = c.Times[:min(n, len(c.Times))], c.Again[:min(n, len(c.Again))]
	c.Codes, c.Numbers = c.Codes[:min(n, len(c.Codes))], c.Numbers[:min(n, len(c.Numbers))]
}

// SetTime puts a time into its place, and Again where it is ambiguous.
func (c *Column) SetTime(i int, ns, again int64) {
	c.Times[i] = ns
	if again != 0 && c.Again == nil {
		c.Again = make([]int64, len(c.Times))
	}
	if again != 0 {
		c.Again[i] = again
	}
}

// Empty makes room for the columns that are wanted.
func (b *Block) Empty(wants []Want) {
	if len(b.Columns) != len(wants) {
		b.Columns = make([]Column, len(wants))
		for i := range wants {
			b.Columns[i].room(wants[i].As, b.MaxRows())
		}
	}
	b.Rows = 0
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
