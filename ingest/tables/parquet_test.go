package tables

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
)

// parquetFile writes rows of columns as one Parquet file. Row groups and pages
// are small, so that rows run over both.
func parquetFile(t testing.TB, columns parquet.Group, rows []map[string]parquet.Value) string {
	t.Helper()
	schema := parquet.NewSchema("table", columns)
	var b bytes.Buffer
	w := parquet.NewGenericWriter[any](&b, schema, parquet.PageBufferSize(300), parquet.MaxRowsPerRowGroup(700), parquet.Compression(&parquet.Zstd))
	for _, row := range rows {
		var out parquet.Row
		for i, path := range schema.Columns() {
			leaf, _ := schema.Lookup(path...)
			v, ok := row[path[0]]
			if !ok {
				v = parquet.NullValue()
			}
			level := leaf.MaxDefinitionLevel
			if v.IsNull() {
				level = 0
			}
			out = append(out, v.Level(0, level, i))
		}
		if _, err := w.WriteRows([]parquet.Row{out}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func text(s string) parquet.Value { return parquet.ByteArrayValue([]byte(s)) }

// fleetParquet writes a table of fleet as Parquet, NA as null.
func fleetParquet(t testing.TB, table string, columns parquet.Group) string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(text string) parquet.Value {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return parquet.NullValue()
		}
		return parquet.DoubleValue(v)
	}
	var rows []map[string]parquet.Value
	for _, r := range records[1:] {
		ts, err := strconv.ParseInt(r[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, map[string]parquet.Value{"ts": parquet.Int64Value(ts), "disk_id": text(r[1]), "throughput": number(r[2]), "latency": number(r[3])})
	}
	return parquetFile(t, columns, rows)
}

func TestParquetEqualsCSV(t *testing.T) {
	files := fleet(2, 3, 2, 500)
	want := rows(t, open(t, perseus(t), 30, write(t, files)))
	d := perseus(t)
	d.Files = described(t, strings.Replace(perDrive, "{host}/*", "{cluster}/{host}/*.parquet", 1)).Files
	double := parquet.Leaf(parquet.DoubleType)
	kinds := map[string]parquet.Group{
		"optional":   {"ts": parquet.Optional(parquet.Int(64)), "disk_id": parquet.Optional(parquet.String()), "throughput": parquet.Optional(double), "latency": parquet.Optional(double)},
		"required":   {"ts": parquet.Int(64), "disk_id": parquet.String(), "throughput": parquet.Optional(double), "latency": parquet.Optional(double)},
		"dictionary": {"ts": parquet.Encoded(parquet.Int(64), &parquet.RLEDictionary), "disk_id": parquet.Encoded(parquet.Optional(parquet.String()), &parquet.RLEDictionary), "throughput": parquet.Optional(double), "latency": parquet.Encoded(parquet.Optional(double), &parquet.RLEDictionary)},
		"delta":      {"ts": parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked), "disk_id": parquet.Encoded(parquet.String(), &parquet.DeltaByteArray), "throughput": parquet.Optional(double), "latency": parquet.Optional(double)},
	}
	for name, columns := range kinds {
		t.Run(name, func(t *testing.T) {
			other := make(map[string]string)
			for path, table := range files {
				other[strings.TrimSuffix(path, "csv")+"parquet"] = fleetParquet(t, table, columns)
			}
			tables := open(t, d, 30, write(t, other))
			if got := rows(t, tables); got != want {
				t.Error(firstDifference(got, want))
			}
			warned(t, tables)
		})
	}
}

func TestParquetTypes(t *testing.T) {
	ms, us, ns := parquet.Timestamp(parquet.Millisecond), parquet.Timestamp(parquet.Microsecond), parquet.Timestamp(parquet.Nanosecond)
	local := parquet.TimestampAdjusted(parquet.Microsecond, false)
	const noon, noonNs = 1658145600, 43_200_000_000_000
	seconds := parquet.Int64Value(noon)
	tests := map[string]struct {
		time    parquet.Node
		ts      parquet.Value
		disk    parquet.Node
		id      parquet.Value
		metric  parquet.Node
		latency parquet.Value
		want    string // of disk and latency
	}{
		"int32 and float":    {parquet.Int(32), parquet.Int32Value(noon), parquet.Int(32), parquet.Int32Value(7), parquet.Leaf(parquet.FloatType), parquet.FloatValue(1.5), "7 1.5"},
		"int64":              {parquet.Int(64), seconds, parquet.Int(64), parquet.Int64Value(7), parquet.Int(64), parquet.Int64Value(3), "7 3"},
		"unsigned":           {parquet.Uint(64), seconds, parquet.Uint(32), parquet.Int32Value(-1), parquet.Uint(32), parquet.Int32Value(-1), "4294967295 4.294967295e+09"},
		"double time":        {parquet.Leaf(parquet.DoubleType), parquet.DoubleValue(noon), parquet.Leaf(parquet.DoubleType), parquet.DoubleValue(7), parquet.Leaf(parquet.DoubleType), parquet.DoubleValue(2.5), "7 2.5"},
		"text":               {parquet.String(), text("1658145600"), parquet.String(), text("d1"), parquet.String(), text("2.5"), "d1 2.5"},
		"plain bytes":        {parquet.Leaf(parquet.ByteArrayType), text("1658145600"), parquet.Enum(), text("d1"), parquet.Leaf(parquet.ByteArrayType), text("2.5"), "d1 2.5"},
		"milliseconds":       {ms, parquet.Int64Value(noon * 1e3), parquet.String(), text("d1"), parquet.Int(32), parquet.Int32Value(3), "d1 3"},
		"microseconds":       {us, parquet.Int64Value(noon * 1e6), parquet.Leaf(parquet.BooleanType), parquet.BooleanValue(true), parquet.Decimal(2, 9, parquet.Int32Type), parquet.Int32Value(325), "true 3.25"},
		"nanoseconds":        {ns, parquet.Int64Value(noon * 1e9), parquet.Decimal(1, 12, parquet.Int64Type), parquet.Int64Value(15), parquet.Decimal(2, 12, parquet.Int64Type), parquet.Int64Value(325), "1.5 3.25"},
		"local microseconds": {local, parquet.Int64Value((noon + 7200) * 1e6), parquet.String(), text("d1"), parquet.Int(32), parquet.Int32Value(3), "d1 3"},
		"julian day":         {parquet.Leaf(parquet.Int96Type), parquet.Int96Value(deprecated.Int96{noonNs & math.MaxUint32, noonNs >> 32, 2459779}), parquet.String(), text("d1"), parquet.Int(32), parquet.Int32Value(3), "d1 3"},
	}
	d := described(t, strings.Replace(perDrive, "time: ts", "time: {column: ts, zone: Europe/Berlin}", 1))
	for name, tt := range tests {
		for _, optional := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " optional ", optional), func(t *testing.T) {
				columns := parquet.Group{"ts": tt.time, "disk": tt.disk, "latency": tt.metric, "load": parquet.Optional(parquet.Int(32))}
				if optional {
					columns = parquet.Group{"ts": parquet.Optional(tt.time), "disk": parquet.Optional(tt.disk), "latency": parquet.Optional(tt.metric), "load": parquet.Optional(parquet.Int(32))}
				}
				file := parquetFile(t, columns, []map[string]parquet.Value{{"ts": tt.ts, "disk": tt.id, "latency": tt.latency}})
				got := rows(t, open(t, d, 15, write(t, map[string]string{"h1/a.parquet": file})))
				if want := fmt.Sprintf("%d h1/%s -\n", noon, tt.want); got != want {
					t.Errorf("got %swant %s", got, want)
				}
			})
		}
	}
}

