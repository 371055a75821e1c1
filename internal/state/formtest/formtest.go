package formtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/state"
)

// Form is the form of saved bytes that have a version of their own.
type Form struct {
	Golden  string // path of the golden file, which holds the form of the last version
	Version int
	Raise   string // name and file of the constant with the version
	Lines   []state.Field
}

// Check fails the test if the form has changed and its version has not. With update, it writes the
// golden file if the version was raised.
func (f *Form) Check(t *testing.T, update bool) {
	t.Helper()
	golden, err := os.ReadFile(f.Golden)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if wrong := f.compare(string(golden), update); wrong != "" {
		t.Fatal(wrong)
	}
	if !update {
		return
	}
	if err := os.MkdirAll(filepath.Dir(f.Golden), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Golden, []byte(f.text()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare returns an error text if the golden file does not fit the form, or may not be replaced;
// otherwise "".
func (f *Form) compare(golden string, update bool) string {
	head, _, _ := strings.Cut(golden, "\n")
	switch isLast := head == f.head(); {
	case golden == f.text(), update && !isLast:
		return ""
	case isLast:
		return fmt.Sprintf("what is saved has changed (%s), and its version is still %d: raise %s, then run this test with -update",
			f.difference(golden), f.Version, f.Raise)
	default:
		return fmt.Sprintf("%s is of %q, and this is version %d: run this test with -update", f.Golden, head, f.Version)
	}
}

// difference describes the first line in which the golden file differs from the form.
func (f *Form) difference(golden string) string {
	was := strings.Split(strings.TrimSuffix(golden, "\n"), "\n")[1:]
	for i, line := range f.Lines {
		if i >= len(was) {
			return fmt.Sprintf("%s writes %q beyond line %d of %s", line.By, strings.TrimSpace(line.Form), i+1, f.Golden)
		}
		if was[i] != line.Form {
			return fmt.Sprintf("%s writes %q, where line %d of %s has %q", line.By, strings.TrimSpace(line.Form), i+2, f.Golden, strings.TrimSpace(was[i]))
		}
	}
	return fmt.Sprintf("nothing writes line %d of %s, %q", len(f.Lines)+2, f.Golden, strings.TrimSpace(was[len(f.Lines)]))
}

func (f *Form) head() string { return fmt.Sprintf("version %d", f.Version) }

func (f *Form) text() string {
	var b strings.Builder
	b.WriteString(f.head() + "\n")
	for _, line := range f.Lines {
		b.WriteString(line.Form + "\n")
	}
	return b.String()
}
