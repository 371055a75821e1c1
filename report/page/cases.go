package page

import (
	"errors"
	"fmt"
	"io"
)

// Cases is a list of which one case is open at a time, with its own blocks: the incidents of a
// night, for example. The first case is open until the reader chooses another one with the list,
// its arrow keys, a link or the page's address. Without a script, all cases are shown one after the
// other. The plots of a case are drawn when it is opened, so that a page of fifty cases opens as
// quickly as a page of one.
type Cases struct {
	Label string // heading of the list: "Incidents"
	List  []*Case
	page  *Page
}

// A Case is a section in a list. Its title is the headline, a sentence. Links lead to &c.Section.
type Case struct {
	Section
	Name  string   // name in the list and in the address: a component
	Facts []string // a few words each: since when, how many, how bad
	State string   // one word with its own style: "confirmed"
	Role  Role     // role whose colour shows how severe the case is
}

// Cases appends an empty list of cases to the section.
func (s *Section) Cases(label string) *Cases {
	c := &Cases{Label: label, page: s.page}
	s.Add(c)
	return c
}

// Add appends a case. Like a section, the case may get more blocks later, and links may lead to it
// from anywhere on the page.
func (c *Cases) Add(name, headline string, blocks ...Block) *Case {
	one := &Case{Name: name, Section: Section{Title: headline, Blocks: blocks, page: c.page}}
	c.page.claim(&one.Section, "case-"+slug(name))
	c.List = append(c.List, one)
	return one
}

func (c *Cases) check(p *Page) error {
	if len(c.List) == 0 {
		return fmt.Errorf("the list of cases %q is empty: leave the list out", c.Label)
	}
	var errs []error
	for _, one := range c.List {
		if err := one.check(p); err != nil {
			errs = append(errs, fmt.Errorf("case %q: %w", one.Name, err))
		}
	}
	return errors.Join(errs...)
}

func (c *Case) check(p *Page) error {
	if !c.Role.known() {
		return fmt.Errorf("role number %d is unknown: use a role that role.go defines", c.Role)
	}
	for _, b := range c.Blocks {
		if _, nested := b.(*Cases); nested {
			return errors.New("a case cannot hold another list of cases: put the inner list into its own section")
		}
	}
	return c.Section.check(p)
}

func (c *Cases) write(w io.Writer) error {
	if err := render(w, "cases", c); err != nil {
		return err
	}
	for i, one := range c.List {
		if err := one.write(w, i == 0); err != nil {
			return err
		}
	}
	return render(w, "end cases", nil)
}

func (c *Case) write(w io.Writer, open bool) error {
	err := render(w, "case", struct {
		*Case
		Open bool
	}{c, open})
	if err != nil {
		return err
	}
	if err := c.writeBlocks(w); err != nil {
		return err
	}
	return render(w, "end case", nil)
}
