package phrases

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"
)

var update = flag.Bool("update", false, "write docs/phrases.md")

var collectOnce = sync.OnceValues(func() (*Book, error) { return Collect(repository) })

// repository is the root of the checkout.
var repository string

// bookOf returns the phrases of the repository, which all tests share.
func bookOf(t *testing.T) *Book {
	t.Helper()
	repository = checkout.Path(t, ".")
	book, err := collectOnce()
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// TestPage compares docs/phrases.md with the source.
func TestPage(t *testing.T) {
	book := bookOf(t)
	var page bytes.Buffer
	if err := book.WritePage(&page); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(checkout.Path(t, "docs/phrases.md"), page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have := strings.Split(checkout.Read(t, "docs/phrases.md"), "\n")
	for i, line := range strings.Split(page.String(), "\n") {
		if i >= len(have) || have[i] != line {
			t.Fatalf("docs/phrases.md is not what the source says, from line %d on: %s\nWrite it with: make phrases", i+1, line)
		}
	}
}
