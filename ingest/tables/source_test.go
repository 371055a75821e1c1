package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// described reads a description that has no mistake.
func described(t testing.TB, text string) *Description {
	t.Helper()
	d, err := ParseDescription("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(yamlfile.Explain(err))
	}
	return d
}

// perDrive describes the small tables of these tests.
const perDrive = `
files: "{host}/*"
time: ts
component: "{host}/{disk}"
group: "{host}"
server: "{host}"
device: "{disk}"
metrics:
  latency: {unit: us, worse: higher}
  load: {unit: 1/s, worse: either, load: true}
`

// write makes files under a new directory and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t testing.TB, d *Description, step int64, paths ...string) *Source {
	t.Helper()
	return opened(t, d, Options{StepSeconds: step}, paths...)
}

// openTwice opens tables that are read twice: no samples are kept from the first reading.
func openTwice(t testing.TB, d *Description, step int64, paths ...string) *Source {
	t.Helper()
	return opened(t, d, Options{StepSeconds: step, readTwice: true}, paths...)
}

func opened(t testing.TB, d *Description, o Options, paths ...string) *Source {
	t.Helper()
	tables, err := Open(t.Context(), d, paths, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

// rows prints what a stream has: a line for each step and component with a
// value, - for what is missing.
func rows(t testing.TB, tables *Source) string {
	t.Helper()
	return formatted(t, tables, "%v")
}

func formatted(t testing.TB, tables *Source, format string) string {
	t.Helper()
	var b strings.Builder
	last := int64(-1)
	for {
		row, err := tables.Next(t.Context())
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if row.End <= last || row.End%tables.Schema().StepSeconds != 0 {
			t.Fatalf("row of %d after that of %d", row.End, last)
		}
		last = row.End
		writeRow(&b, tables, row, format)
	}
}

func writeRow(b *strings.Builder, tables *Source, row *table.Row, format string) {
	for c := range tables.System().Components {
		text, any := "", false
		for m := range row.Values {
			v := row.Values[m][c]
			if table.IsMissing(v) {
				text += " -"
				continue
			}
			text, any = text+fmt.Sprintf(" "+format, v), true
		}
		if any {
			fmt.Fprintf(b, "%d %s%s\n", row.End, tables.System().Components[c].Name, text)
		}
	}
}

// warned checks that there is one warning for each text that is wanted.
func warned(t testing.TB, tables *Source, want ...string) {
	t.Helper()
	var got []string
	for _, w := range tables.Warnings() {
		if text := w.String(); !strings.Contains(text, "members, and a comparison needs at least 3") && !strings.Contains(text, "1 member, and a comparison needs at least 3") {
			got = append(got, text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d warnings, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
		return
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("warning %s\nwant    %s", got[i], want[i])
		}
	}
}

func TestTables(t *testing.T) {
	tests := map[string]struct {
		description string
		step        int64
		files       map[string]string
		want        string
		warnings    []string
	}{
		"one file": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,7,100\n15,d2,8,50\n30,d1,9,NA\n30,d2,,\n"},
			"15 h1/d1 7 100\n15 h1/d2 8 50\n30 h1/d1 9 -\n", nil,
		},
		"columns in any order, one more": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "load,model,disk,ts,latency\n100,X,d1,15,7\n"},
			"15 h1/d1 7 100\n", nil,
		},
		"semicolons, quotes and carriage returns": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "\ufeff\"ts\";\"disk\";\"latency\";\"load\"\r\n15;\"d;\"\"1\"\"\";7;100\r\n"},
			"15 h1/d;\"1\" 7 100\n", nil,
		},
		"separator stated": {
			perDrive + "separator: tab\n", 15,
			map[string]string{"h1/a.csv": "ts\tdisk\tlatency\tload\tnote, with, commas\n15\td1\t7\t100\tx\n"},
			"15 h1/d1 7 100\n", nil,
		},
		"sorted by component": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,1,1\n30,d1,2,1\n45,d1,3,1\n15,d2,4,1\n30,d2,5,1\n45,d2,6,1\n"},
			"15 h1/d1 1 1\n15 h1/d2 4 1\n30 h1/d1 2 1\n30 h1/d2 5 1\n45 h1/d1 3 1\n45 h1/d2 6 1\n", nil,
		},
		"steps end on multiples": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n1,d1,1,1\n16,d1,2,1\n30,d1,3,1\n30.001,d1,4,1\n"},
			"15 h1/d1 1 1\n30 h1/d1 2.5 1\n45 h1/d1 4 1\n", nil,
		},
		"steps without a value are left out": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,1,1\n30,d1,NA,NA\n6000,d1,2,1\n"},
			"15 h1/d1 1 1\n6000 h1/d1 2 1\n", nil,
		},
		"latency is weighted by load": {
			perDrive, 60,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,10,300\n30,d1,50,100\n15,d2,10,0\n30,d2,30,0\n"},
			"60 h1/d1 20 200\n60 h1/d2 20 0\n", nil,
		},
		"unknown load counts as the mean load": {
			perDrive, 60,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,10,300\n30,d1,20,100\n45,d1,35,NA\n15,d2,4,NA\n30,d2,6,NA\n45,d2,NA,90\n"},
			"60 h1/d1 20 200\n60 h1/d2 5 90\n", nil,
		},
		"mean over time": {
			strings.Replace(perDrive, "worse: higher", "worse: higher, mean: time", 1), 60,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,10,300\n30,d1,50,100\n"},
			"60 h1/d1 30 200\n", nil,
		},
		"tidy": {
			perDrive + "tidy: {metric: what, value: v}\n", 60,
			map[string]string{"h1/a.csv": "ts,disk,what,v\n15,d1,latency,10\n15,d1,load,300\n15,d1,temperature,-3\n30,d1,load,100\n30,d1,latency,50\n15,d2,latency,7\n15,d9,humidity,7\n"},
			"60 h1/d1 20 200\n60 h1/d2 7 -\n", nil,
		},
		"metrics in files of their own": {
			strings.Replace(perDrive, "group:", "tidy: {metric: what, value: v}\ngroup:", 1), 60,
			map[string]string{"h1/a.csv": "ts,disk,what,v\n15,d1,latency,10\n30,d1,latency,50\n", "h1/b.csv": "ts,disk,what,v\n15,d1,load,300\n30,d1,load,100\n"},
			"60 h1/d1 20 200\n", nil,
		},
		"short and long lines": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,1,1\n30,d1,2\n45,d1\n60\n75,d1,2,5,1,5\n90,d1,3,1,,\n"},
			"15 h1/d1 1 1\n30 h1/d1 2 -\n90 h1/d1 3 1\n",
			[]string{`a.csv:3: 3 lines have fewer fields than the header (the first of these lines is "30,d1,2")`, `a.csv:6: 1 line is left out, because a line has more fields than the header`},
		},
		"values that cannot be": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,-1,5\n30,d1,Inf,5\n45,d1,x,5\n60,d1,-7,y\n"},
			"15 h1/d1 - 5\n30 h1/d1 - 5\n45 h1/d1 - 5\n",
			[]string{
				`a.csv:4: 2 values are not numeric; limpet counts these values as missing (the first is "x" in column latency)`,
				`a.csv:2: 2 values are below zero; limpet counts these values as missing (the first is "-1" in column latency)`,
				`a.csv:3: 1 value is infinite; limpet counts these values as missing (the first is "Inf" in column latency)`,
				`latency is empty in all files`,
			},
		},
		"values beyond belief": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,1e308,5\n30,d1,86400000000,1e18\n45,d1,86400000001,5e-324\n60,d1,-0,1\n75,d1,1,1e22\n"},
			"15 h1/d1 - 5\n30 h1/d1 8.64e+10 1e+18\n45 h1/d1 - 5e-324\n60 h1/d1 -0 1\n75 h1/d1 1 -\n",
			[]string{`a.csv:2: 3 values are implausibly large; limpet counts these values as missing (the first is "1e308" in column latency)`},
		},
		"lines that cannot be": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,1,1\nts,disk,latency,load\n1658145600000,d1,1,1\n15,,1,1\n15,NA,1,1\n30,\"d1,1,1\n30,d1,1,1\n"},
			"15 h1/d1 1 1\n30 h1/d1 1 1\n",
			[]string{
				`a.csv:7: 1 line is left out, because a quote is not closed or a line has more than 256 kB; correct the file`, `a.csv:3: 1 line is left out, because the time is not in the format Unix seconds or RFC 3339 (the first of these lines is "ts")`,
				`a.csv:4: 1 line is left out, because the time is not between 1970 and 2200 (the first of these lines is "1658145600000"); write the unit of the time under "time" in the description file, such as format: unix_ms`,
				`a.csv:5: 2 lines are left out, because the name of the component or of the group is empty`,
			},
		},
		"a file twice as long replaces the one before": {
			perDrive, 15,
			map[string]string{"h1/2.csv": "ts,disk,latency,load\n15,d1,1,1\n30,d1,2,2\n", "h1/10.csv": "ts,disk,latency,load\n30,d1,3,NA\n45,d1,4,4\n"},
			"15 h1/d1 1 1\n30 h1/d1 3 2\n45 h1/d1 4 4\n",
			[]string{"1 value is in the data twice, for the same component, metric and time (1 of these values in two files). The first is a value of h1/d1, which is also in "},
		},
		"a line twice": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,1,1\n15,d1,2,2\n30,d1,3,3\n"},
			"15 h1/d1 2 2\n30 h1/d1 3 3\n",
			[]string{"a.csv: 2 values are in the data twice, for the same component, metric and time (0 of these values in two files)"},
		},
		"a step in two files": {
			perDrive, 60,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n15,d1,1,1\n30,d1,2,1\n", "h1/b.csv": "ts,disk,latency,load\n45,d1,6,1\n60,d1,7,1\n"},
			"60 h1/d1 4 1\n", nil,
		},
		"empty files": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "", "h1/b.csv": "ts,disk,latency,load\n", "h1/c.csv": "ts,disk,latency,load\n15,d1,1,1\n"},
			"15 h1/d1 1 1\n",
			[]string{"a.csv: the file is empty; remove this file"},
		},
		"nothing but headers": {
			perDrive, 15,
			map[string]string{"h1/b.csv": "ts,disk,latency,load\n"},
			"",
			[]string{"latency is empty in all files", "load is empty in all files"},
		},
		"step shorter than the interval": {
			perDrive, 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n60,d1,1,1\n120,d1,1,1\n180,d1,1,1\n15,d2,1,1\n30,d2,1,1\n"},
			"15 h1/d2 1 1\n30 h1/d2 1 1\n60 h1/d1 1 1\n120 h1/d1 1 1\n180 h1/d1 1 1\n",
			[]string{"the samples of 1 of 2 components have an interval of 60 s, longer than the time step of 15 s, so many time steps have no values of these components; use --step 60"},
		},
		"milliseconds that are seconds": {
			strings.Replace(perDrive, "time: ts", "time: {column: ts, format: unix_ms}", 1), 15,
			map[string]string{"h1/a.csv": "ts,disk,latency,load\n1658145600,d1,1,1\n"},
			"1658160 h1/d1 1 1\n",
			[]string{"the last time in the data is in the year 1970, so the unit of the times may be wrong; if the times are in seconds, write \"format: unix\""},
		},
		"a component in two groups of one file": {
			strings.Replace(perDrive, `group: "{host}"`, `group: "{model}"`, 1), 15,
			map[string]string{"h1/a.csv": "ts,disk,model,latency,load\n15,d1,X,1,1\n30,d1,Y,2,2\n45,d1,Z,2,2\n"},
			"15 h1/d1 1 1\n30 h1/d1 2 2\n45 h1/d1 2 2\n",
			[]string{"1 component has more than one peer group or server (the first is h1/d1); limpet uses the peer group and server of the first line"},
		},
		"a component in two groups of two files": {
			strings.Replace(perDrive, `group: "{host}"`, `group: "{model}"`, 1), 15,
			map[string]string{"h1/a.csv": "ts,disk,model,latency,load\n15,d1,X,1,1\n30,d1,X,2,2\n", "h1/b.csv": "ts,disk,model,latency,load\n45,d1,Y,3,3\n"},
			"15 h1/d1 1 1\n30 h1/d1 2 2\n45 h1/d1 3 3\n",
			[]string{"1 component has more than one peer group or server (the first is h1/d1); limpet uses the peer group and server of the first line"},
		},
		"a field of the path that nothing uses": {
			strings.Replace(perDrive, "{host}/*", "{cluster}/{host}/*", 1), 15,
			map[string]string{"A/h1/a.csv": "ts,disk,latency,load\n15,d1,1,1\n", "B/h1/a.csv": "ts,disk,latency,load\n30,d1,2,2\n"},
			"15 h1/d1 1 1\n30 h1/d1 2 2\n",
			[]string{"h1/d1 is read as one component, although the field {cluster} in the path is B for this file and A for another file. If there are two components, add {cluster}"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tables := open(t, described(t, tt.description), tt.step, write(t, tt.files))
			if got := rows(t, tables); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			warned(t, tables, tt.warnings...)
		})
	}
}

