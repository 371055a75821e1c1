package tabular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/limpet-storage/limpet/internal/unpack"
)

func openText(t testing.TB, text string) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func watch(t testing.TB) *Clock {
	t.Helper()
	c, err := NewClock("", "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wanted asks for a time, a name and a number.
func wanted() []Want {
	return []Want{
		{Column: "time", Type: Time, Required: true},
		{Column: "name", Type: Text, Required: true, Words: &Lexicon{}},
		{Column: "value", Type: Number},
	}
}

// readAll prints the rows of all parts, one after the other.
func readAll(t testing.TB, f *File, faults *Faults) []string {
	t.Helper()
	wants := wanted()
	var out []string
	var b Block
	for part := range f.Parts() {
		r, err := f.Read(part, wants, watch(t), faults)
		if err != nil {
			t.Fatal(err)
		}
		for {
			err := r.Next(&b)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.Rows {
				name := wants[1].Words.Texts()[b.Columns[1].Codes[i]]
				out = append(out, fmt.Sprint(b.Columns[0].Times[i]/1e9, " ", name, " ", b.Columns[2].Numbers[i]))
			}
		}
		r.Close()
	}
	return out
}

// TestParts cuts a file into parts of every size: the lines are the same.
func TestParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("\ufefftime,name,value\n")
	for i := range 50 {
		fmt.Fprintf(&b, "%d,name%d,%d\n", i, i%7, i*i)
		if i%10 == 0 {
			b.WriteString("\n")
		}
	}
	text := strings.TrimSuffix(b.String(), "\n")
	f := openText(t, text)
	want := readAll(t, f, nil)
	if len(want) != 50 {
		t.Fatalf("%d rows", len(want))
	}
	for size := int64(1); size < int64(len(text))+2; size++ {
		f.partBytes = size
		if got := readAll(t, f, nil); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("in parts of %d bytes: %d rows\n%s", size, len(got), strings.Join(got, "\n"))
		}
	}
}

// TestLongLine passes over a line that no one wrote on purpose.
func TestLongLine(t *testing.T) {
	f := openText(t, "time,name,value\n1,a,1\n"+strings.Repeat("x", 3*MaxRecord)+"\n2,b,2\n")
	var faults Faults
	if got := readAll(t, f, &faults); len(got) != 2 || faults.Rows() != 1 || faults.First[0].Row != 2 {
		t.Errorf("got %v, %+v", got, faults)
	}
}

func TestLexicon(t *testing.T) {
	var l Lexicon
	for round := range 3 {
		for i, text := range []string{"a", "b", "c", "a", "d", "b"} {
			if code, want := l.CodeOf([]byte(text)), []int32{0, 1, 2, 0, 3, 1}[i]; code != want {
				t.Errorf("round %d: %q has %d, want %d", round, text, code, want)
			}
		}
	}
	asked := 0
	own := Lexicon{Code: func(text string, _ int32) int32 { asked++; return int32(len(text)) }}
	for range 2 {
		for _, text := range []string{"abc", "a", "abc"} {
			if code := own.CodeOf([]byte(text)); code != int32(len(text)) {
				t.Errorf("%q has %d", text, code)
			}
		}
	}
	if asked != 2 || l.CodeOf(nil) != NoText {
		t.Errorf("asked %d times", asked)
	}
}

