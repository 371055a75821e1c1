package clickhouse

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/study"
)

// TestCurrent asks the same of a current ClickHouse, which chdb has within.
func TestCurrent(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if exec.Command(node, "-e", `require("chdb")`).Run() != nil {
		t.Skip("node has no chdb: npm i chdb@3.4.0, and NODE_PATH to its node_modules")
	}
	f := wild(t, time.Date(2026, time.March, 20, 0, 0, 0, 0, time.UTC), 250, true)
	so := study.Options{Thresholds: []float64{1.3, 1.7, 2}, Zone: berlin(t)}
	want := f.embedded(t, nil, so)
	records := table{Name: "records"}
	l, err := newLayout(&schema{Table: records, Types: recordTypes}, defaultDescription())
	if err != nil {
		t.Fatal(err)
	}
	c := &chdb{TB: t, node: node, dir: t.TempDir()}
	c.prepare(f, want.fleet)
	n := newNames()
	c.ask(l.Names(records), func(scan func(...any) error) error { return n.sight(scan, l) })
	c.ask(l.Times(records), n.time)
	first, last := f.records[0].time.Unix()/hourSeconds, f.records[len(f.records)-1].time.Unix()/hourSeconds
	p := newPart(question{layout: l, Options: so, From: int32(first), To: int32(last + 1)}, want.fleet)
	c.ask(p.Cells(records), p.cell)
	c.ask(p.Tallies(records), p.tally)
	c.run()
	r, err := study.Merge(want.fleet, p.out)
	if err != nil {
		t.Fatal(err)
	}
	same(t, found(t, r, want.fleet, n.faults, nil), want)
	if rows := int64(len(f.records)); n.rows != rows || len(n.offsets) != 1 || r.Accounts[study.All].Rows != rows {
		t.Errorf("%d rows in the survey, at %d times of an hour, want %d at one", n.rows, len(n.offsets), rows)
	}
}

var recordTypes = map[string]string{
	"time": "DateTime64(3, 'UTC')", "group": "LowCardinality(String)", "drive": "String", "role": "LowCardinality(String)",
	"ios": "Nullable(Float64)", "latency_us": "Nullable(Float64)", "size_bytes": "Nullable(Float64)",
}

// A chdb is an engine that runs a list of statements and answers in lines.
type chdb struct {
	testing.TB
	node, dir  string
	statements []string
	rows       []func(scan func(...any) error) error
}

// prepare makes the tables, and those that would go along with a question.
func (c *chdb) prepare(f *fixture, fleet *study.Fleet) {
	columns := ""
	for _, name := range []string{"time", "group", "drive", "role", "ios", "latency_us", "size_bytes"} {
		columns += ", " + identifier(name) + " " + recordTypes[name]
	}
	c.statements = append(c.statements,
		"CREATE TABLE records ("+columns[2:]+") ENGINE = MergeTree ORDER BY (`group`, time)",
		"INSERT INTO records SELECT * FROM file("+text(filepath.Join(f.dir, "records.csv"))+", 'CSVWithNames', "+text(columns[2:])+
			") SETTINGS precise_float_parsing = 1, date_time_input_format = 'best_effort'",
		"CREATE TABLE "+groupsTable+" (gkey1 String, g UInt32, group_kind UInt8) ENGINE = Memory",
		"CREATE TABLE "+drivesTable+" (dkey1 String, d UInt32, parity UInt8, kind UInt8, deployed Int32) ENGINE = Memory")
	for i, name := range fleet.Groups {
		c.statements = append(c.statements, fmt.Sprintf("INSERT INTO %s VALUES (%s, %d, %d)", groupsTable, text(name), i+1, fleet.KindOf(int32(i))))
	}
	for i := range fleet.Drives {
		d := &fleet.Drives[i]
		r := driveRow(int32(i), d)
		c.statements = append(c.statements, fmt.Sprintf("INSERT INTO %s VALUES (%s, %d, %d, %d, %d)", drivesTable, text(d.Name), r[0], r[1], r[2], r[3]))
	}
}

func (c *chdb) ask(sql string, row func(func(...any) error) error) {
	c.statements = append(c.statements, sql)
	for len(c.rows) < len(c.statements) {
		c.rows = append(c.rows, nil)
	}
	c.rows[len(c.statements)-1] = row
}

// script runs statements and writes the answers to those that have any.
const script = `
const { Session } = require("chdb"), fs = require("fs");
const s = new Session();
JSON.parse(fs.readFileSync(0)).forEach((sql, i) => {
  const query = /^(--|SELECT)/.test(sql) ? sql + "\nSETTINGS output_format_json_quote_64bit_integers = 0, output_format_json_quote_denormals = 0" : sql;
  for (const line of s.query(query, "JSONCompactEachRow").split("\n")) if (line) console.log(i + " " + line);
});
s.cleanup();`

func (c *chdb) run() {
	c.Helper()
	input, err := json.Marshal(c.statements)
	if err != nil {
		c.Fatal(err)
	}
	cmd := exec.Command(c.node, "-e", script)
	cmd.Stdin, cmd.Stderr, cmd.Dir = bytes.NewReader(input), os.Stderr, c.dir
	out, err := cmd.Output()
	if err != nil {
		c.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<28)
	for lines.Scan() {
		number, line, _ := bytes.Cut(lines.Bytes(), []byte(" "))
		var at int
		var values []json.RawMessage
		if _, err := fmt.Sscan(string(number), &at); err != nil {
			c.Fatal(err)
		}
		if err := json.Unmarshal(line, &values); err != nil {
			c.Fatal(err)
		}
		err := c.rows[at](func(room ...any) error {
			for i := range room {
				if err := json.Unmarshal(values[i], room[i]); err != nil {
					return fmt.Errorf("column %d is %.100s: %w", i, values[i], err)
				}
			}
			return nil
		})
		if err != nil {
			c.Fatal(err)
		}
	}
}