func TestTablesSchema(t *testing.T) {
	dir := write(t, map[string]string{"h10/a.csv": "ts,disk,latency,load\n20,d10,1,1\n40,d10,1,1\n40,d9,1,1\n60,d10,1,1\n", "h9/a.csv": "ts,disk,latency,load\n20,d1,1,1\n40,d1,1,1\n"})
	tables := open(t, described(t, perDrive), 0, dir)
	s := tables.Schema()
	if s.StepSeconds != 20 || s.Components != 3 || s.Load != 1 || !s.Sparse || len(s.Metrics) != 2 {
		t.Errorf("schema %+v", s)
	}
	var labels []string
	for i := range tables.System().Components {
		labels = append(labels, tables.System().Label(i))
	}
	if got := strings.Join(labels, " "); got != "1:h9/d1 2:h10/d9 2:h10/d10" {
		t.Errorf("components %s", got)
	}
	if c := tables.System().Components[1]; c.Server != "h10" || c.Device != "d9" {
		t.Errorf("component %+v", c)
	}
	if s := open(t, described(t, perDrive+"absence: tells\n"), 0, dir).Schema(); s.Sparse {
		t.Error("absence: tells leaves the schema sparse")
	}
}

func TestStepChoice(t *testing.T) {
	const header = "ts,disk,latency,load\n"
	tests := map[string]struct {
		files map[string]string
		want  int64
	}{
		"the interval of most files": {map[string]string{"h1/a.csv": header + "60,d1,1,1\n120,d1,1,1\n", "h1/b.csv": header + "180,d1,1,1\n200,d1,1,1\n220,d1,1,1\n240,d1,1,1\n"}, 20},
		"a file for each time":       {map[string]string{"h1/1.csv": header + "60,d1,1,1\n", "h1/2.csv": header + "90,d1,1,1\n", "h1/10.csv": header + "120,d1,1,1\n"}, 30},
		"that of most components":    {map[string]string{"h1/a.csv": header + "10,d1,1,1\n20,d1,1,1\n30,d1,1,1\n40,d1,1,1\n30,d2,1,1\n60,d2,1,1\n30,d3,1,1\n60,d3,1,1\n"}, 30},
		"less than a second":         {map[string]string{"h1/a.csv": header + "10.1,d1,1,1\n10.2,d1,1,1\n"}, 1},
		"no samples":                 {map[string]string{"h1/a.csv": header}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := open(t, described(t, perDrive), 0, write(t, tt.files)).Schema().StepSeconds; got != tt.want {
				t.Errorf("a step of %d s, want %d", got, tt.want)
			}
		})
	}
}

