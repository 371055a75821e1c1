package manual

import "strings"

// papers holds the short names by which papers are cited, and their full names.
var papers = []struct{ short, line string }{
	{"F10", "F10 is Kasick et al., Black-Box Problem Diagnosis in Parallel File Systems, FAST 2010."},
	{"L13", "L13 is Kasick et al., Making Problem Diagnosis Work for Large-Scale, Production\nStorage Systems, LISA 2013."},
	{"T16", "T16 is Hao et al., The Tail at Store, FAST 2016."},
}

// NamePapers returns a line with the full name of each paper that a text cites by its short name,
// such as T16.
func NamePapers(text string) string {
	var lines []string
	for _, p := range papers {
		if cites(text, p.short) {
			lines = append(lines, p.line)
		}
	}
	return strings.Join(lines, "\n")
}

// cites reports whether a text has the short name of a paper as a whole word. It is called for the
// help of all commands when limpet starts, so it uses no regular expression, which would take a third
// of this time.
func cites(text, short string) bool {
	if !strings.Contains(text, short) {
		return false
	}
	for word := range strings.FieldsFuncSeq(text, isBetweenWords) {
		if word == short {
			return true
		}
	}
	return false
}

func isBetweenWords(r rune) bool {
	isWord := r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
	return !isWord
}
