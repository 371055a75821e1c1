package render

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/limpet-storage/limpet/internal/printable"
)

// DiffFormats returns the formats of WriteDiff, the default first.
func DiffFormats() []string { return []string{"text", "csv"} }

// WriteDiff writes a diff in one of the formats.
func WriteDiff(w io.Writer, format string, d *Diff) error {
	switch format {
	case "text":
		return DiffText(printable.NewWriter(w), d)
	case "csv":
		return DiffCSV(w, d)
	}
	return fmt.Errorf("format %q is unknown: use one of %s", format, strings.Join(DiffFormats(), ", "))
}

// DiffText writes the findings that differ, and then the others.
func DiffText(w io.Writer, d *Diff) error {
	out := bufio.NewWriter(w)
	for i, r := range d.Results {
		wrap(out, 0, 2, fmt.Sprintf("%s: %s, %s", d.Names[i], subject(r.Findings), span(r.Findings)))
	}
	for _, text := range d.warnings() {
		wrap(out, 0, 2, "Note: "+text+".")
	}
	wrap(out, 0, 0, d.byChance())
	list := func(title string, has func(*Change) bool) {
		for i := range d.Changes {
			if c := &d.Changes[i]; has(c) {
				if title != "" {
					fmt.Fprintf(out, "\n%s\n", title)
					title = ""
				}
				wrap(out, 2, 4, c.Sentence())
			}
		}
	}
	list("Findings that differ", func(c *Change) bool { return c.Differ() })
	list("Findings with a difference that chance can explain", func(c *Change) bool { return c.Verdict == Chance && c.headline })
	list("Findings that cannot be compared", func(c *Change) bool { return c.Verdict == Unsure && c.headline })
	return out.Flush()
}

var diffHeader = []string{
	"direction", "kind", "name", "unit", "a", "a_low", "a_high", "b", "b_low", "b_high", "difference", "low", "high", "verdict", "text",
}

// DiffCSV writes every figure that both results have.
func DiffCSV(w io.Writer, d *Diff) error {
	out := csv.NewWriter(w)
	_ = out.Write(diffHeader) // the writer keeps its first error
	for i := range d.Changes {
		c := &d.Changes[i]
		line := []string{c.Direction, c.Kind, c.Name, string(c.Values[0].Unit)}
		for _, v := range []int{0, 1} {
			f := csvLine{value: c.Values[v]}.fields()
			line = append(line, f[8:11]...)
		}
		line = append(line, csvLine{value: c.Difference}.fields()[8:11]...)
		_ = out.Write(append(line, string(c.Verdict), c.Phrase))
	}
	out.Flush()
	return out.Error()
}