func TestOpenTablesErrors(t *testing.T) {
	good := "ts,disk,latency,load\n15,d1,1,1\n"
	tests := map[string]struct {
		description string
		files       map[string]string
		step        int64
		want        []string
	}{
		"no file": {perDrive, nil, 0, []string{"no file in ", " matches {host}/*; name another directory"}},
		"no match": {
			strings.Replace(perDrive, "{host}/*", "{host}/*.csv", 1),
			map[string]string{"h1/a.txt": good},
			0,
			[]string{" matches {host}/*.csv; there is 1 file, such as ", "a.txt. Correct the setting \"files\" in the description file"},
		},
		"no column": {
			perDrive,
			map[string]string{"h2/a.csv": "ts,drive,load\n"},
			0,
			[]string{"h2/a.csv: there is no column disk, latency; the file has the columns ts, drive, load: correct the description file"},
		},
		"column twice": {perDrive, map[string]string{"h1/a.csv": "ts,disk,latency,latency,load\n"}, 0, []string{"a.csv: column latency is listed twice"}},
		"no table":     {perDrive, map[string]string{"h1/a.csv": "\x00\x01\x02"}, 0, []string{"a.csv: there is no column ts, disk, latency, load; the file has the columns \"\\x00\\x01\\x02\""}},
		"no header":    {perDrive, map[string]string{"h1/a.csv": "\"ts,disk"}, 0, []string{"a.csv: the CSV data cannot be read: the first line does not name the columns: quotes are not closed"}},
		"step":         {perDrive, map[string]string{"h1/a.csv": good}, -1, []string{"a time step of -1 s is not possible"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), described(t, tt.description), []string{write(t, tt.files)}, Options{StepSeconds: tt.step})
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %v\nwant  %s", err, want)
				}
			}
		})
	}
	if _, err := Open(t.Context(), described(t, perDrive), []string{filepath.Join(t.TempDir(), "none")}, Options{}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a path that does not exist: %v", err)
	}
}

