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
	"strconv"
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

// TestPackagesSayWhatTheyAre sees that every package has a doc.go with its comment
// and nothing else, and that none of its other files has a comment of the package.
func TestPackagesSayWhatTheyAre(t *testing.T) {
	for pkg, files := range sources(t) {
		if doc := path.Join(pkg, "doc.go"); !slices.Contains(files, doc) {
			t.Errorf("%s does not say what it is: write %s", pkg, doc)
		}
		for _, file := range files {
			if wrong := wrongDoc(t, file); wrong != "" {
				t.Errorf("%s %s", file, wrong)
			}
		}
	}
}

// wrongDoc says what is wrong with the comment before the package clause of a file.
func wrongDoc(t *testing.T, file string) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	begin := "Package " + f.Name.Name + " "
	if f.Name.Name == "main" {
		begin = "Command " + path.Base(path.Dir(filepath.ToSlash(file))) + " "
	}
	switch isDoc := path.Base(file) == "doc.go"; {
	case !isDoc && f.Doc != nil:
		return "has a comment of its package: that goes into doc.go alone"
	case isDoc && !strings.HasPrefix(f.Doc.Text(), begin):
		return "has no comment that begins with " + strconv.Quote(begin)
	case isDoc && len(f.Decls) > 0:
		return "has code: it goes into another file"
	}
	return ""
}

// readsWhole are the packages that may read a file as long as it is: of the kernel,
// which are short, and of tests and trials, which the project wrote itself.
var readsWhole = []string{"cmd/limpet-testbed", "kernel", "kernel/blkprobe/internal/program", "site/sitetest", "state/formtest", "testbed/cluster"}

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
