package tables

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// xzTable is "ts,disk,latency,load\n15,d1,7,100\n30,d1,8,100\n" as xz(1)
// writes it.
const xzTable = "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AAsACtdADocwYTiADHxXB3qvuzNHOpcCOqH/k6l+H57NOuxErWWfYMaVQtA58CASAAA" +
	"AFk7ZmuIK1MQAAFHLZwwYdoftvN9AQAAAAAEWVo="

const packedTable = "ts,disk,latency,load\n15,d1,7,100\n30,d1,8,100\n"

func gzipped(t *testing.T, text string) string {
	return packed(t, text, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil })
}

func zstandard(t *testing.T, text string) string {
	return packed(t, text, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) })
}

func packed(t *testing.T, text string, writer func(io.Writer) (io.WriteCloser, error)) string {
	t.Helper()
	var b bytes.Buffer
	w, err := writer(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func unbase64(t *testing.T, text string) string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestBrokenTables(t *testing.T) {
	long := packedTable + strings.Repeat("45,d1,9,100\n", 100_000)
	tests := map[string]struct{ text, want, warning string }{
		"gzip cut off":    {gzipped(t, long)[:200], "15 h1/d1 7 100\n", "the gzip data are incomplete: their end is missing (unexpected EOF). limpet uses only the data before the missing part"},
		"gzip header":     {gzipped(t, packedTable)[:5], "", "the gzip data are incomplete: their end is missing"},
		"zstd cut off":    {zstandard(t, long)[:100], "", "the zstd data are incomplete: their end is missing"},
		"xz cut off":      {unbase64(t, xzTable)[:40], "", "the xz data are incomplete: their end is missing"},
		"parquet cut off": {"PAR1" + strings.Repeat("x", 100), "", "the Parquet data are incomplete: their end is missing"},
		"parquet magic":   {"PAR1", "", "the Parquet data are incomplete: their end is missing"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string]string{"h1/a": tt.text, "h2/a": packedTable})
			tables := open(t, described(t, perDrive), 15, dir)
			got := rows(t, tables)
			if !strings.Contains(got, "30 h2/d1 8 100\n") || !strings.HasPrefix(got, tt.want) {
				t.Errorf("got\n%s", got)
			}
			if warnings := tables.Warnings(); len(warnings) == 0 || !strings.Contains(warnings[0].String(), "h1/a: "+tt.warning) {
				t.Errorf("warnings %v, want %s", warnings, tt.warning)
			}
		})
	}
}
