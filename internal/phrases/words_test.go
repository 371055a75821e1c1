package phrases

import (
	"regexp"
	"strings"
	"testing"
)

// paperWords are words that only a paper knows. A phrase with such a word has its plain
// word as well.
var paperWords = []struct{ word, plain *regexp.Regexp }{
	// The name of a kind of incident stands in JSON; its meaning names the path.
	{regexp.MustCompile(`(?i)\battachments?\b`), regexp.MustCompile(`(?i)\bpaths?\b|^lost attachment$`)},
	{regexp.MustCompile(`(?i)\bupgrade sets?\b`), regexp.MustCompile(`(?i)installed together`)},
	{regexp.MustCompile(`(?i)\baccumulators?\b`), nil},
	{regexp.MustCompile(`\b[Nn]ats?( |$|-h|\))|nats\b$`), nil},
	{regexp.MustCompile(`(?i)\boctaves?\b`), nil},
	{regexp.MustCompile(`\b(L13|F10|T16)\b`), nil},
	{regexp.MustCompile(`(?i)no such thing`), nil},
}

// ofPapers are the packages and files that compare with papers or simulate what papers
// measured, and may use their words: reports of lab and study, and the commands for them.
var ofPapers = regexp.MustCompile(`^(lab|study)/|^raid/replay/|^cmd/limpet/(evaluate|simulate)|^cmd/limpet-testbed/|^cmd/manual/paper\.go`)

// TestWords finds words that only a paper knows in what operators read.
func TestWords(t *testing.T) {
	book := bookOf(t)
	compared := 0
	for i := range book.Phrases {
		p := &book.Phrases[i]
		file := p.Package + "/" + p.File
		if ofPapers.MatchString(file) || strings.HasPrefix(file, "study") {
			continue
		}
		compared++
		if word := paperWord(p.Own()); word != "" {
			t.Errorf("%s, %s: %q is a word of a paper; add the plain word, or use only that: %s", file, p.Function, word, p.Example())
		}
	}
	if compared < 2000 {
		t.Errorf("only %d phrases were compared", compared)
	}
}

// paperWord returns the first word of a phrase that only a paper knows; empty if there is
// none.
func paperWord(text string) string {
	for _, w := range paperWords {
		if found := w.word.FindString(text); found != "" && (w.plain == nil || !w.plain.MatchString(text)) {
			return strings.TrimSpace(found)
		}
	}
	return ""
}

// TestPaperWord shows which phrases TestWords refuses.
func TestPaperWord(t *testing.T) {
	for text, want := range map[string]string{
		"21.4 nats of evidence":                          "nats",
		"Nat-hours are summed":                           "Nat-h",
		"its distribution lies 1.09 octaves off":         "octaves",
		"fs1 lost 12 attachments":                        "attachments",
		"each path (attachment) from a server to a LUN":  "",
		"lost attachment":                                "",
		"as T16 found it":                                "T16",
		"method f10":                                     "",
		"same model and upgrade set":                     "upgrade set",
		"upgrade set: LUNs that were installed together": "",
		"there is no such thing":                         "no such thing",
		"NATS does not answer: nats://host:4222":         "",
		"write nats: [nats://host:4222]":                 "",
	} {
		if have := paperWord(text); have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}
