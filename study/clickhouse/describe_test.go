package clickhouse

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// loadCSV makes a table of a file, of texts where no type is given.
func (s *server) loadCSV(table, path string, types map[string]string) {
	s.Helper()
	file, err := os.Open(path)
	s.must(err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	s.must(err)
	// The driver does not take odd names, so records pass through plain ones.
	var plain, staged, columns []string
	for i, name := range lines[0] {
		kind := cmp.Or(types[name], "String")
		plain = append(plain, fmt.Sprint("c", i))
		staged = append(staged, plain[i]+" "+kind)
		columns = append(columns, identifier(name)+" "+kind)
	}
	s.Exec(fmt.Sprintf("CREATE TABLE staged (%s) ENGINE = Memory", strings.Join(staged, ", ")))
	b, err := s.Conn.PrepareBatch(s.Context(), fmt.Sprintf("INSERT INTO staged (%s)", strings.Join(plain, ", ")))
	s.must(err)
	for _, line := range lines[1:] {
		var values []any
		for i, field := range line {
			values = append(values, typed(s, field, types[lines[0][i]]))
		}
		s.must(b.Append(values...))
	}
	s.must(b.Send())
	s.Exec(fmt.Sprintf("CREATE TABLE %s (%s) ENGINE = MergeTree ORDER BY tuple()", table, strings.Join(columns, ", ")))
	s.Exec(fmt.Sprintf("INSERT INTO %s SELECT * FROM staged", table))
	s.Exec("DROP TABLE staged")
}

// typed is a field as a column of the type takes it.
func typed(t testing.TB, field, kind string) (v any) {
	t.Helper()
	var err error
	switch kind {
	case "":
		v = field
	case "Nullable(Float64)":
		var f *float64
		if field != "" {
			f = new(float64)
			*f, err = strconv.ParseFloat(field, 64)
		}
		v = f
	case "Date":
		v, err = time.Parse(time.DateOnly, field)
	case "DateTime":
		v, err = time.Parse(time.RFC3339, field)
	case "Int32":
		var n int64
		n, err = strconv.ParseInt(field, 10, 32)
		v = int32(n)
	case "UInt64":
		v, err = strconv.ParseUint(field, 10, 64)
	default:
		t.Fatalf("no test has a column of type %s", kind)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A table with columns that need quotes, reads and writes apart, units, rates,
// names of several columns that are numbers, and ends of hours in milliseconds.
const apart = `
time: {column: "at; --", format: unix_ms, marks: end}
group: "{pool}/{raid ` + "`x`" + `}"
drive: "{host}:{slot}"
role: {column: what, parity: [P, Q]}
kind: ssd
reads: {ios: {column: r, unit: 1/s}, latency: {column: "r'ms", unit: ms}, size: {column: rk, unit: KiB}}
writes: {ios: {column: w, unit: 1/s}, latency: {column: "w\\ms", unit: ms}}
`

// TestDescribed reads what a description describes.
func TestDescribed(t *testing.T) {
	s := startServers(t, 1)[0]
	d, err := source.ParseDescription("apart.yaml", []byte(apart))
	s.must(err)
	rng := rand.New(rand.NewPCG(3, 3))
	lines := [][]string{{"at; --", "pool", "raid `x`", "host", "slot", "what", "r", "r'ms", "rk", "w", `w\ms`}}
	value := func(scale float64) string {
		switch rng.IntN(20) {
		case 0:
			return ""
		case 1, 2:
			return "0"
		}
		return fmt.Sprintf("%.3f", scale*(1+rng.ExpFloat64()))
	}
	for h := range 60 {
		for drive := range 24 {
			roles := []string{"", "", "", "P", "", "Q"}
			lines = append(lines, []string{
				fmt.Sprint((490000 + h) * 3_600_000), "p" + fmt.Sprint(drive/12), fmt.Sprint(1<<60 + drive/6), fmt.Sprint("h", drive%3), fmt.Sprint(drive), roles[drive%6],
				value(0.5), value(3), value(8), value(0.25), value(2),
			})
		}
	}
	timeless := slices.Clone(lines[1])
	timeless[0] = "9000000000000000" // a year that no one will see
	lines = append(lines, timeless)
	f := &fixture{dir: t.TempDir()}
	path := filepath.Join(f.dir, "records.csv")
	writeCSV(t, path, lines)
	types := map[string]string{"at; --": "UInt64", "raid `x`": "UInt64", "slot": "Int32"}
	for _, c := range []string{"r", "r'ms", "rk", "w", `w\ms`} {
		types[c] = "Nullable(Float64)"
	}
	s.loadCSV("`odd\\`; name`", path, types)
	o := DefaultOptions()
	o.Table, o.Description = "odd`; name", d
	want := f.embedded(t, d, study.DefaultOptions())
	for _, direction := range []study.Direction{study.All, study.Reads, study.Writes} {
		if want.reduction.Accounts[direction].Counted == 0 {
			t.Errorf("nothing is counted of %v", direction)
		}
	}
	if want.faults.Rows != 1 {
		t.Errorf("wrong are %d rows, want that without a time", want.faults.Rows)
	}
	same(t, reduced(t, s.DSN(), o, study.DefaultOptions()), want)
}
