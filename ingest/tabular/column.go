package tabular

import "math"

// ColumnType is a type of columns. The values of a column are converted to this type.
type ColumnType uint8

// The types of columns.
const (
	Time   ColumnType = iota // nanoseconds since the epoch
	Text                     // texts, stored as codes (numbers) of a Lexicon
	Names                    // only the set of all texts, not the text of each row
	Number                   // a measured value, at least 0; NaN if missing
)

// A Want is a column to be read. The columns of a row are parsed in the order of the list of wants.
// A row may be left out because of its value in one column. The remaining columns of the row are
// then not parsed. So columns that can exclude a row should come first, and numbers should come
// last.
type Want struct {
	Column string
	Type   ColumnType
	// Required means that rows without a value in the column are left out.
	Required bool
	Words    *Lexicon // for Text and Names: the texts of the column and their codes
	Scale    float64  // for Number: values are multiplied by Scale; 0 means 1
	Most     float64  // for Number: the largest plausible value, after multiplication by Scale; 0 means no limit
}

// Factor returns the factor that values are multiplied by.
func (w *Want) Factor() float64 {
	if w.Scale == 0 {
		return 1
	}
	return w.Scale
}

// Limit returns the largest plausible value, after multiplication by Scale. The result is
// infinite if there is no limit.
func (w *Want) Limit() float64 {
	if w.Most == 0 {
		return math.Inf(1)
	}
	return w.Most
}

// A Block holds some rows. The rows are valid until the next call of [Reader.Next], which uses the
// memory of the block again. To save memory, use one block for all parts of a file.
type Block struct {
	Rows    int
	Columns []Column // columns in the order of the list of wants (Want)
	Limit   int      // largest number of rows; 0 means manyRows
	Scratch any      // memory that the reader of the next part uses again
}

// manyRows is the default for the largest number of rows of a block. The values of this number of
// rows fit into the cache of a processor core.
const manyRows = 8192

// MaxRows returns the largest number of rows of the block.
func (b *Block) MaxRows() int {
	if b.Limit > 0 {
		return b.Limit
	}
	return manyRows
}

// A Column has the values of one column of a block. Only the slice for the type of the
// column is used.
type Column struct {
	Times []int64
	// LaterTimes is used for ambiguous times: local times that occur twice, because clocks are set
	// back. LaterTimes has the later of the two possible times for each ambiguous time, and 0 for all
	// other times. LaterTimes is nil if no time is ambiguous.
	LaterTimes []int64
	Codes      []int32 // codes of the texts; NoText if the row has no text
	Numbers    []float64
}

// CopyRow copies the value of row i to row n.
func (c *Column) CopyRow(n, i int) {
	if c.Times != nil {
		c.Times[n] = c.Times[i]
	}
	if c.LaterTimes != nil {
		c.LaterTimes[n] = c.LaterTimes[i]
	}
	if c.Codes != nil {
		c.Codes[n] = c.Codes[i]
	}
	if c.Numbers != nil {
		c.Numbers[n] = c.Numbers[i]
	}
}

// Shorten keeps the first n rows.
func (c *Column) Shorten(n int) {
	c.Times, c.LaterTimes = c.Times[:min(n, len(c.Times))], c.LaterTimes[:min(n, len(c.LaterTimes))]
	c.Codes, c.Numbers = c.Codes[:min(n, len(c.Codes))], c.Numbers[:min(n, len(c.Numbers))]
}

// SetTime sets the i-th time. If the time is ambiguous, the caller passes both possible times, the
// earlier time first. Otherwise the second time is 0.
func (c *Column) SetTime(i int, ns, again int64) {
	c.Times[i] = ns
	if again != 0 && c.LaterTimes == nil {
		c.LaterTimes = make([]int64, len(c.Times))
	}
	if again != 0 {
		c.LaterTimes[i] = again
	}
}

// Empty removes all rows and allocates memory for the wanted columns.
func (b *Block) Empty(wants []Want) {
	if len(b.Columns) != len(wants) {
		b.Columns = make([]Column, len(wants))
		for i := range wants {
			b.Columns[i].allocate(wants[i].Type, b.MaxRows())
		}
	}
	b.Rows = 0
	for i := range b.Columns {
		c := &b.Columns[i]
		c.Times, c.LaterTimes, c.Codes, c.Numbers = c.Times[:0], nil, c.Codes[:0], c.Numbers[:0]
	}
}

// allocate allocates memory for n values of the given type.
func (c *Column) allocate(as ColumnType, n int) {
	switch as {
	case Time:
		c.Times = make([]int64, 0, n)
	case Text:
		c.Codes = make([]int32, 0, n)
	case Number:
		c.Numbers = make([]float64, 0, n)
	}
}
