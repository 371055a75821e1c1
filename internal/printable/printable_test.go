package printable

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"fs1/sda":              "fs1/sda",
		"two\nlines\tand tabs": "two\nlines\tand tabs",
		"8 µs ± 1, 3× …":       "8 µs ± 1, 3× …",
		"\x1b[31mred\x1b[0m":   `\x1b[31mred\x1b[0m`,
		"bell\a and \r":        `bell\x07 and \x0d`,
		"latin \xe9":           `latin \xe9`,
		"turned \u202e round":  `turned \u202e round`,
		"\u009b31m":            `\u009b31m`,
		"no\u00a0break":        "no\u00a0break",
	} {
		if got := Text(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestWriter(t *testing.T) {
	var out strings.Builder
	n, err := NewWriter(&out).Write([]byte("a\x1b[2Jb"))
	if n != 6 || err != nil || out.String() != `a\x1b[2Jb` {
		t.Errorf("%d, %v, %q", n, err, out.String())
	}
}

// FuzzWriter: however a text is cut, what comes out is that of the whole.
func FuzzWriter(f *testing.F) {
	f.Add("d\x1b[31m2\u009bx", 3)
	f.Add("2× £\xe2\x82", 2)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		cut = max(0, min(cut, len(text)))
		var out strings.Builder
		w := NewWriter(&out)
		for _, part := range []string{text[:cut], text[cut:], "\n"} {
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if want := Text(text + "\n"); out.String() != want {
			t.Errorf("%q cut at %d: %q, want %q", text, cut, out.String(), want)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[2Jb\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\x07\x08\r\x00") || Text(got) != got {
			t.Errorf("%q: %q", s, got)
		}
	})
}
