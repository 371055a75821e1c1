package manual

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed topics/*.txt
var texts embed.FS

// Topic is a chapter of reference.
type Topic struct {
	Name    string
	Short   string // what it is about, in a line
	Section int    // of the manual: 5 for formats of files, 7 for the rest
	Text    string
}

// Topics are all of them, in the order of help.
func Topics() []Topic {
	list := []Topic{
		{Name: "topology", Short: "files that say who is whose peer", Section: 5},
		{Name: "tables", Short: "descriptions of CSV and Parquet tables", Section: 5},
		{Name: "feedback", Short: "files of what operators say", Section: 5},
		{Name: "formats", Short: "what limpet reads, prints and writes", Section: 5},
		{Name: "exit-codes", Short: "what the exit codes of limpet mean", Section: 7},
		{Name: "method", Short: "how a verdict comes about, and the words for it", Section: 7},
	}
	for i := range list {
		data, err := texts.ReadFile("topics/" + list[i].Name + ".txt")
		if err != nil {
			panic(err) // it is embedded, or the build is broken
		}
		list[i].Text = string(data)
	}
	return list
}

// Lookup returns the topic of a name.
func Lookup(name string) Topic {
	for _, t := range Topics() {
		if t.Name == name {
			return t
		}
	}
	panic(fmt.Sprintf("there is no topic %q", name)) // a mistake in the program
}

// Plain is the text for a terminal: headings without their mark.
func (t Topic) Plain() string {
	var out strings.Builder
	for _, b := range parse(t.Text) {
		switch b.kind {
		case heading:
			out.WriteString(strings.ToUpper(b.text()) + "\n\n")
		default:
			out.WriteString(strings.Join(b.lines, "\n") + "\n\n")
		}
	}
	return strings.TrimRight(out.String(), "\n")
}