// TestOneBadTable: a file without a column costs itself alone.
func TestOneBadTable(t *testing.T) {
	files := map[string]string{"h1/a.csv": "ts,disk,latency,load\n1600000000,d1,5,1\n", "h2/a.csv": "ts,drive,load\n"}
	tables, err := Open(t.Context(), described(t, perDrive), []string{write(t, files)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	if len(tables.System().Components) != 1 {
		t.Errorf("components %v", tables.System().Components)
	}
	if ws := tables.Warnings(); len(ws) == 0 || !strings.Contains(ws[0].Text, "h2/a.csv: there is no column disk, latency") {
		t.Errorf("warnings %v", ws)
	}
}

// TestTooManyComponents: as many as memory holds are read, and none more.
func TestTooManyComponents(t *testing.T) {
	const memory = 16 << 20
	open := func(n int) error {
		s, err := Open(t.Context(), described(t, perDrive), []string{write(t, map[string]string{"h1/a.csv": countTo(n)})}, Options{MemoryBytes: memory})
		if err == nil {
			s.Close()
		}
		return err
	}
	if err := open(memory / componentBytes); err != nil {
		t.Error(err)
	}
	want := "a.csv: there are more than 4096 components, such as h1/d0, and the memory limit allows no more; check the setting \"component\" in the description file, or increase --max-memory"
	if err := open(memory/componentBytes + 1); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}

// countTo writes a table in which each line has another drive.
func countTo(n int) string {
	var b strings.Builder
	b.WriteString("ts,disk,latency,load\n")
	for i := range n {
		fmt.Fprintf(&b, "15,d%d,5,1\n", i)
	}
	return b.String()
}

func TestTablesAreCancelled(t *testing.T) {
	dir := write(t, map[string]string{"h1/a.csv": packedTable})
	ctx, cancel := context.WithCancel(t.Context())
	tables, err := Open(ctx, described(t, perDrive), []string{dir}, Options{StepSeconds: 15})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	cancel()
	if row, err := tables.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("row %v, error %v", row, err)
	}
	if _, err := Open(ctx, described(t, perDrive), []string{dir}, Options{StepSeconds: 15}); !errors.Is(err, context.Canceled) {
		t.Errorf("opened with error %v", err)
	}
}

var _ ingest.Source = (*Source)(nil)
