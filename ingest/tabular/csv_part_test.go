package tabular

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// inParts reads the records of all parts of a text, with their lines.
func inParts(t testing.TB, text string, part int64) (all []string) {
	t.Helper()
	size, before := int64(len(text)), 0
	for from := int64(0); from < size; from += part {
		r, err := newPartReader(strings.NewReader(text), size, from, from+part, ',')
		if err != nil {
			t.Fatal(err)
		}
		next := r.Next
		if from == 0 {
			next = r.Header
		}
		for err = next(); err == nil || err == errQuotes || err == errLong; err = r.Next() {
			all = append(all, fmt.Sprintf("%d %q %v", before+r.Line, r.Record, err))
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		before += r.Lines()
	}
	return all
}

// FuzzParts: however a file is cut, each of its records is read once, in
// order, and under the same line.
func FuzzParts(f *testing.F) {
	f.Add("a,b\n1,2\r\n\n3,4", int64(3))
	f.Add("\ufeffa\n", int64(1))
	f.Add("a,b\n\"x\ny\",2\n3,\"4\n5\"\n", int64(2))
	f.Add("a\n\"x\n1\n2\n", int64(1))
	f.Fuzz(func(t *testing.T, text string, part int64) {
		if part < 1 || len(text) > 1<<10 || strings.Trim(text[:min(1, len(text))], "\r\n") == "" || strings.HasPrefix(text, "\ufeff") && len(text) < 6 {
			return
		}
		if got, want := inParts(t, text, part), inParts(t, text, int64(len(text))); !slices.Equal(got, want) {
			t.Errorf("in parts of %d: %q, want %q", part, got, want)
		}
	})
}

// TestPartWithinField begins parts within quoted fields that run over lines.
func TestPartWithinField(t *testing.T) {
	var b strings.Builder
	b.WriteString("n,text\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%d,\"line one of %d,\n\"\"quoted\"\" 7,8\n\n%s\n\"\n", i, i, strings.Repeat("x,", i%300))
	}
	text := b.String()
	want := inParts(t, text, int64(len(text)))
	if len(want) != 3001 {
		t.Fatalf("%d records", len(want))
	}
	for _, part := range []int64{100_003, 300_007, 500_009} {
		if got := inParts(t, text, part); !slices.Equal(got, want) {
			t.Errorf("in parts of %d: %d records", part, len(got))
		}
	}
}
