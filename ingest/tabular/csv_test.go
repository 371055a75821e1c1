package tabular

import (
	"bytes"
	plain "encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// records reads everything: the fields of each record, or the error of a line
// left out, each with its line.
func records(t testing.TB, src io.Reader, separator byte) []string {
	t.Helper()
	r := newReader(src, separator)
	var all []string
	for {
		err := r.Next()
		switch {
		case err == io.EOF:
			return all
		case err == errQuotes || err == errLong:
			all = append(all, fmt.Sprintf("%d %v", r.Line, err))
		case err != nil:
			t.Fatal(err)
		default:
			all = append(all, fmt.Sprintf("%d %q", r.Line, fields(r)))
		}
	}
}

// fields are those of the record last read.
func fields(r *reader) [][]byte {
	var all [][]byte
	for i := range r.Fields() {
		all = append(all, r.Field(i))
	}
	return all
}

func TestNext(t *testing.T) {
	tests := map[string]struct {
		in   string
		want []string
	}{
		"plain":              {"a,b\nc,d\n", []string{`1 ["a" "b"]`, `2 ["c" "d"]`}},
		"no last newline":    {"a,b\nc,d", []string{`1 ["a" "b"]`, `2 ["c" "d"]`}},
		"carriage returns":   {"a,b\r\nc,\"d\"\r\n", []string{`1 ["a" "b"]`, `2 ["c" "d"]`}},
		"empty lines":        {"\n\na\n\r\n\nb\n", []string{`3 ["a"]`, `6 ["b"]`}},
		"empty fields":       {",\n,,\n", []string{`1 ["" ""]`, `2 ["" "" ""]`}},
		"quoted":             {"\"a\",b,\"c\"\n", []string{`1 ["a" "b" "c"]`}},
		"quoted empty":       {"\"\",\"\"\n", []string{`1 ["" ""]`}},
		"quoted separator":   {"\"a,b\",c\n", []string{`1 ["a,b" "c"]`}},
		"doubled quote":      {"\"a\"\"b\",c\n\"\"\"\"\n", []string{`1 ["a\"b" "c"]`, `2 ["\""]`}},
		"quoted newline":     {"\"a\nb\",c\nd,e\n", []string{`1 ["a\nb" "c"]`, `3 ["d" "e"]`}},
		"quoted crlf":        {"\"a\r\nb\",c\r\nd\r\n", []string{`1 ["a\nb" "c"]`, `3 ["d"]`}},
		"quote within":       {"12\" drive,b\n", []string{`1 ["12\" drive" "b"]`}},
		"quote left open":    {"a,\"b\nc,d\ne,f\n", []string{`1 quotes are not closed`, `2 ["c" "d"]`, `3 ["e" "f"]`}},
		"quote left open ..": {"a,\"b\nc,\"d\"\ne\n", []string{`1 quotes are not closed`, `2 ["c" "d"]`, `3 ["e"]`}},
		"text after quote":   {"\"a\"b,c\nd,e\n", []string{`1 quotes are not closed`, `2 ["d" "e"]`}},
		"open at the end":    {"a,b\n\"c", []string{`1 ["a" "b"]`, `2 quotes are not closed`}},
		"lone cr":            {"a\rb,c\n", []string{`1 ["a\rb" "c"]`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := records(t, strings.NewReader(tt.in), ','); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
			if got := records(t, iotest.OneByteReader(strings.NewReader(tt.in)), ','); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("a byte at a time: got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("x", MaxRecord+1)
	open := "\"a\n" + strings.Repeat("b\n", maxQuotedLines)
	tests := map[string]struct {
		in   string
		want []string
	}{
		"long line":        {"a\n" + long + "\nb\n", []string{`1 ["a"]`, `2 the line is too long`, `3 ["b"]`}},
		"long last line":   {"a\n" + long + long, []string{`1 ["a"]`, `2 the line is too long`}},
		"long quoted line": {"\"" + long + "\"\nb\n", []string{`1 the line is too long`, `2 ["b"]`}},
		"long after quote": {"\"a\n" + long + "\nb\n", []string{`1 quotes are not closed`, `2 the line is too long`, `3 ["b"]`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := records(t, strings.NewReader(tt.in), ','); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %.200q\nwant %q", got, tt.want)
			}
		})
	}
	if got := records(t, strings.NewReader(open+"c\"\n"), ','); len(got) != maxQuotedLines+2 || got[0] != "1 quotes are not closed" {
		t.Errorf("a quote open over too many lines: %d records, the first %q", len(got), got[0])
	}
}

func TestHeader(t *testing.T) {
	tests := map[string]struct {
		in   string
		want string
		line int
	}{
		"comma":            {"a,b\n", `["a" "b"]`, 1},
		"semicolon":        {"a;b;c,d\n", `["a" "b" "c,d"]`, 1},
		"tab":              {"a\tb\n", `["a" "b"]`, 1},
		"within quotes":    {"\"a;;;\",b\n", `["a;;;" "b"]`, 1},
		"byte-order mark":  {"\ufeffa,b\n", `["a" "b"]`, 1},
		"mark and quote":   {"\ufeff\"a\",b\n", `["a" "b"]`, 1},
		"after blank line": {"\r\n\na;b\n", `["a" "b"]`, 3},
		"one column":       {"a\n", `["a"]`, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := newReader(strings.NewReader(tt.in), 0)
			if err := r.Header(); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%q", fields(r)); got != tt.want || r.Line != tt.line {
				t.Errorf("line %d %s, want line %d %s", r.Line, got, tt.line, tt.want)
			}
		})
	}
	for _, in := range []string{"", "\n\n", "\ufeff"} {
		if err := newReader(strings.NewReader(in), 0).Header(); err != io.EOF {
			t.Errorf("header of %q: %v, want %v", in, err, io.EOF)
		}
	}
}

func TestSourceError(t *testing.T) {
	src := io.MultiReader(strings.NewReader("a,b\nc,"), iotest.ErrReader(io.ErrClosedPipe))
	r := newReader(src, ',')
	if err := r.Next(); err != nil {
		t.Fatalf("the whole line before the error: %v", err)
	}
	if err := r.Next(); err != io.ErrClosedPipe {
		t.Errorf("error %v, want %v", err, io.ErrClosedPipe)
	}
}

// plainRecords is the twin: what encoding/csv makes of the same text.
func plainRecords(in []byte, separator byte) ([]string, error) {
	r := plain.NewReader(bytes.NewReader(in))
	r.Comma, r.FieldsPerRecord = rune(separator), -1
	var all []string
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		all = append(all, fmt.Sprintf("%d %q", line, fields))
	}
}

func FuzzNext(f *testing.F) {
	for _, seed := range []string{"a,b\n", "\"a\"\"b\",c\r\n", "\"a\nb\",\"\"\n\n", "a,\"b\nc\n", "\"a\"b\n", "\r\n\r", "é,\xff\n"} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, in []byte, slow bool) {
		var src io.Reader = bytes.NewReader(in)
		if slow {
			src = iotest.HalfReader(src)
		}
		got := records(t, src, ',')
		want, err := plainRecords(in, ',')
		if err != nil || len(in) > MaxRecord || bytes.Count(in, []byte("\n")) > maxQuotedLines {
			return
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q\ngot  %q\nwant %q", in, got, want)
		}
	})
}

func table(lines int) []byte {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "%d,\"disk%d\",%d.%02d,%d.%02d\n", 1659186015+15*i, i%12, 12360327+i, i%100, 60+i%20, i%100)
	}
	return b.Bytes()
}

func BenchmarkNext(b *testing.B) {
	in := table(10000)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		r := newReader(bytes.NewReader(in), ',')
		for r.Next() == nil {
		}
	}
}

func BenchmarkPlain(b *testing.B) {
	in := table(10000)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		r := plain.NewReader(bytes.NewReader(in))
		r.ReuseRecord = true
		for {
			if _, err := r.Read(); err != nil {
				break
			}
		}
	}
}
