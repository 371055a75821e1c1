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
	if got, want := listOf(t, api, "kind: enum: ["), asTexts(finding.Kinds()); !sameSet(got, want) {
		t.Errorf("server/api/openapi.yaml lists the kinds %q, and there are %q", got, want)
	}
	if got, want := listOf(t, api, "class: enum: ["), asTexts(finding.Classes()); !sameSet(got, want) {
		t.Errorf("server/api/openapi.yaml lists the classes %q, and there are %q", got, want)
	}
	_, row, _ := strings.Cut(words(t, "docs/formats.md"), "| `class` |")
	row, _, _ = strings.Cut(row, "|")
	for _, class := range finding.Classes() {
		if !strings.Contains(row, "`"+string(class)+"`") {
			t.Errorf("docs/formats.md does not list the class %s", class)
		}
	}
	_, rest, _ := strings.Cut(words(t, "docs/reading.md"), "## Which kind ")
	chapter, _, _ := strings.Cut(rest, "## ")
	for _, kind := range finding.Kinds() {
		if name := sentence.KindName(kind); !strings.Contains(chapter, "| "+name) && !strings.Contains(chapter, ", "+name+" |") {
			t.Errorf("docs/reading.md does not say what a %s is", kind)
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

func sameSet(a, b []string) bool {
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}
