package page

import (
	"strconv"
	"strings"
)

// anchor makes a section's anchor from its title: lower-case letters, digits and
// hyphens, so that it can be read in an address, and a number where another
// section has it already. Identifiers of the page itself begin with an
// underscore and cannot clash.
func (p *Page) anchor(title string) string {
	stem := slug(title)
	name := stem
	for n := 2; p.anchors[name]; n++ {
		name = stem + "-" + strconv.Itoa(n)
	}
	p.anchors[name] = true
	return name
}

// slug keeps a title's ASCII letters and digits and puts one hyphen for any run
// of others.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if len(words) == 0 {
		return "section"
	}
	return strings.Join(words, "-")
}
