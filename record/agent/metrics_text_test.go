package agent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLabels(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"sda", `{device="sda"}`},
		{"", `{device=""}`},
		{`cciss\c0"d0`, `{device="cciss\\c0\"d0"}`},
		{"two\nlines", `{device="two\nlines"}`},
		{"tab\tand µ", "{device=\"tab\tand µ\"}"},
		{"eth\xff0", "{device=\"eth\uFFFD0\"}"},
	} {
		if got := string(labelSet{"device", c.in}.append(nil)); got != c.want {
			t.Errorf("%q: %s, want %s", c.in, got, c.want)
		}
	}
	if got := string(labelSet{"remote", "::1", "side", "dialled"}.append(nil)); got != `{remote="::1",side="dialled"}` {
		t.Errorf("two labels: %s", got)
	}
}

// FuzzLabels reads labels back as the format's description has it: whatever a
// device is called, the line is one line, and says the same.
func FuzzLabels(f *testing.F) {
	f.Add("sda", "eth0")
	f.Add(`\`, `"`)
	f.Add("\n\\n", "\xff\"},x=\"")
	f.Fuzz(func(t *testing.T, a, b string) {
		line := string(labelSet{"a", a, "b", b}.append(nil))
		if strings.Contains(line, "\n") || !utf8.ValidString(line) {
			t.Fatalf("%q is no line of UTF-8", line)
		}
		gotA, rest := readLabel(t, line, `{a="`)
		gotB, rest := readLabel(t, rest, `,b="`)
		if rest != "}" {
			t.Fatalf("%q: %q is left", line, rest)
		}
		for _, c := range [][2]string{{gotA, a}, {gotB, b}} {
			if want := strings.ToValidUTF8(c[1], "\uFFFD"); c[0] != want {
				t.Errorf("%q came back as %q", want, c[0])
			}
		}
	})
}

// readLabel reads a value up to its closing quote.
func readLabel(t *testing.T, text, begin string) (value, rest string) {
	t.Helper()
	text, ok := strings.CutPrefix(text, begin)
	if !ok {
		t.Fatalf("%q does not begin with %q", text, begin)
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return b.String(), text[i+1:]
		case '\\':
			i++
			at := strings.IndexByte(`\"n`, text[i])
			if at < 0 {
				t.Fatalf("%q escapes what needs none", text)
			}
			b.WriteByte("\\\"\n"[at])
		default:
			b.WriteByte(text[i])
		}
	}
	t.Fatalf("%q has no end", text)
	return "", ""
}
