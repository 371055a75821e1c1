package page

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/internal/printable"
)

// Options holds the title and the other general texts of a page.
type Options struct {
	Title    string // heading and window title; must not be empty
	Subtitle string // line below the heading: system, time and method
	Footer   string // line at the end: program that made the page
}

// Validate returns an error if the options are not valid.
func (o Options) Validate() error {
	if o.Title == "" {
		return errors.New("the page has no title: set Options.Title")
	}
	return nil
}

// A Page is a heading and sections, in the order in which they were made.
type Page struct {
	Options
	Sections []*Section
	anchors  map[string]*Section
}

// A Section is a heading and blocks. Cells of tables, tiles of maps and items of timelines can link
// to it.
type Section struct {
	Title  string
	Anchor string // name in the page's address, made from the title
	Blocks []Block
	page   *Page
}

// A Block is a part of a section: [Text], [Warning], [Table], [Dots], [Chart],
// [*Crowd], [Heat], [Map], [Timeline] or [*Cases].
type Block interface {
	// check returns why the block cannot be shown on the page. The error is for the programmer of
	// the caller.
	check(p *Page) error
	// write renders the block, which has passed check.
	write(w io.Writer) error
}

// New returns an empty page. Its options are validated by [Page.Write].
func New(o Options) *Page {
	return &Page{Options: o, anchors: map[string]*Section{}}
}

// Section appends a section. More blocks may be added to it later, so that a
// summary can come first and link to sections made after it.
func (p *Page) Section(title string, blocks ...Block) *Section {
	s := &Section{Title: title, Blocks: blocks, page: p}
	p.claim(s, slug(title))
	p.Sections = append(p.Sections, s)
	return s
}

// Add appends blocks to the section.
func (s *Section) Add(blocks ...Block) {
	s.Blocks = append(s.Blocks, blocks...)
}

// Write writes the page. If anything on the page is invalid, nothing is written.
func (p *Page) Write(w io.Writer) error {
	if err := p.check(); err != nil {
		return fmt.Errorf("internal error: page %q cannot be drawn: %w", p.Title, err)
	}
	out := bufio.NewWriter(printable.NewWriter(w))
	if err := p.write(out); err != nil {
		return fmt.Errorf("page %q cannot be written: %w", p.Title, err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("page %q cannot be written: %w", p.Title, err)
	}
	return nil
}

func (p *Page) check() error {
	if err := p.Validate(); err != nil {
		return err
	}
	var errs []error
	for _, s := range p.Sections {
		if err := s.check(p); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (s *Section) check(p *Page) error {
	var errs []error
	for _, b := range s.Blocks {
		if err := b.check(p); err != nil {
			errs = append(errs, fmt.Errorf("section %q: %w", s.Title, err))
		}
	}
	return errors.Join(errs...)
}

func (p *Page) write(w io.Writer) error {
	if err := render(w, "head", p); err != nil {
		return err
	}
	for _, s := range p.Sections {
		if err := s.write(w); err != nil {
			return err
		}
	}
	return render(w, "foot", p)
}

func (s *Section) write(w io.Writer) error {
	if err := render(w, "section", s); err != nil {
		return err
	}
	if err := s.writeBlocks(w); err != nil {
		return err
	}
	return render(w, "end", nil)
}

func (s *Section) writeBlocks(w io.Writer) error {
	for _, b := range s.Blocks {
		if err := b.write(w); err != nil {
			return err
		}
	}
	return nil
}