func TestParquetFaults(t *testing.T) {
	double, integer := parquet.Optional(parquet.Leaf(parquet.DoubleType)), parquet.Optional(parquet.Int(64))
	columns := parquet.Group{"ts": integer, "disk": parquet.Optional(parquet.String()), "latency": double, "load": integer}
	row := func(ts int64, disk string, latency float64, load int64) map[string]parquet.Value {
		return map[string]parquet.Value{"ts": parquet.Int64Value(ts), "disk": text(disk), "latency": parquet.DoubleValue(latency), "load": parquet.Int64Value(load)}
	}
	nobody := row(15, "", 1, 1)
	delete(nobody, "disk")
	never := row(15, "d1", 1, 1)
	delete(never, "ts")
	file := parquetFile(t, columns, []map[string]parquet.Value{
		row(15, "d1", 1, 1), row(30, "d1", -1, 1), row(45, "d1", math.Inf(1), 1), row(60, "d1", math.NaN(), -5), row(1658145600000, "d1", 1, 1), nobody, never, row(18446744074, "d1", 1, 1),
	})
	tables := open(t, described(t, perDrive), 15, write(t, map[string]string{"h1/a.parquet": file}))
	if got, want := rows(t, tables), "15 h1/d1 1 1\n30 h1/d1 - 1\n45 h1/d1 - 1\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	warned(t, tables, `a.parquet:7: 1 line is left out, because the time is not in the format Unix seconds or RFC 3339 (the first of these lines is "")`,
		`a.parquet:5: 2 lines are left out, because the time is not between 1970 and 2200 (the first of these lines is "1658145600000")`, "a.parquet:6: 1 line is left out, because the name of the component or of the group is empty",
		`a.parquet:2: 2 values are below zero; limpet counts these values as missing (the first is "-1" in column latency)`, `a.parquet:3: 1 value is infinite; limpet counts these values as missing (the first is "+Inf" in column latency)`)
}

