package lines

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestTwin cuts lines as encoding/csv does.
func TestTwin(t *testing.T) {
	for _, line := range []string{"a,b,c", "", ",", "a,,", `"a","b"`, `"a,b",c`, `"a ""b""",c`, `"",""`, ` a , b `, `"""",x`} {
		fields, ok := Cut(nil, []byte(line), ',')
		r := csv.NewReader(strings.NewReader(line + "\n"))
		want, err := r.Read()
		if line == "" {
			want = []string{""}
		} else if err != nil || !ok {
			t.Fatalf("%q: %v, %v", line, ok, err)
		}
		var got []string
		for _, field := range fields {
			got = append(got, string(field))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{`"a`, `"a"b,c`, `a,"b`, `"a""`} {
		if _, ok := Cut(nil, []byte(line), ','); ok {
			t.Errorf("%q was taken", line)
		}
	}
}

func TestSeparator(t *testing.T) {
	for header, want := range map[string]byte{"a": ',', "a,b": ',', "a;b": ';', "a\tb;c\td": '\t', "a,b;c": ','} {
		if got := Separator([]byte(header)); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

// read reads the lines of all parts.
func read(t *testing.T, f Format, text string) (all []string) {
	t.Helper()
	for part := range f.Parts(int64(len(text))) {
		r, err := f.Open(strings.NewReader(text), int64(len(text)), part)
		if err != nil {
			t.Fatal(err)
		}
		for {
			line, err := r.Line()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(line))
		}
		r.Close()
	}
	return all
}

// FuzzParts: however a file is cut, each of its lines is read once, in order.
func FuzzParts(f *testing.F) {
	f.Add("a,b\n1,2\r\n\n3,4", int64(3))
	f.Add("\ufeffa\n", int64(1))
	f.Add("\n\n", int64(1))
	f.Fuzz(func(t *testing.T, text string, part int64) {
		if part < 1 || len(text) > 1<<12 {
			return
		}
		var want []string
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			want = append(want, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		}
		if got := read(t, Format{Unpacked, part}, text); !slices.Equal(got, want) {
			t.Errorf("in parts of %d: %q, want %q", part, got, want)
		}
	})
}
