package tabular

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

const plainTable = "time,name,value\n1,a,2\n2,b,3.5\n3,a,NA\n"

// xzTable is plainTable as xz(1) writes it.
const xzTable = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAkdGltZSxuYW1lLHZhbHVlCjEsYSwyCjIsYiwzLjUKMyxhLE5BCgAAAAC308Lz4C1mJAABPSXSKWoBH7bzfQEAAAAABFla"

// packedTables are plainTable in every form.
func packedTables(t testing.TB) map[string][]byte {
	t.Helper()
	xz, err := base64.StdEncoding.DecodeString(xzTable)
	if err != nil {
		t.Fatal(err)
	}
	pack := func(w io.WriteCloser, err error, b *bytes.Buffer) []byte {
		if err == nil {
			_, err = io.WriteString(w, plainTable)
		}
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var gz, zst, columns bytes.Buffer
	z, zerr := zstd.NewWriter(&zst)
	type row struct {
		Time  int64    `parquet:"time"`
		Name  string   `parquet:"name,dict"`
		Value *float64 `parquet:"value"`
	}
	if err := parquet.Write(&columns, []row{{1, "a", new(2.0)}, {2, "b", new(3.5)}, {3, "a", nil}}); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"a.csv": []byte(plainTable), "a.csv.gz": pack(gzip.NewWriter(&gz), nil, &gz), "a.csv.zst": pack(z, zerr, &zst), "a.csv.xz": xz,
		"a.parquet": columns.Bytes(), "b.csv": gz.Bytes(), // the name does not say
		"semicolons.csv": []byte("\ufeff\"time\";\"name\";\"value\"\r\n1;\"a\";2\r\n2;b;3.5\r\n3;a;-\r\n"),
		"tabs.csv":       []byte(strings.ReplaceAll(plainTable, ",", "\t")),
		"quoted.csv":     []byte("\n\nnote,time,name,value\n\"one,\ntwo\",1,a,2\n\"a \"\"b\"\"\n\n\",2,b,3.5\n,3,a,null,,\n"),
	}
}

// TestFormats reads the same rows of every form.
func TestFormats(t *testing.T) {
	want := []string{"1 a 2", "2 b 3.5", "3 a NaN"}
	for name, data := range packedTables(t) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // a file may be read more than once
			var faults Faults
			if got := readAll(t, f, &faults); !slices.Equal(got, want) || faults.Rows()+faults.Values() > 0 {
				t.Errorf("%s has %q, faults %v", name, got, faults.First)
			}
		}
		f.Close()
	}
}

// TestCutOff cuts every form anywhere: an error that names the file, or rows.
func TestCutOff(t *testing.T) {
	for name, data := range packedTables(t) {
		for n := range data {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, data[:n], 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, Options{})
			var broken *BrokenError
			switch {
			case errors.As(err, &broken):
				continue
			case err != nil:
				t.Fatalf("%s: %v", name, err)
			}
			r, err := f.Read(0, wanted(), watch(t), &Faults{})
			for block := new(Block); err == nil; {
				err = r.Next(block)
			}
			var absent *ColumnError
			if err != io.EOF && !errors.As(err, &broken) && !errors.As(err, &absent) {
				t.Errorf("%s, %d bytes of it: %v", name, n, err)
			}
			f.Close()
		}
	}
}

// TestTwoSizes reads as much of a file as it had the first time.
func TestTwoSizes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte(plainTable+"4,c,5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, Options{Size: int64(len(plainTable))})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := readAll(t, f, nil); len(got) != 3 {
		t.Errorf("%q", got)
	}
}

// TestFaults counts each kind with its first row, in both formats alike.
func TestFaults(t *testing.T) {
	f := openText(t, "time,name,value\n1,a,-1\n2,a,1e308\n3,a,1e999\nsoon,a,1\n,a,1\n9999999999999,a,1\n4,,1\n5,a,x\n6,a\n7,a,1,2\n8,\"a,1\n")
	var faults Faults
	if got := readAll(t, f, &faults); len(got) != 4 {
		t.Errorf("rows %q", got)
	}
	for k, want := range map[Fault]string{
		Negative: `1 "-1" in column value is below zero`, Unbelievable: `2 "1e308" in column value is implausibly large`, Infinite: `3 "1e999" in column value is infinite`,
		BadTime: `4 "soon" in column time is not a time; write the format or the time zone of the time`, MissingTime: "5 column time is empty",
		StrangeTime: `6 "9999999999999" in column time is not a time; write the format of the time, probably unix_us`, MissingName: "7 column name is empty",
		NotNumber: `8 "x" in column value is not a number`, fewFields: `9 the line has 2 fields, and the header has 3: "6,a"`,
		ManyFields: `10 the line has 4 fields, and the header has 3: "7,a,1,2"`, BadQuotes: `11 a quote is not closed in "8,\"a,1"`,
	} {
		first := faults.FirstOf(k)
		if got := fmt.Sprint(first.Row, " ", first); faults.Count(k) != 1 || got != want {
			t.Errorf("%d of %q, want %q", faults.Count(k), got, want)
		}
	}
	if faults.Rows() != 7 || faults.Values() != 4 || len(faults.First) != Shown {
		t.Errorf("%d rows, %d values, %d shown", faults.Rows(), faults.Values(), len(faults.First))
	}
}
