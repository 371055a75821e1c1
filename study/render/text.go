package render

import (
	"bufio"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// Text writes the result for a screen: the findings as sentences, and the counts of rows that
// were left out.
func Text(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	wrap(out, 0, 2, subject(r.Findings)+", "+span(r.Findings)+parityAside(r.Findings))
	if len(r.Parts) > 0 {
		wrap(out, 0, 0, aboutT16)
	}
	for _, p := range r.Parts {
		textPart(out, p, r.Findings)
		textShares(out, p, r.Findings, r.Pictures)
	}
	if len(r.Parts) == 0 {
		fmt.Fprintf(out, "\n%s\n", nothing)
	}
	fmt.Fprintln(out)
	textAccounts(out, r)
	if len(r.Parts) > 0 {
		fmt.Fprintln(out)
		wrap(out, 0, 0, exactness(r.Findings))
	}
	return out.Flush()
}

// nothing is the text for a result without findings.
const nothing = "No group has 3 busy drives in any hour, so no drives can be compared."

func textPart(w io.Writer, p *study.Part, all *study.Findings) {
	fmt.Fprintf(w, "\n%s: %s in %s, %s\n", capital(noun(p)), english.Thousands(p.Drives), count(p.Groups, "group"), count(p.DriveHours, "drive hour"))
	for _, t := range topics() {
		first := true
		for _, f := range t.figures(p) {
			if !headline(f, all) {
				continue
			}
			if first {
				fmt.Fprintf(w, "  %s\n", t.name)
			}
			first = false
			wrap(w, 4, 6, f.Sentence)
		}
		if t.name == worstTopic {
			for _, table := range t.tables(p) {
				textTable(w, &table)
			}
		}
	}
}

// textTable prints a table, with labels aligned left and numbers aligned right.
func textTable(w io.Writer, t *study.Table) {
	fmt.Fprintf(w, "  %s\n", t.Title)
	rows := [][]string{t.Columns}
	for _, r := range t.Rows {
		cells := []string{r.Label}
		for _, v := range r.Values {
			cells = append(cells, value(v))
		}
		rows = append(rows, cells)
	}
	wide := make([]int, len(t.Columns))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		fmt.Fprintf(w, "    %-*s", wide[0], row[0])
		for i, cell := range row[1:] {
			fmt.Fprintf(w, "  %*s", wide[i+1], cell)
		}
		fmt.Fprintln(w)
	}
}

func textAccounts(w io.Writer, r *Result) {
	if r.Input.Records > 0 {
		textAccount(w, foldedHeading(&r.Input), "the other records were", folded(&r.Input))
	}
	for i := range r.Accounts {
		a := &r.Accounts[i]
		textAccount(w, heading(a, &r.Input), "the others were", leftOut(a))
		for _, l := range counts(groupsOut(a)) {
			wrap(w, 0, 2, capital(l.text)+": "+english.Thousands(l.n))
		}
	}
	if bad := counts(wrong(&r.Input)); len(bad) > 0 {
		textAccount(w, "Rows with errors", "", bad)
		for _, text := range r.Input.First {
			wrap(w, 4, 6, text)
		}
	}
}

// textAccount prints the line whole, and below it the lines whose count is not 0.
func textAccount(w io.Writer, whole, rest string, lines []line) {
	lines = counts(lines)
	switch {
	case len(lines) == 0:
		whole += "."
	case rest != "":
		whole += "; " + rest
	}
	wrap(w, 0, 2, whole)
	for _, l := range lines {
		wrap(w, 2, 4, english.Thousands(l.n)+" "+l.text)
	}
}
