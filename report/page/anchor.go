package page

import (
	"fmt"
	"strconv"
	"strings"
)

// claim gives a section its anchor: a stem of lower-case letters, digits and hyphens, which is
// readable in an address. If another section already has the stem, a number is added. Identifiers
// of the page itself begin with an underscore and cannot clash.
func (p *Page) claim(s *Section, stem string) {
	s.Anchor = stem
	for n := 2; p.anchors[s.Anchor] != nil; n++ {
		s.Anchor = stem + "-" + strconv.Itoa(n)
	}
	p.anchors[s.Anchor] = s
}

// checkLink returns an error if a link leads to a section of another page. A nil link leads
// nowhere, and is no error.
func (p *Page) checkLink(to *Section) error {
	if to != nil && p.anchors[to.Anchor] != to {
		return fmt.Errorf("has a link to section %q, which is on another page", to.Title)
	}
	return nil
}

// slug returns a title in lower case, with its ASCII letters and digits. Each run of other
// characters becomes one hyphen.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if len(words) == 0 {
		return "section"
	}
	return strings.Join(words, "-")
}
