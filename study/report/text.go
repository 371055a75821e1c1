package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/limpet-storage/limpet/study/finding"
)

// Text writes what belongs on a screen: the findings as sentences, and what was
// left out.
func Text(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s, %s\n", subject(r.Findings), span(r.Findings))
	for _, p := range r.Parts {
		textPart(out, p, r.Findings)
	}
	if len(r.Parts) == 0 {
		fmt.Fprintf(out, "\nNo hour of any group has 3 drives at work: there is nothing to compare.\n")
	}
	fmt.Fprintln(out)
	textAccounts(out, r)
	if len(r.Parts) > 0 {
		fmt.Fprintf(out, "\n%s\n", exactness(r.Findings))
	}
	return out.Flush()
}

func textPart(w io.Writer, p *finding.Part, all *finding.Findings) {
	fmt.Fprintf(w, "\n%s: %s in %s, %s\n", capital(noun(p)), thousands(p.Drives), counted(p.Groups, "group"), counted(p.DriveHours, "drive hour"))
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
			fmt.Fprintf(w, "    %s\n", f.Sentence)
		}
	}
}

func textAccounts(w io.Writer, r *Result) {
	for i := range r.Accounts {
		a := &r.Accounts[i]
		out := counts(leftOut(a))
		end := "."
		if len(out) > 0 {
			end = "; left out are"
		}
		fmt.Fprintf(w, "%s%s\n", heading(a), end)
		for _, l := range out {
			fmt.Fprintf(w, "  %s %s\n", thousands(l.n), l.text)
		}
		if others := counts(groupsOut(a)); len(others) > 0 {
			for _, l := range others {
				fmt.Fprintf(w, "%s: %s\n", capital(l.text), thousands(l.n))
			}
		}
	}
	if bad := counts(wrong(&r.Input)); len(bad) > 0 {
		fmt.Fprintf(w, "Rows with something wrong\n")
		for _, l := range bad {
			fmt.Fprintf(w, "  %s %s\n", thousands(l.n), l.text)
		}
		for _, text := range r.Input.First {
			fmt.Fprintf(w, "    %s\n", text)
		}
	}
}

// capital makes a word the first of a line.
func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
