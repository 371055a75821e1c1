package formtest

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/state"
)

// TestCompare: a change of the form is refused until the version is raised, and one
// that was raised until the golden is written.
func TestCompare(t *testing.T) {
	now := Form{Golden: "form.txt", Version: 2, Raise: "formVersion", Lines: []state.Field{{Form: "int", By: "a"}, {Form: "text", By: "b"}}}
	for _, tt := range []struct {
		golden string
		update bool
		want   string // in what is said; empty: all is well
	}{
		{"version 2\nint\ntext\n", false, ""},
		{"version 2\nint\ntext\n", true, ""},
		{"version 2\nint\nfloat\n", false, `b writes "text", where line 3 of form.txt has "float"`},
		{"version 2\nint\nfloat\n", true, "raise formVersion"},
		{"version 2\nint\n", false, `b writes "text" beyond line 2`},
		{"version 2\nint\ntext\nint\n", false, `nothing writes line 4 of form.txt, "int"`},
		{"version 1\nint\n", false, "run this test with -update"},
		{"version 1\nint\n", true, ""},
		{"version 1\nint\ntext\n", false, "run this test with -update"},
		{"", false, "run this test with -update"},
		{"", true, ""},
	} {
		got := now.compare(tt.golden, tt.update)
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%q, update %t: %q, want %q", tt.golden, tt.update, got, tt.want)
		}
	}
}

// TestWriter: a field knows who wrote it.
func TestWriter(t *testing.T) {
	n := 1
	o := state.OutlineOf(func(c *state.Codec) { state.Int(c, &n) })
	if want := "internal/state/formtest.TestWriter"; len(o) != 1 || !strings.HasPrefix(o[0].By, want) {
		t.Errorf("%+v, want a field of %s", o, want)
	}
}

// TestByteLines: no byte is left out.
func TestByteLines(t *testing.T) {
	var forms []string
	for _, line := range ByteLines("a row", []byte("limpet journal\nL1")) {
		forms = append(forms, line.Form)
	}
	if got, want := strings.Join(forms, " "), "a row, 17 bytes 6c696d706574206a6f75726e616c0a4c 31"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
