package limpet

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/report/sentence"
)

// TestKindsAreDescribed holds the kinds and classes of findings against the lists of them
// that programs and people read.
func TestKindsAreDescribed(t *testing.T) {
	api := words(t, "server/api/openapi.yaml")
	compareLists(t, "kinds", listOf(t, api, "kind: enum: ["), asTexts(finding.Kinds()))
	compareLists(t, "classes", listOf(t, api, "class: enum: ["), asTexts(finding.Classes()))
	_, row, _ := strings.Cut(words(t, "docs/formats.md"), "| `class` |")
	row, _, _ = strings.Cut(row, "|")
	for _, class := range finding.Classes() {
		if !strings.Contains(row, "`"+string(class)+"`") {
			t.Errorf("docs/formats.md does not list the class %q in the line `class`", class)
		}
	}
	_, rest, _ := strings.Cut(words(t, "docs/reading.md"), "## Which kind ")
	chapter, _, _ := strings.Cut(rest, "## ")
	for _, kind := range finding.Kinds() {
		if name := sentence.KindName(kind); !strings.Contains(chapter, "| "+name) && !strings.Contains(chapter, ", "+name+" |") {
			t.Errorf("docs/reading.md does not say what %q is: add a line to the table of kinds", kind)
		}
	}
}

// words are the words of a file, one space between them.
func words(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// listOf is the first list in a text that begins so.
func listOf(t *testing.T, text, begin string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(text, begin)
	list, _, closed := strings.Cut(rest, "]")
	if !ok || !closed {
		t.Fatalf("there is no %q", begin)
	}
	return strings.Split(list, ", ")
}

func asTexts[T ~string](list []T) (texts []string) {
	for _, one := range list {
		texts = append(texts, string(one))
	}
	return texts
}

// compareLists fails for each text that only one of two lists has: the list of the API, or the list
// of the code.
func compareLists(t *testing.T, what string, api, code []string) {
	t.Helper()
	for _, text := range code {
		if !slices.Contains(api, text) {
			t.Errorf("server/api/openapi.yaml does not list %q among the %s: add it", text, what)
		}
	}
	for _, text := range api {
		if !slices.Contains(code, text) {
			t.Errorf("server/api/openapi.yaml lists %q among the %s, and engine/finding/finding.go does not have it", text, what)
		}
	}
}
