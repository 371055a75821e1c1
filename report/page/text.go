package page

import (
	"errors"
	"io"
	"regexp"
	"strings"
)

// Text is prose. A blank line separates paragraphs.
type Text string

// Warning is prose that must not be overlooked: a limit of the result, and how to remove the limit.
type Warning string

var blankLine = regexp.MustCompile(`\n\s*\n`)

func (t Text) check(*Page) error {
	if strings.TrimSpace(string(t)) == "" {
		return errors.New("the text is empty: leave the text out")
	}
	return nil
}

func (t Text) write(w io.Writer) error { return render(w, "text", t.paragraphs()) }

func (t Text) paragraphs() []string {
	return blankLine.Split(strings.TrimSpace(string(t)), -1)
}

func (t Warning) check(p *Page) error { return Text(t).check(p) }

func (t Warning) write(w io.Writer) error { return render(w, "warning", Text(t).paragraphs()) }
