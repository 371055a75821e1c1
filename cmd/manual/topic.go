package manual

import (
	"fmt"

	"github.com/limpet-storage/limpet/docs"
)

// Topic is a page of docs that limpet help and a man page show.
type Topic struct {
	Name    string
	Short   string // one line about the content
	Section int    // section of the manual: 5 for formats of files, 7 for the rest
	Page    string // name of the file in docs
	Text    string // the page, in Markdown
}

// Topics returns all topics, in the order of help.
func Topics() []Topic {
	list := []Topic{
		{Name: "tour", Short: "all pages of the documentation, in order", Section: 7, Page: "README.md"},
		{Name: "reading", Short: "the report of limpet diagnose, line by line", Section: 7, Page: "reading.md"},
		{Name: "decides", Short: "how limpet decides, explained without statistics", Section: 7, Page: "decides.md"},
		{Name: "limits", Short: "what limpet cannot do", Section: 7, Page: "limits.md"},
		{Name: "topology", Short: "topology files, which list components and their peers", Section: 5, Page: "topology-file.md"},
		{Name: "tables", Short: "description files of CSV and Parquet tables", Section: 5, Page: "tables.md"},
		{Name: "feedback", Short: "feedback files, which contain the answers of operators", Section: 5, Page: "feedback.md"},
		{Name: "formats", Short: "what limpet prints and writes", Section: 5, Page: "formats.md"},
		{Name: "exit-codes", Short: "what the exit codes of limpet mean", Section: 7, Page: "exit-codes.md"},
	}
	for i := range list {
		data, err := docs.Pages.ReadFile(list[i].Page)
		if err != nil {
			panic(err) // cannot happen: the page is embedded
		}
		list[i].Text = string(data)
	}
	return list
}

// Lookup returns the topic called name.
func Lookup(name string) Topic {
	for _, t := range Topics() {
		if t.Name == name {
			return t
		}
	}
	panic(fmt.Sprintf("there is no topic %q", name)) // a mistake in the program
}

// Plain returns the text for a terminal.
func (t Topic) Plain() string { return plain(parsePage(t.Text)) }
