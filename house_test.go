package limpet

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostLines is how long a package may be, tests apart: what is longer has two things
// to say.
const mostLines = 1500

// long are the packages that are longer, as they tell one thing at length. None is to
// join them.
var long = []string{
	"cmd/limpet", "evaluate", "page", "raid", "raid/policy", "raid/replay", "record", "simulate/arrays", "simulate/fleet", "simulate/testbench",
	"study/clickhouse", "study/report", "study/survey", "sysstat", "topology",
}

// TestPackagesAreShort counts the lines of every package.
func TestPackagesAreShort(t *testing.T) {
	for pkg, files := range sources(t) {
		lines := 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines += bytes.Count(text, []byte("\n"))
		}
		switch isLong := slices.Contains(long, pkg); {
		case lines > mostLines && !isLong:
			t.Errorf("%s has %d lines, more than %d: find the second thing that it says, and name it", pkg, lines, mostLines)
		case lines <= mostLines && isLong:
			t.Errorf("%s has %d lines by now: take it from the list", pkg, lines)
		}
	}
}

// TestPackagesSayWhatTheyAre looks for the comment of every package, once.
func TestPackagesSayWhatTheyAre(t *testing.T) {
	for pkg, files := range sources(t) {
		var said []string
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if text := f.Doc.Text(); strings.HasPrefix(text, "Package ") || strings.HasPrefix(text, "Command ") {
				said = append(said, path.Base(file))
			}
		}
		switch {
		case len(said) == 0:
			t.Errorf("%s does not say what it is: write a doc.go", pkg)
		case len(said) > 1:
			t.Errorf("%s says what it is in %s: once is enough", pkg, strings.Join(said, " and "))
		}
	}
}

// readsWhole are the packages that may read a file as long as it is: of the kernel,
// which are short, and of tests and trials, which the project wrote itself.
var readsWhole = []string{"cmd/limpet-testbed", "kernel", "kernel/blkprobe/internal/program", "site/sitetest", "testbed/cluster"}

// TestFilesThatPeopleNameEnd sees that a file that somebody names is read through
// bounded.ReadFile: a device or a wrong file has no end that memory would hold.
func TestFilesThatPeopleNameEnd(t *testing.T) {
	for pkg, files := range sources(t) {
		if slices.Contains(readsWhole, pkg) {
			continue
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte("os.ReadFile(")) {
				t.Errorf("%s calls os.ReadFile: call bounded.ReadFile, which says how much such a file may have", file)
			}
		}
	}
}

// sources are the files of every package, tests apart.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" || hasModule(name)) {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			pkg := path.Dir(filepath.ToSlash(name))
			files[pkg] = append(files[pkg], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
