package manual

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// Papers are named in short where they are cited often.
var papers = []struct {
	short *lazyregexp.Regexp
	line  string
}{
	{lazyregexp.New(`\bF10\b`), "F10 is Kasick et al., Black-Box Problem Diagnosis in Parallel File Systems, FAST 2010."},
	{lazyregexp.New(`\bL13\b`), "L13 is Kasick et al., Making Problem Diagnosis Work for Large-Scale, Production\nStorage Systems, LISA 2013."},
	{lazyregexp.New(`\bT16\b`), "T16 is Hao et al., The Tail at Store, FAST 2016."},
}

// NamePapers returns a line for each paper that a text cites in short: nobody should
// have to look up what T16 is.
func NamePapers(text string) string {
	var lines []string
	for _, p := range papers {
		if p.short.MatchString(text) {
			lines = append(lines, p.line)
		}
	}
	return strings.Join(lines, "\n")
}
