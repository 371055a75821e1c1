// Package checkout finds files of the repository for tests of any package. Only tests import it.
package checkout

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file of the repository. The name is relative to the
// root, the directory that has limpet's go.mod: "docs/formats.md".
func Path(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(root(t), filepath.FromSlash(name))
}

// Read returns the text of a file of the repository.
func Read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Shared returns the path of a file in the directory "shared" beside the checkout, which holds data
// that are not part of the repository. If the file does not exist, Shared skips the test and names
// the file.
func Shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(root(t)), "shared", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared/%s is not here", name)
	}
	return path
}

// root returns the directory above the working directory that has limpet's go.mod. Other modules
// inside the repository have a go.mod, too, but no cmd/limpet, so root looks for both.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		_, noModule := os.Stat(filepath.Join(dir, "go.mod"))
		_, noCommand := os.Stat(filepath.Join(dir, "cmd", "limpet"))
		if noModule == nil && noCommand == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("the test does not run in a checkout of limpet")
		}
	}
}
