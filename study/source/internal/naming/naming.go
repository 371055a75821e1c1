// Package naming gives records the names of their groups and drives, which are
// made of columns and of paths.
//
// It stands above columns and layout, below source.
package naming

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/study/source/internal/columns"
	"github.com/limpet-storage/limpet/study/source/internal/layout"
)

// A Naming gives the records of a file their names: of groups, or of drives.
// A name is made once of each text, or texts, that it hangs on, and find says
// which number stands for it.
type Naming struct {
	template layout.Template
	find     func(name string) int32
	path     map[string]string
	byPath   bool       // names hang on the path
	words    []*lexicon // of the columns that names hang on
	many     map[[maxFields]int32]int32
	constant int32 // with no column
}

// A lexicon is the texts of a column.
type lexicon struct {
	columns.Lexicon
	column string
	want   int // its place among the wants
}

// maxFields is how many columns a name may be made of.
const maxFields = 4

// New makes names by a template.
func New(t layout.Template, find func(string) int32) *Naming {
	return &Naming{template: t, find: find}
}

// Begin begins a file. Texts mean other names there if the path is part of
// them.
func (n *Naming) Begin(path map[string]string) error {
	ofPath := func(field string) bool { _, ok := path[field]; return ok }
	fields := n.template.Fields()
	byPath := slices.ContainsFunc(fields, ofPath)
	if n.words != nil && !byPath && !n.byPath {
		return nil
	}
	n.path, n.byPath = path, byPath
	n.words, n.many = []*lexicon{}, make(map[[maxFields]int32]int32)
	for _, field := range fields {
		if !ofPath(field) {
			n.words = append(n.words, &lexicon{column: field})
		}
	}
	switch len(n.words) {
	case 0:
		n.constant = n.find(n.fill())
	case 1:
		n.words[0].Code = func(text string) int32 { return n.find(n.fill(text)) }
	}
	if len(n.words) > maxFields {
		return fmt.Errorf("a name is made of %d columns; make it of %d at most", len(n.words), maxFields)
	}
	return nil
}

// OfMany reports whether names are made of several columns, so that only rows
// tell which there are.
func (n *Naming) OfMany() bool { return len(n.words) > 1 }

// fill makes a name of texts, one for each of the columns.
func (n *Naming) fill(texts ...string) string {
	return n.template.Fill(func(field string) string {
		for i, w := range n.words {
			if w.column == field {
				return texts[i]
			}
		}
		return n.path[field]
	})
}

// Wants lists the columns to be read; as says whether rows matter.
func (n *Naming) Wants(wants []columns.Want, as columns.As) []columns.Want {
	if n.OfMany() {
		as = columns.Text
	}
	for _, w := range n.words {
		w.want = len(wants)
		wants = append(wants, columns.Want{Column: w.column, As: as, Required: true, Words: &w.Lexicon})
	}
	return wants
}

// Numbers appends what stands for the names of a block's rows.
func (n *Naming) Numbers(out []int32, b *columns.Block) []int32 {
	if len(n.words) == 1 {
		return append(out, b.Columns[n.words[0].want].Codes[:b.Rows]...)
	}
	for i := range b.Rows {
		number := n.constant
		if n.OfMany() {
			number = n.ofMany(b, i)
		}
		out = append(out, number)
	}
	return out
}

func (n *Naming) ofMany(b *columns.Block, i int) int32 {
	var key [maxFields]int32
	for k, w := range n.words {
		key[k] = b.Columns[w.want].Codes[i]
	}
	number, ok := n.many[key]
	if !ok {
		var texts []string
		for k, w := range n.words {
			texts = append(texts, w.Texts()[key[k]])
		}
		number = n.find(n.fill(texts...))
		n.many[key] = number
	}
	return number
}
