package manual

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/docs"
)

// sample has everything that pages of docs use.
const sample = `# What is **it**?

![a picture](demo.png)

A *short* text with ` + "`code_of_it`" + `, and [a link](tables.md) over
two lines.

<!-- bounds -->
| name | what it means |
| --- | --- |
| ` + "`a`" + ` | one |
| ` + "`b|c`" + ` | a cell that is so long that it does not fit beside its name on a terminal of eighty columns |

- first item, which goes on
  in the next line
- second

1. numbered

` + "```console\n$ limpet demo\n\n  indented\n```" + `

    four columns
`

// TestPageOnATerminal compares what a terminal shows.
func TestPageOnATerminal(t *testing.T) {
	const want = `WHAT IS IT?

A short text with code_of_it, and a link (tables.md) over two lines.

name  what it means
----  ------------------------------------------------------------------------
a     one
b|c   a cell that is so long that it does not fit beside its name on a
      terminal of eighty columns

- first item, which goes on in the next line
- second
1. numbered

  $ limpet demo

    indented

    four columns`
	text := strings.ReplaceAll(sample, "b|c", `b\|c`)
	if got := plain(parsePage(text)); got != want {
		t.Errorf("a terminal shows\n%s\nwant\n%s", got, want)
	}
}

// TestPageAsRoff compares the source of a man page.
func TestPageAsRoff(t *testing.T) {
	r := &roff{}
	r.blocks(parsePage("## One\n\ntext\n\n- a - b\n\n| x | y |\n| --- | --- |\n| .TH | 1 |\n"))
	const want = `.SH ONE
.PP
text
.IP \(bu 3
a \- b
.PP
.RS 2
.nf
x    y
\-\-\-  \-
\&.TH  1
.fi
.RE
`
	if got := r.String(); got != want {
		t.Errorf("the man page has\n%s\nwant\n%s", got, want)
	}
}

// TestWideTables checks that a table with more than a terminal holds is stacked, and that no line of
// a table is wider than a terminal.
func TestWideTables(t *testing.T) {
	word := strings.Repeat("w", 30)
	b := block{grid, []string{"| a | b | c |", "| --- | --- | --- |", "| " + word + " | " + word + " | " + word + " |"}}
	lines := b.gridLines()
	if len(lines) != 6 || lines[4] != margin+word {
		t.Errorf("a table of three wide columns is %q", lines)
	}
	for _, cells := range []int{2, 3, 5} {
		row := "|" + strings.Repeat(" some words in a cell |", cells)
		b := block{grid, []string{row, "|" + strings.Repeat(" --- |", cells), row}}
		for _, line := range b.gridLines() {
			if len(line) > columns {
				t.Errorf("%d columns: a line has %d characters: %s", cells, len(line), line)
			}
		}
	}
}

// TestTopicsAreWhole checks that every embedded page is a topic, and that no mark of Markdown is left
// in the prose of a topic.
func TestTopicsAreWhole(t *testing.T) {
	pages, err := docs.Pages.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != len(Topics()) {
		t.Errorf("%d pages are embedded, and there are %d topics", len(pages), len(Topics()))
	}
	for _, topic := range Topics() {
		for _, b := range parsePage(topic.Text) {
			if b.kind != verbatim && b.kind != grid && strings.ContainsAny(b.text(), "`") || strings.Contains(b.text(), "](") && b.kind != verbatim && b.kind != grid {
				t.Errorf("%s shows Markdown: %s", topic.Name, b.text())
			}
		}
	}
}