// FuzzCSV reads any bytes: no panic, every record either a row or a fault, and
// the same rows and faults however the file is cut.
func FuzzCSV(f *testing.F) {
	f.Add("time,name,value\n1,a,2\n2,\"b \"\"c\"\"\",3\n", int64(1000), false)
	f.Add("time;name;value\r\n1;a;\r\n", int64(3), true)
	f.Add("name,time,value\n\"a\n", int64(7), false)
	f.Add("name,time,value\n\"a\nb\",5,6\nc,7\n", int64(5), true)
	f.Fuzz(func(t *testing.T, text string, part int64, ragged bool) {
		path := filepath.Join(t.TempDir(), "table")
		os.WriteFile(path, []byte(text), 0o644)
		file, err := Open(path, Options{Ragged: ragged})
		if err != nil {
			return
		}
		defer file.Close()
		if file.Require("time", "name", "value") != nil || !file.isLines || file.packing != unpack.Plain || len(text) > 1<<12 || strings.HasPrefix(strings.TrimPrefix(text, "\ufeff"), "\n") || strings.HasPrefix(strings.TrimPrefix(text, "\ufeff"), "\r\n") {
			return
		}
		var whole, cut Faults
		want := readAll(t, file, &whole)
		file.partBytes = max(1, min(1+part%1000, 1000))
		got := readAll(t, file, &cut)
		if strings.Join(got, "\n") != strings.Join(want, "\n") || whole.Rows() != cut.Rows() || whole.Values() != cut.Values() {
			t.Errorf("in parts of %d: %q and %v, want %q and %v", file.partBytes, got, cut.First, want, whole.First)
		}
		if n := len(want) + int(whole.Rows()); n > strings.Count(text, "\n") {
			t.Errorf("%d rows and faults of %d lines", n, strings.Count(text, "\n")+1)
		}
	})
}