func TestParquetTidy(t *testing.T) {
	columns := parquet.Group{"ts": parquet.Timestamp(parquet.Millisecond), "disk": parquet.String(), "what": parquet.Enum(), "v": parquet.Leaf(parquet.DoubleType)}
	row := func(ts int64, what string, v float64) map[string]parquet.Value {
		return map[string]parquet.Value{"ts": parquet.Int64Value(1000 * ts), "disk": text("d1"), "what": text(what), "v": parquet.DoubleValue(v)}
	}
	file := parquetFile(t, columns, []map[string]parquet.Value{
		row(15, "latency", 10), row(15, "load", 300), row(30, "load", 100), row(30, "humidity", 1), row(30, "latency", 50),
	})
	d := described(t, perDrive+"tidy: {metric: what, value: v}\n")
	if got, want := rows(t, open(t, d, 60, write(t, map[string]string{"h1/a.parquet": file}))), "60 h1/d1 20 200\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestParquetErrors(t *testing.T) {
	good := parquet.Group{"ts": parquet.Int(64), "disk": parquet.String(), "latency": parquet.Int(64), "load": parquet.Int(64)}
	with := func(name string, node parquet.Node) parquet.Group {
		other := parquet.Group{}
		for k, v := range good {
			other[k] = v
		}
		other[name] = node
		return other
	}
	tests := map[string]struct {
		columns parquet.Group
		want    string
	}{
		"uuid":    {with("disk", parquet.UUID()), "a.parquet: column disk has the type UUID, which limpet does not read; write the column as STRING or INT64"},
		"list":    {with("disk", parquet.Repeated(parquet.String())), "a.parquet: there is no column disk; the file has the columns latency, load, ts"},
		"nested":  {with("disk", parquet.Group{"id": parquet.String()}), "a.parquet: there is no column disk; the file has the columns latency, load, ts"},
		"decimal": {with("load", parquet.Decimal(0, 20, parquet.FixedLenByteArrayType(9))), "a.parquet: column load has the type DECIMAL"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := parquetFile(t, tt.columns, nil)
			_, err := Open(t.Context(), described(t, perDrive), []string{write(t, map[string]string{"h1/a.parquet": file})}, Options{StepSeconds: 15})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v\nwant  %s", err, tt.want)
			}
		})
	}
}

// Damaged files cost what they hold, never a panic.
func TestParquetDamage(t *testing.T) {
	var table strings.Builder
	table.WriteString(fleetHeader)
	for i := range 300 {
		fmt.Fprintf(&table, "%d,disk%d,%d,NA\n", 1658102400+15*i, i%7, i)
	}
	columns := parquet.Group{"ts": parquet.Int(64), "disk_id": parquet.Encoded(parquet.String(), &parquet.RLEDictionary), "throughput": parquet.Leaf(parquet.DoubleType), "latency": parquet.Optional(parquet.Leaf(parquet.DoubleType))}
	file := fleetParquet(t, table.String(), columns)
	d := described(t, strings.Replace(perDrive, "disk}", "disk_id}", 2))
	d.Columns = []string{"latency", "throughput"}
	rng := rand.New(rand.NewPCG(5, 6))
	whole, damaged := 0, 0
	deadline := time.Now().Add(20 * time.Second)
	for i := 0; i < 300 && time.Now().Before(deadline); i++ {
		bytes := []byte(file)
		for range 1 + rng.IntN(3) {
			bytes[4+rng.IntN(len(bytes)-4)] ^= 1 << rng.IntN(8)
		}
		tables, err := Open(t.Context(), d, []string{write(t, map[string]string{"h1/a.parquet": string(bytes)})}, Options{StepSeconds: 15})
		if err != nil || len(tables.Warnings()) > 1 {
			damaged++
			continue
		}
		for err == nil {
			_, err = tables.Next(t.Context())
		}
		whole++
	}
	if damaged == 0 || whole == 0 {
		t.Errorf("%d files were found damaged and %d whole; some of each were expected", damaged, whole)
	}
}

func TestParquetChangesOfSize(t *testing.T) {
	columns := parquet.Group{"ts": parquet.Int(64), "disk": parquet.String(), "latency": parquet.Int(64), "load": parquet.Int(64)}
	row := map[string]parquet.Value{"ts": parquet.Int64Value(15), "disk": text("d1"), "latency": parquet.Int64Value(1), "load": parquet.Int64Value(1)}
	dir := write(t, map[string]string{"h1/a.parquet": parquetFile(t, columns, []map[string]parquet.Value{row})})
	tables := openTwice(t, described(t, perDrive), 15, dir)
	if err := os.Truncate(filepath.Join(dir, "h1/a.parquet"), 20); err != nil {
		t.Fatal(err)
	}
	if _, err := tables.Next(t.Context()); err == nil || !strings.Contains(err.Error(), "a.parquet: the file changed while limpet was reading; run the command again") {
		t.Errorf("a file that was cut off between the readings: %v", err)
	}
}
