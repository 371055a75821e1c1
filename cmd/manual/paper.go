package manual

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// papers holds the short names by which papers are cited, and their full names.
var papers = []struct {
	short *lazyregexp.Regexp
	line  string
}{
	{lazyregexp.New(`\bF10\b`), "F10 is Kasick et al., Black-Box Problem Diagnosis in Parallel File Systems, FAST 2010."},
	{lazyregexp.New(`\bL13\b`), "L13 is Kasick et al., Making Problem Diagnosis Work for Large-Scale, Production\nStorage Systems, LISA 2013."},
	{lazyregexp.New(`\bT16\b`), "T16 is Hao et al., The Tail at Store, FAST 2016."},
}

// NamePapers returns a line with the full name of each paper that a text cites by its short name,
// such as T16.
func NamePapers(text string) string {
	var lines []string
	for _, p := range papers {
		if p.short.MatchString(text) {
			lines = append(lines, p.line)
		}
	}
	return strings.Join(lines, "\n")
}
