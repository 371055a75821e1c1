package limpet

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// namedPath finds a path of the repository between backquotes: `engine/save.go`.
var namedPath = regexp.MustCompile("`([a-z][a-z0-9_-]*(?:/[A-Za-z0-9_.-]+)+)(?:/…)?`")

// namedPackage finds a package in a command: go test ./engine/detect/slow.
var namedPackage = regexp.MustCompile(`(?m)(?:^|[\s"'])\./([a-z][a-z0-9_/-]*)`)

// TestCommandsNamePackagesThatExist checks the packages in the commands of the Makefile
// and of the docs.
func TestCommandsNamePackagesThatExist(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "Makefile", "README.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, "$(GO) ") && !strings.Contains(line, "go test") && !strings.Contains(line, "go run") && !strings.Contains(line, "for f in") {
				continue
			}
			for _, m := range namedPackage.FindAllStringSubmatch(line, -1) {
				if _, err := os.Stat(path.Clean(m[1])); err != nil {
					t.Errorf("%s names ./%s, which does not exist: %s", page, m[1], strings.TrimSpace(line))
				}
			}
		}
	}
}

// TestDocsNameFilesThatExist checks every path that the pages for developers name: a
// page that sends its reader to a file that has moved is worse than none.
func TestDocsNameFilesThatExist(t *testing.T) {
	var rooms []string
	for _, r := range roomsOfArchitecture(t) {
		rooms = append(rooms, r.name)
	}
	for _, page := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		found := namedPath.FindAllStringSubmatch(string(text), -1)
		if len(found) < 10 {
			t.Errorf("%s names only %d paths", page, len(found))
		}
		for _, m := range found {
			if first, _, _ := strings.Cut(m[1], "/"); !slices.Contains(rooms, first) && !slices.Contains(notRooms, first) {
				continue // of a dependency, or an example of something else
			}
			if strings.Contains(m[1], "NAME") {
				continue // a file that the reader is to write
			}
			if _, err := os.Stat(path.Clean(m[1])); err != nil {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
}
