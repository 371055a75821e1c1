package tabular

import (
	"fmt"
	"math"
	"slices"
)

// Keys numbers the rows of files by the values of some fields, which are columns or
// fields of the path. It calls the function find once for each combination of values.
type Keys struct {
	fields []string
	find   func(value func(field string) string) int32
	// IsName reports whether a text is a name; nil: every text is. A row without a
	// name in a column of the Required fields is left out.
	IsName   func(text string) bool
	Required []string // required fields; nil: all fields
	// ByRow means that a number is computed when a row has it. Otherwise the number may
	// be computed as soon as a text is new, for example in the dictionary of a part.
	ByRow bool

	path   map[string]string
	byPath bool       // numbers depend on the path
	words  []*keyword // columns that numbers depend on
	many   map[[maxKeys]int32]int32
	last   [maxKeys]int32 // the key of the last row, and its number
	number int32
	// numbers holds the numbers by the code of the only column, from NoText on. It is
	// used with ByRow.
	numbers []int32
	asked   []string                  // texts by column, for the present call of find
	value   func(field string) string // valueOf
}

// unasked marks a number that was not computed yet.
const unasked = math.MinInt32

// A keyword has the texts of a column.
type keyword struct {
	Lexicon
	column string
	want   int // index among the wants
}

// maxKeys is the largest number of columns that numbers depend on.
const maxKeys = 8

// NewKeys numbers rows by fields. The function find returns the number of some values,
// below 0 for rows without a number. It must always return the same number for the same
// values.
func NewKeys(fields []string, find func(value func(field string) string) int32) *Keys {
	k := &Keys{fields: fields, find: find}
	k.value = k.valueOf
	return k
}

// Begin begins a file. If a field comes from the path of this file or of the file
// before, it discards all numbers, and the function find computes them again.
func (k *Keys) Begin(path map[string]string) error {
	ofPath := func(field string) bool { _, ok := path[field]; return ok }
	byPath := slices.ContainsFunc(k.fields, ofPath)
	if k.words != nil && !byPath && !k.byPath {
		return nil
	}
	k.path, k.byPath = path, byPath
	k.words, k.many, k.numbers = []*keyword{}, make(map[[maxKeys]int32]int32), nil
	for _, field := range k.fields {
		if !ofPath(field) {
			k.words = append(k.words, &keyword{column: field})
		}
	}
	if len(k.words) > maxKeys {
		return fmt.Errorf("a name is made of %d columns; make it of %d at most", len(k.words), maxKeys)
	}
	k.number = NoText
	if len(k.words) == 0 {
		k.number = k.ask()
	}
	for i, w := range k.words {
		w.Code = k.coder(i)
	}
	return nil
}

// coder returns the function that gives a text of the i-th column its code. With one
// column and without ByRow, the code is the number itself.
func (k *Keys) coder(i int) func(string, int32) int32 {
	required := k.isRequired(k.words[i].column)
	return func(text string, place int32) int32 {
		switch {
		case required && k.IsName != nil && !k.IsName(text):
			return NoText
		case len(k.words) == 1 && !k.ByRow:
			return k.ask(text)
		}
		return place
	}
}

func (k *Keys) isRequired(field string) bool {
	return k.Required == nil || slices.Contains(k.Required, field)
}

// OfMany reports whether numbers depend on several columns, so that only rows have
// numbers.
func (k *Keys) OfMany() bool { return len(k.words) > 1 }

// ask calls find with one text for each column, and returns the number that find
// returns.
func (k *Keys) ask(texts ...string) int32 {
	k.asked = append(k.asked[:0], texts...)
	return k.find(k.value)
}

// valueOf returns the value of a field, for the present call of find.
func (k *Keys) valueOf(field string) string {
	for i, w := range k.words {
		if w.column == field {
			return k.asked[i]
		}
	}
	return k.path[field]
}

// Wants appends the columns of the keys. As is Text, or Names where rows do not matter.
func (k *Keys) Wants(wants []Want, as As) []Want {
	if k.OfMany() {
		as = Text
	}
	for _, w := range k.words {
		w.want = len(wants)
		wants = append(wants, Want{Column: w.column, As: as, Required: k.isRequired(w.column), Words: &w.Lexicon})
	}
	return wants
}

// Numbers appends the numbers of the rows of a block.
func (k *Keys) Numbers(out []int32, b *Block) []int32 {
	switch {
	case len(k.words) == 1 && !k.ByRow:
		return append(out, b.Columns[k.words[0].want].Codes[:b.Rows]...)
	case len(k.words) == 1:
		for _, code := range b.Columns[k.words[0].want].Codes[:b.Rows] {
			out = append(out, k.ofOne(code))
		}
		return out
	}
	for i := range b.Rows {
		if k.OfMany() {
			k.ofMany(b, i)
		}
		out = append(out, k.number)
	}
	return out
}

// ofOne returns the number of a row by the code of its only column.
func (k *Keys) ofOne(code int32) int32 {
	place := int(code - NoText)
	if place < len(k.numbers) && k.numbers[place] != unasked {
		return k.numbers[place]
	}
	for len(k.numbers) <= place {
		k.numbers = append(k.numbers, unasked)
	}
	k.numbers[place] = k.ask(k.texts([maxKeys]int32{code})...)
	return k.numbers[place]
}

// ofMany sets the number of a row, which is mostly that of the row before.
func (k *Keys) ofMany(b *Block, i int) {
	var key [maxKeys]int32
	for n, w := range k.words {
		key[n] = b.Columns[w.want].Codes[i]
	}
	if key == k.last && k.number != NoText {
		return
	}
	number, ok := k.many[key]
	if !ok {
		number = k.ask(k.texts(key)...)
		k.many[key] = number
	}
	k.last, k.number = key, number
}

func (k *Keys) texts(key [maxKeys]int32) []string {
	texts := make([]string, len(k.words))
	for n, w := range k.words {
		if key[n] != NoText {
			texts[n] = w.Texts()[key[n]]
		}
	}
	return texts
}
