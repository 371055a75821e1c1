package visible

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
)

func TestString(t *testing.T) {
	for in, want := range map[string]string{
		"d1 is slow\n\tby 2×": "d1 is slow\n\tby 2×",
		"d\x1b[31m2":          "d␛[31m2",
		"a\rb\x00\a\x7f":      "a␍b␀␇␡",
		"a\u009b31m £\u00a0":  "a\ufffd31m £\u00a0",
	} {
		if got := String(in); got != want {
			t.Errorf("%q is written as %q, want %q", in, got, want)
		}
	}
}

// FuzzWriter: however text is cut, nothing that steers comes out, and text
// without such characters comes out as it is.
func FuzzWriter(f *testing.F) {
	f.Add("d\x1b[31m2\u009bx", 3)
	f.Add("2× £", 2)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		cut = max(0, min(cut, len(text)))
		var b bytes.Buffer
		w := NewWriter(&b)
		for _, part := range []string{text[:cut], text[cut:], "."} {
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		isControl := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
		if strings.ContainsFunc(b.String(), isControl) {
			t.Errorf("%q is written as %q", text, b.String())
		}
		if !strings.ContainsFunc(text, isControl) && b.String() != text+"." {
			t.Errorf("%q is written as %q", text, b.String())
		}
	})
}
