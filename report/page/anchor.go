package page

import (
	"fmt"
	"strconv"
	"strings"
)

// claim gives a section its anchor: a stem of lower-case letters, digits and
// hyphens, so that it can be read in an address, and a number where another
// section has it already. Identifiers of the page itself begin with an
// underscore and cannot clash.
func (p *Page) claim(s *Section, stem string) {
	s.Anchor = stem
	for n := 2; p.anchors[s.Anchor] != nil; n++ {
		s.Anchor = stem + "-" + strconv.Itoa(n)
	}
	p.anchors[s.Anchor] = s
}

// checkLink says whether a link can lead to a section; to nil, it leads nowhere.
func (p *Page) checkLink(to *Section) error {
	if to != nil && p.anchors[to.Anchor] != to {
		return fmt.Errorf("has a link to section %q, which is on another page", to.Title)
	}
	return nil
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
