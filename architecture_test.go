package limpet

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/limpet-storage/limpet/"

// TestImports holds every import of ours against the table in ARCHITECTURE.md.
// Files are read in this process, so that a cached result is never stale.
func TestImports(t *testing.T) {
	allowed := importTable(t)
	imports := ourImports(t)
	for pkg := range allowed {
		if _, ok := imports[pkg]; !ok {
			t.Errorf("ARCHITECTURE.md has a line for %s, which is no package", pkg)
		}
	}
	for pkg, list := range imports {
		may, ok := allowed[pkg]
		if !ok {
			t.Errorf("package %s has no line in the table of ARCHITECTURE.md", pkg)
		}
		for _, imported := range list {
			if !slices.Contains(may, imported) && !slices.Contains(may, "everything") {
				t.Errorf("%s imports %s, which the table of ARCHITECTURE.md does not allow", pkg, imported)
			}
		}
	}
}

// TestImportsPointUp checks that a package imports only what stands above it.
func TestImportsPointUp(t *testing.T) {
	var above []string
	for _, line := range tableLines(t) {
		for _, imported := range line.may {
			if imported != "everything" && !slices.Contains(above, imported) {
				t.Errorf("%s may import %s, which does not stand above it", line.pkg, imported)
			}
		}
		if slices.Contains(above, line.pkg) {
			t.Errorf("%s has two lines", line.pkg)
		}
		above = append(above, line.pkg)
	}
}

type tableLine struct {
	pkg string
	may []string
}

func tableLines(t *testing.T) []tableLine {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "<!-- imports -->\n")
	if !ok {
		t.Fatal("ARCHITECTURE.md has no table of imports")
	}
	var lines []tableLine
	for _, row := range strings.Split(rest, "\n")[2:] {
		cells := strings.Split(row, "|")
		if len(cells) < 5 {
			break
		}
		line := tableLine{pkg: strings.Trim(cells[1], " `")}
		if may := strings.TrimSpace(cells[3]); may != "nothing" {
			line.may = strings.Split(may, ", ")
		}
		lines = append(lines, line)
	}
	if len(lines) < 10 {
		t.Fatalf("the table of imports has %d lines", len(lines))
	}
	return lines
}

func importTable(t *testing.T) map[string][]string {
	table := map[string][]string{}
	for _, line := range tableLines(t) {
		table[line.pkg] = line.may
	}
	return table
}

// ourImports lists for each package which of ours its files import, tests left
// out.
func ourImports(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || hasModule(name)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "doc.go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(name))
		if _, ok := imports[pkg]; !ok {
			imports[pkg] = nil
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if ours, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(imports[pkg], ours) {
				imports[pkg] = append(imports[pkg], ours)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

// hasModule says whether a directory is a module of its own.
func hasModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