// parquetBytes is a small file with all that matters: nulls, a dictionary,
// several pages.
func parquetBytes(t testing.TB) []byte {
	t.Helper()
	type row struct {
		Time  int64   `parquet:"time,timestamp(millisecond),delta"`
		Name  string  `parquet:"name,dict"`
		Value *int32  `parquet:"value"`
		Other float64 `parquet:"other"`
	}
	var rows []row
	for i := range 300 {
		r := row{Time: int64(i) * 1000, Name: "n" + strconv.Itoa(i%5)}
		if i%3 > 0 {
			r.Value = new(int32(i))
		}
		rows = append(rows, r)
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, rows, parquet.PageBufferSize(256), parquet.MaxRowsPerRowGroup(120)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestParquet(t *testing.T) {
	f := openText(t, string(parquetBytes(t)))
	if f.Parts() != 3 {
		t.Errorf("%d parts", f.Parts())
	}
	got := readAll(t, f, nil)
	if len(got) != 300 {
		t.Fatalf("%d rows", len(got))
	}
	for i, row := range got {
		value := float64(i)
		if i%3 == 0 {
			value = math.NaN()
		}
		if want := fmt.Sprint(i, " n", i%5, " ", value); row != want {
			t.Errorf("row %d is %q, want %q", i, row, want)
		}
	}
}

// TestNames reads which texts there are without reading rows.
func TestNames(t *testing.T) {
	f := openText(t, string(parquetBytes(t)))
	words := &Lexicon{}
	r, err := f.Read(0, []Want{{Column: "time", Type: Time}, {Column: "name", Type: Names, Words: words}}, watch(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(words.Texts()) != 5 {
		t.Errorf("names before the first row: %v", words.Texts())
	}
	r.Close()
}

// TestNamesPastTheDictionary reads texts of a writer that gave its dictionary
// up midway.
func TestNamesPastTheDictionary(t *testing.T) {
	type row struct {
		Name string `parquet:"name,dict"`
	}
	var rows []row
	for i := range 2000 {
		rows = append(rows, row{fmt.Sprintf("a long name of drive %d", i)})
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, rows, parquet.PageBufferSize(1024), parquet.DictionaryMaxBytes(4096)); err != nil {
		t.Fatal(err)
	}
	f := openText(t, b.String())
	words := &Lexicon{}
	r, err := f.Read(0, []Want{{Column: "name", Type: Names, Words: words}}, watch(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(words.Texts()); n == len(rows) {
		t.Errorf("the dictionary has all %d names: it was not given up", n)
	}
	for block := new(Block); err == nil; {
		err = r.Next(block)
	}
	if n := len(words.Texts()); err != io.EOF || n != len(rows) {
		t.Errorf("%d names, %v", n, err)
	}
}

// TestNullNames leaves out rows without a name, whether names are indexed or
// not.
func TestNullNames(t *testing.T) {
	type indexed struct {
		Name *string `parquet:"name,dict"`
	}
	type plain struct {
		Name *string `parquet:"name"`
	}
	var b, c bytes.Buffer
	if err := errors.Join(parquet.Write(&b, []indexed{{new("a")}, {nil}, {new("b")}}), parquet.Write(&c, []plain{{new("a")}, {nil}, {new("b")}})); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{b.String(), c.String()} {
		var faults Faults
		words := &Lexicon{}
		r, err := openText(t, text).Read(0, []Want{{Column: "name", Type: Text, Required: true, Words: words}}, watch(t), &faults)
		if err != nil {
			t.Fatal(err)
		}
		var block Block
		if err := r.Next(&block); err != nil || !slices.Equal(block.Columns[0].Codes, []int32{0, 1}) || faults.Rows() != 1 || faults.First[0].Row != 1 {
			t.Errorf("%v: %v, %+v", err, block.Columns, faults)
		}
	}
}

// FuzzParquet damages a file: an error, or rows, but no panic.
func FuzzParquet(f *testing.F) {
	data := parquetBytes(f)
	f.Add(10, byte(1), len(data))
	f.Add(len(data)-20, byte(7), len(data))
	f.Fuzz(func(t *testing.T, at int, change byte, length int) {
		damaged := bytes.Clone(data)
		if at >= 0 && at < len(damaged) {
			damaged[at] ^= change
		}
		if length >= 0 && length < len(damaged) {
			damaged = damaged[:length]
		}
		path := filepath.Join(t.TempDir(), "table")
		os.WriteFile(path, damaged, 0o644)
		file, err := Open(path, Options{})
		if err != nil {
			return
		}
		defer file.Close()
		var b Block
		for part := range file.Parts() {
			r, err := file.Read(part, wanted(), watch(t), &Faults{})
			for err == nil {
				err = r.Next(&b)
			}
		}
	})
}

// TestParquetTypes refuses a type for what a column is to be, says which is
// read, and what is wrong with times.
func TestParquetTypes(t *testing.T) {
	type row struct {
		Time  *int64   `parquet:"time,optional"`
		Float float64  `parquet:"float"`
		Flag  bool     `parquet:"flag"`
		ID    [16]byte `parquet:"id,uuid"`
		Day   *float64 `parquet:"day,optional"`
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := parquet.WriteFile(path, []row{{Time: new(int64(1767225600000))}, {Day: new(1e300)}, {Time: new(int64(3600)), Day: new(3600.0)}}); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	refused := []struct {
		want Want
		hint string
	}{
		{Want{Column: "id", Type: Text, Words: &Lexicon{}}, "write the column as STRING or INT64"},
		{Want{Column: "flag", Type: Time}, "write the column as TIMESTAMP, INT64 or STRING"},
		{Want{Column: "flag", Type: Number}, "write the column as INT64, DOUBLE or STRING"},
	}
	for _, tt := range refused {
		if _, err := f.Read(0, []Want{tt.want}, watch(t), nil); err == nil || !strings.HasSuffix(err.Error(), tt.hint) {
			t.Errorf("%s: %v, want %s", tt.want.Column, err, tt.hint)
		}
	}
	for name, want := range map[string][]string{
		"time": {`"1767225600000" in column time is not a time; write the format of the time, probably unix_ms`, "column time is empty"},
		"day":  {"column day is empty", `"1000000000000000000000000000000000000000"… in column day is not a time; write the format or the time zone of the time`},
	} {
		var faults Faults
		r, err := f.Read(0, []Want{{Column: name, Type: Time, Required: true}}, watch(t), &faults)
		if err != nil {
			t.Fatal(err)
		}
		var b Block
		if err := r.Next(&b); err != nil || b.Rows != 1 || b.Columns[0].Times[0] != int64(time.Hour) {
			t.Errorf("%s: %d rows, %v", name, b.Rows, err)
		}
		r.Close()
		for i, text := range want {
			if faults.Rows() != 2 || faults.First[i].String() != text {
				t.Errorf("%s: %+v, want %s", name, faults.First, text)
			}
		}
	}
}
