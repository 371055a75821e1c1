package tabular

import (
	"fmt"
	"math"
	"slices"
)

// Keys gives each row of a file a number. Rows with the same values of some fields have the same
// number. A field is a column, or a named part of the file's path. If a combination of values is
// new, Keys calls Keys.find, which returns the number of this combination.
type Keys struct {
	fields []string
	find   func(value func(field string) string) int32
	// IsName reports whether a text is a name. If it is nil, every text is a name. A row is left out if
	// the text in the column of a required field is not a name.
	IsName   func(text string) bool
	Required []string // required fields; nil means all fields
	// If ByRow is true, Keys.find is called only for values that occur in a row. Otherwise
	// Keys.find may be called for every text in the dictionary of a part, even if no row has that
	// text.
	ByRow bool

	path    map[string]string
	byPath  bool         // true if a field is a part of the path
	columns []*keyColumn // columns from which Keys computes the number of a row
	many    map[[maxKeys]int32]int32
	last    [maxKeys]int32 // codes of the last row, by column
	number  int32          // number that Keys gave to the last row
	// numbers is used only if ByRow is true and there is exactly one column. It has the number for
	// each code of the column. Its first element is for the code NoText.
	numbers []int32
	parts   []string                  // for each column: the text for the current call of Keys.find
	value   func(field string) string // the method Keys.valueOf
}

// notComputed marks a number that was not computed yet.
const notComputed = math.MinInt32

// A keyColumn is one of the columns from which Keys computes the number of a row, with its texts.
type keyColumn struct {
	Lexicon
	column string
	want   int // index of the column in the list of columns to be read (Want)
}

// maxKeys is the largest number of columns from which Keys computes the number of a row.
const maxKeys = 8

// NewKeys returns Keys for some fields. The given function returns the number for the values of
// these fields, or a number below 0 for rows without a number. It must always return the same
// number for the same values.
func NewKeys(fields []string, find func(value func(field string) string) int32) *Keys {
	k := &Keys{fields: fields, find: find}
	k.value = k.valueOf
	return k
}

// Begin prepares for the rows of a file. The caller passes the fields of the file's path, with
// their values. The numbers may depend on the path of this file, or on the path of the previous file.
// Begin then discards all numbers, and Keys.find computes them again.
func (k *Keys) Begin(path map[string]string) error {
	ofPath := func(field string) bool { _, ok := path[field]; return ok }
	byPath := slices.ContainsFunc(k.fields, ofPath)
	if k.columns != nil && !byPath && !k.byPath {
		return nil
	}
	k.path, k.byPath = path, byPath
	k.columns, k.many, k.numbers = []*keyColumn{}, make(map[[maxKeys]int32]int32), nil
	for _, field := range k.fields {
		if !ofPath(field) {
			k.columns = append(k.columns, &keyColumn{column: field})
		}
	}
	if len(k.columns) > maxKeys {
		return fmt.Errorf("the name of a component consists of %d columns; use at most %d columns", len(k.columns), maxKeys)
	}
	k.number = NoText
	if len(k.columns) == 0 {
		k.number = k.lookup()
	}
	for i, w := range k.columns {
		w.Code = k.coder(i)
	}
	return nil
}

// coder returns a function that maps a text of the i-th column to its code, which is a number (see
// Lexicon). If there is only one column, and ByRow is not set, the code is the number that Keys
// gives to the row.
func (k *Keys) coder(i int) func(string, int32) int32 {
	required := k.isRequired(k.columns[i].column)
	return func(text string, place int32) int32 {
		switch {
		case required && k.IsName != nil && !k.IsName(text):
			return NoText
		case len(k.columns) == 1 && !k.ByRow:
			return k.lookup(text)
		}
		return place
	}
}

func (k *Keys) isRequired(field string) bool {
	return k.Required == nil || slices.Contains(k.Required, field)
}

// DependsOnSeveral reports whether Keys computes the number of a row from several columns. If it
// does, the text of one column alone does not determine the number.
func (k *Keys) DependsOnSeveral() bool { return len(k.columns) > 1 }

// lookup calls Keys.find with one text for each column, and returns its result.
func (k *Keys) lookup(texts ...string) int32 {
	k.parts = append(k.parts[:0], texts...)
	return k.find(k.value)
}

// valueOf returns the value of a field in the row for which Keys.find is called.
func (k *Keys) valueOf(field string) string {
	for i, w := range k.columns {
		if w.column == field {
			return k.parts[i]
		}
	}
	return k.path[field]
}

// AppendWants appends to `wants` the columns from which Keys computes the number of a row. The
// parameter `kind` is the type of these columns: Text, or Names if the caller does not need the
// number of each row. If there are several such columns, the type is always Text, because only the
// texts of one row together give a number.
func (k *Keys) AppendWants(wants []Want, kind ColumnType) []Want {
	if k.DependsOnSeveral() {
		kind = Text
	}
	for _, w := range k.columns {
		w.want = len(wants)
		wants = append(wants, Want{Column: w.column, Type: kind, Required: k.isRequired(w.column), Words: &w.Lexicon})
	}
	return wants
}

// Numbers appends the number of each row of a block to out.
func (k *Keys) Numbers(out []int32, b *Block) []int32 {
	switch {
	case len(k.columns) == 1 && !k.ByRow:
		return append(out, b.Columns[k.columns[0].want].Codes[:b.Rows]...)
	case len(k.columns) == 1:
		for _, code := range b.Columns[k.columns[0].want].Codes[:b.Rows] {
			out = append(out, k.ofOne(code))
		}
		return out
	}
	for i := range b.Rows {
		if k.DependsOnSeveral() {
			k.ofMany(b, i)
		}
		out = append(out, k.number)
	}
	return out
}

// ofOne returns the number of a row if Keys computes it from one column. The parameter `code` is
// the code in that column.
func (k *Keys) ofOne(code int32) int32 {
	place := int(code - NoText)
	if place < len(k.numbers) && k.numbers[place] != notComputed {
		return k.numbers[place]
	}
	for len(k.numbers) <= place {
		k.numbers = append(k.numbers, notComputed)
	}
	k.numbers[place] = k.lookup(k.texts([maxKeys]int32{code})...)
	return k.numbers[place]
}

// ofMany sets k.number to the number that Keys gives to the i-th row (the number of its combination
// of values, see Keys). Most rows have the same combination as the row before, and therefore the
// same number.
func (k *Keys) ofMany(b *Block, i int) {
	var key [maxKeys]int32
	for n, w := range k.columns {
		key[n] = b.Columns[w.want].Codes[i]
	}
	if key == k.last && k.number != NoText {
		return
	}
	number, ok := k.many[key]
	if !ok {
		number = k.lookup(k.texts(key)...)
		k.many[key] = number
	}
	k.last, k.number = key, number
}

func (k *Keys) texts(key [maxKeys]int32) []string {
	texts := make([]string, len(k.columns))
	for n, w := range k.columns {
		if key[n] != NoText {
			texts[n] = w.Texts()[key[n]]
		}
	}
	return texts
}
