package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/persistence"
)

// fuzzed describes the tables that FuzzDiagnose writes.
const fuzzed = `
files: "*.csv"
time: {column: t, format: unix}
component: "{disk}"
group: {text: all}
metrics:
  latency: {unit: us, worse: higher}
  load: {unit: 1/s, worse: either, load: true}
`

// extremes are texts of values and times at the ends of what can be held, and
// beyond.
var extremes = []string{
	"1e308", "-1e308", "1.7976931348623157e308", "1e309", "1e18", "9007199254740993", "18446744073709551615",
	"5e-324", "2.2250738585072014e-308", "-5e-324", "-0", "0", "NaN", "nan", "Inf", "-Inf", "+Infinity", "0x1p1023", "", "1_000",
}

// extremeTable is an hour and a half of six drives, of which two have extreme
// values now and then, and times begin at a text.
func extremeTable(first int64, value, load string) string {
	var b strings.Builder
	b.WriteString("t,disk,latency,load\n")
	for i := range int64(360) {
		for d := range 6 {
			v, l := fmt.Sprint(10+(i+int64(d))%5), "100"
			if d < 2 && i%3 == 0 {
				v, l = value, load
			}
			fmt.Fprintf(&b, "%d,d%d,%s,%s\n", first+15*i, d, v, l)
		}
	}
	return b.String()
}

// FuzzDiagnose has the whole command diagnose a table of any bytes, by each
// measure and into each format and a page: it ends, and without a panic.
func FuzzDiagnose(f *testing.F) {
	for i, value := range extremes {
		f.Add([]byte(extremeTable(1_600_000_000, value, "100")), uint8(i))
		f.Add([]byte(extremeTable(1_600_000_000, "10", value)), uint8(i))
	}
	for i, first := range []int64{-5000, 0, 1 << 31, 1 << 32, 7_258_118_400 - 2000, 7_258_118_400, 1 << 53, 1<<63 - 1 - 6000} {
		f.Add([]byte(extremeTable(first, "1e17", "1e17")), uint8(i))
	}
	f.Add([]byte("t,disk,latency,load\n0,a,1,1\n7258118399,a,1,1\n7258118399,b,1,1\n7258118399,c,1,1\n"), uint8(0))
	f.Fuzz(func(t *testing.T, table []byte, how uint8) {
		if len(table) > 1<<20 {
			t.Skip("larger tables are slower and no worse")
		}
		dir := t.TempDir()
		for name, text := range map[string][]byte{"site.yaml": []byte(fuzzed), "data/a.csv": table} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		measures, formats := persistence.Measures(), []string{"text", "json", "csv"}
		args := []string{
			"diagnose", "--tables", filepath.Join(dir, "site.yaml"), "--measure", measures[int(how)%len(measures)],
			"--format", formats[int(how)%len(formats)], "--html", filepath.Join(dir, "page.html"), "--list", "--why",
		}
		if how%2 == 1 {
			args = append(args, "--step", "15", "--metric", "latency,load")
		}
		var out, trouble bytes.Buffer
		code := run(t.Context(), append(args, filepath.Join(dir, "data")), strings.NewReader(""), &out, &trouble)
		if code == exitUsage || strings.Contains(trouble.String(), "unsupported value") {
			t.Errorf("exit %d: %s", code, trouble.String())
		}
	})
}
