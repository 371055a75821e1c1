package tabular

import (
	"fmt"
	"math"
	"slices"
)

// Keys gives the rows of files numbers by what some fields hold: columns, or
// fields that the path has. A number is asked for once of each text, or texts,
// that it hangs on.
type Keys struct {
	fields []string
	find   func(value func(field string) string) int32
	// IsName, where there is one, says which texts are names. A row without
	// a name in a column of the Required fields is left out.
	IsName   func(text string) bool
	Required []string // nil: all
	// ByRow asks for a number when a row has it. Otherwise it may be asked
	// for when a text comes up, in the dictionary of a part, say.
	ByRow bool

	path   map[string]string
	byPath bool       // numbers hang on the path
	words  []*keyword // of the columns that numbers hang on
	many   map[[maxKeys]int32]int32
	last   [maxKeys]int32 // the key of the last row, and its number
	number int32
	// numbers by the code of the only column, from NoText on, where rows
	// ask for them.
	numbers []int32
	asked   []string                  // texts by column, while their number is asked for
	value   func(field string) string // valueOf
}

// unasked is a number that is not known yet.
const unasked = math.MinInt32

// A keyword is the texts of a column.
type keyword struct {
	Lexicon
	column string
	want   int // its place among the wants
}

// maxKeys is how many columns numbers may hang on.
const maxKeys = 8

// NewKeys numbers rows by fields. What find is asked for stays as it is, and
// it may return a number below 0 for a row that has none.
func NewKeys(fields []string, find func(value func(field string) string) int32) *Keys {
	k := &Keys{fields: fields, find: find}
	k.value = k.valueOf
	return k
}

// Begin begins a file. Texts mean other numbers there if the path is part of
// them.
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

// coder says what the code of a text of the i-th column is: the number itself
// where there is but one column and no need to wait for rows.
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

// OfMany reports whether numbers hang on several columns, so that only rows
// tell which there are.
func (k *Keys) OfMany() bool { return len(k.words) > 1 }

// ask asks for the number of texts, one for each of the columns.
func (k *Keys) ask(texts ...string) int32 {
	k.asked = append(k.asked[:0], texts...)
	return k.find(k.value)
}

// valueOf is what a field holds in the row that a number is asked for.
func (k *Keys) valueOf(field string) string {
	for i, w := range k.words {
		if w.column == field {
			return k.asked[i]
		}
	}
	return k.path[field]
}

// Wants lists the columns to be read; as says whether rows matter.
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

// Numbers appends those of a block's rows.
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

// ofOne finds the number of a row by the code of its only column.
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

// ofMany finds the number of a row, which is mostly that of the row before.
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
