// Package columns reads a few columns of a table, each as what it stands for,
// a block of rows at a time, from Parquet or CSV. It is where the bytes of a
// study are touched for the only time, so it works on typed columns and on
// dictionaries and makes no structs and no strings.
//
// A file is cut into parts, the row groups of Parquet or stretches of plain
// CSV, which can be read side by side and in any order. In the stream it
// stands first, below source; it knows nothing of drives.
package columns

import "fmt"

// As says what a column is read as.
type As uint8

// What columns are read as.
const (
	Time   As = iota // nanoseconds since the epoch
	Text             // codes of a Lexicon
	Names            // likewise, but only which texts there are, not in which rows
	Number           // a measured value: at least 0, NaN where there is none
)

// A Want is a column to be read.
type Want struct {
	Column string
	As     As
	// Required rows: one in which the column has no value is left out.
	Required bool
	Words    *Lexicon // of Text and Names
	Scale    float64  // of Number: what a value is multiplied by; 0 stands for 1
}

// A Block is some rows, valid until the next is read. It keeps its memory: use
// the same for all of a part, and for the next one.
type Block struct {
	Rows    int
	Columns []Column // in the order of the wants
	pages   []decoded
}

// decoded is the memory of a column: a page, and the dictionary of its part.
type decoded struct {
	page    Column
	codes   []int32
	numbers []float32
	times   Column
}

// A Column of a block has one of these, by what it was read as.
type Column struct {
	Times []int64
	// Again is nil, or has the other time that an ambiguous local time may
	// stand for, the later one, and 0 for all others.
	Again   []int64
	Codes   []int32 // NoText where there is none
	Numbers []float32
}

// keep moves the i-th row to the n-th place.
func (c *Column) keep(n, i int) {
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

// A Reader reads the blocks of a part.
type Reader interface {
	// Next reads a block, or returns io.EOF. A block may have no rows.
	Next(*Block) error
	// Rows counts those read so far, the ones left out too: lines of CSV.
	Rows() int64
	Close() error
}

// maxBlock is how many rows are handed on at a time: few enough to stay in a
// core's own cache from column to column.
const maxBlock = 8192

// A BrokenError is a file that cannot be read, or not from some place on.
type BrokenError struct {
	Path, Kind string
	Err        error
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("%s: the %s data cannot be read: %v; write the file again or leave it out", e.Path, e.Kind, e.Err)
}

func (e *BrokenError) Unwrap() error { return e.Err }
