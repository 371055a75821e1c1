package limpet

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/limpet-storage/limpet/"

// notRooms are the folders at the root that hold no code of the program. The one Go file of docs
// embeds its pages.
var notRooms = []string{"docs", "examples", "packaging"}

// room is one line of the matrix in ARCHITECTURE.md.
type room struct {
	name      string
	mayImport []string
}

// TestRooms compares the imports of every package with the matrix of rooms in
// ARCHITECTURE.md. A package may import its own room and the rooms that its line names.
func TestRooms(t *testing.T) {
	rooms := roomsOfArchitecture(t)
	for file, imports := range ourImports(t) {
		name, _, inRoom := strings.Cut(file, "/")
		if !inRoom || slices.Contains(notRooms, name) {
			continue
		}
		i := slices.IndexFunc(rooms, func(r room) bool { return r.name == name })
		if i < 0 {
			t.Errorf("%s lies in %s, which is no room of ARCHITECTURE.md", file, name)
			continue
		}
		for _, imported := range imports {
			other, _, _ := strings.Cut(imported, "/")
			if name == "cmd" && imported == "docs" {
				continue // the pages that limpet help shows
			}
			if other != name && !slices.Contains(rooms[i].mayImport, other) {
				t.Errorf("%s imports %s: ARCHITECTURE.md does not allow %s to import %s", file, imported, name, other)
			}
		}
	}
}

// TestRoomsHaveNoCircle checks the matrix itself: a room imports only rooms that stand
// above it, and there are at most twelve.
func TestRoomsHaveNoCircle(t *testing.T) {
	rooms := roomsOfArchitecture(t)
	if len(rooms) > 12 {
		t.Errorf("ARCHITECTURE.md has %d rooms, more than twelve", len(rooms))
	}
	var above []string
	for _, r := range rooms {
		for _, other := range r.mayImport {
			if !slices.Contains(above, other) {
				t.Errorf("%s may import %s, which does not stand above it", r.name, other)
			}
		}
		above = append(above, r.name)
	}
}

// TestFoldersAreRooms checks that every folder at the root is a room or one of notRooms.
func TestFoldersAreRooms(t *testing.T) {
	want := slices.Clone(notRooms)
	for _, r := range roomsOfArchitecture(t) {
		want = append(want, r.name)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		made := e.Name() == "bin" || strings.HasPrefix(e.Name(), "limpet-") // by make, not in git
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !made {
			have = append(have, e.Name())
		}
	}
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("the root has the folders %q, and ARCHITECTURE.md the rooms %q", have, want)
	}
}

// TestVersionOfStates: the table of forms has the versions of saved states of the engine.
func TestVersionOfStates(t *testing.T) {
	source, page := words(t, "engine/save.go"), words(t, "ARCHITECTURE.md")
	m := regexp.MustCompile(`formVersion = (\d+) oldestVersion = (\d+)`).FindStringSubmatch(source)
	if m == nil {
		t.Fatal("engine/save.go does not have formVersion and oldestVersion")
	}
	if line := "| engine state (`engine/save.go`) | " + m[1] + ", " + m[2] + " |"; !strings.Contains(page, line) {
		t.Errorf("ARCHITECTURE.md, Forms and their versions, does not have %q", line)
	}
}

// roomsOfArchitecture reads the matrix: the lines behind <!-- rooms -->, each with a
// room, a sentence, and the rooms that it may import.
func roomsOfArchitecture(t *testing.T) (rooms []room) {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "<!-- rooms -->\n")
	if !ok {
		t.Fatal("ARCHITECTURE.md has no matrix of rooms")
	}
	for _, line := range strings.Split(rest, "\n")[2:] {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			break
		}
		r := room{name: strings.Trim(cells[1], " `")}
		for _, other := range strings.Fields(cells[3]) {
			if other != "–" {
				r.mayImport = append(r.mayImport, other)
			}
		}
		rooms = append(rooms, r)
	}
	return rooms
}

// ourImports lists what each file of the module imports of it, tests and modules of
// their own apart. It reads the files in this process, so that a cached result of the
// test is never stale.
func ourImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" || hasModule(name)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if ours, ok := strings.CutPrefix(imported, module); ok {
				imports[filepath.ToSlash(name)] = append(imports[filepath.ToSlash(name)], ours)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(imports) < 100 {
		t.Fatalf("only %d files were found", len(imports))
	}
	return imports
}

// hasModule reports whether a directory is a module of its own.
func hasModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
