package tables_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/ingest/tables"
)

// TestDescribe: a draft is a description, says what it has to, and reads the table.
func TestDescribe(t *testing.T) {
	for name, tt := range map[string]struct {
		table string
		want  []string
		rows  bool
	}{
		"a server's drives": {
			"time,host,drive,latency_ms,iops\n2026-05-09 00:00:00,b,sda,1,2\n2026-05-09 00:00:00,b,sdb,1,2\n2026-05-09 00:00:00,b,sdc,1,2\n2026-05-09 00:00:15,b,sda,1,2\n",
			[]string{"time: {column: time, zone: UTC}", `component: "{host}/{drive}"`, `group: "{host}"`, "latency: {column: latency_ms, unit: ms, worse: higher}", "iops: {unit: 1/s, worse: either, load: true}", "the times name no time zone"},
			true,
		},
		"one drive each, in German": {
			"Zeit;Timestamp;Host;Disk ID;Read Latency (us);throughput;Temperature\nx;09.05.2026 00:00:00;a;1;3;5;31\nx;09.05.2026 00:00:00;b;1;3;5;31\n",
			[]string{`format: "%d.%m.%Y %H:%M:%S"`, `component: "{Host}/{Disk ID}"`, "group: {text: all}", `read_latency: {column: "Read Latency (us)", unit: us`, "the unit of throughput is a guess", "not used: Zeit, Temperature"},
			true,
		},
		"milliseconds since 1970": {"ts,disk_id,await,model\n1767225600000,7,3,X1\n", []string{`format: "unix_ms"`, `model: "{model}"`, "await: {unit: ms", "the unit of await is a guess", `component: "{disk_id}"`}, true},
		"a word among latencies":  {"ts,disk,await,tps\n1767225600,a,7,30\n1767225615,a,timeout,31\n1767225630,a,8,32\n", []string{"await: {unit: ms, worse: higher}", `column await has values that are not numbers, such as "timeout": they count as missing`}, true},
		"units in the values":     {"ts,disk,await,tps\n1767225600,a,7ms,30\n1767225615,a,6ms,31\n", []string{"tps: {unit: 1/s", `column await is not used, because most of its values are not numbers, such as "7ms"`}, true},
		"times that are none":     {"time,disk,latency_us\nsoon,7,3\n", []string{`column time has times such as "soon": write the format of the times`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.csv")
			if err := os.WriteFile(path, []byte(tt.table), 0o600); err != nil {
				t.Fatal(err)
			}
			text, err := tables.Describe(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			d, err := tables.ParseDescription("draft.yaml", []byte(text))
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			src, err := tables.Open(t.Context(), d, []string{path}, tables.Options{})
			if (err == nil) != tt.rows {
				t.Fatalf("%v of\n%s", err, text)
			}
			if err == nil {
				defer src.Close()
				if _, err := src.Next(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestDescribeOtherLanguages: a draft knows usual names of columns in other languages. If it cannot
// name a column, it says which column this is, and what to write.
func TestDescribeOtherLanguages(t *testing.T) {
	for header, want := range map[string][]string{
		"Zeit;Server;Platte;IOPS;Latenz (ms);Auslastung %": {
			`decimal: ","`, "{column: Zeit, format: \"%d.%m.%Y %H:%M:%S\"", `component: "{Server}/{Platte}"`, `group: "{Server}"`, `latenz: {column: "Latenz (ms)", unit: ms, worse: higher}`,
			"columns that are not used: Auslastung %\n", `such as x: {column: "Auslastung %", unit: ms, worse: higher}`,
		},
		"Horodatage;Serveur;Disque;Requêtes;Latence (ms);Charge": {`component: "{Serveur}/{Disque}"`, `latence: {column: "Latence (ms)", unit: ms, worse: higher}`, "requêtes: {column: Requêtes, unit: 1/s, worse: either, load: true}"},
		"Zeit;Server;Spindel;IOPS;Latenz (ms);Auslastung %": {
			"columns that are not used: Spindel, Auslastung %\n", "has names of drives or servers, write this column into component", "several lines have the same component and time",
		},
	} {
		var rows strings.Builder
		for _, disk := range []string{"sda", "sdb", "sdc"} {
			fmt.Fprintf(&rows, "09.05.2026 08:00:00;s1;%s;100;4,%d;32,5\n", disk, len(rows.String()))
		}
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(header+"\n"+rows.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		text, err := tables.Describe(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", header, w, text)
			}
		}
		if _, err := tables.ParseDescription("draft.yaml", []byte(text)); err != nil {
			t.Errorf("%s: %v", header, err)
		}
	}
}

func TestDescribeRefuses(t *testing.T) {
	for table, want := range map[string]string{
		"a,b\n1,2\n":                "none of the columns a, b is a time",
		"time,latency\n1,2\n":       "none of the columns time, latency contains names of drives or servers",
		"time,host,colour\n1,2,3\n": "has the name of a latency, a rate or a load",
		"time,disk,lat_ms\n1,a,x\n": `the values of column lat_ms are not numbers, such as "x"`,
		"":                          "empty",
		"ts|disk|await\n1|a|3\n":    `the header "ts|disk|await" has one column`,
		"2026-03-01T00:00:00Z,sdb,7.1,99\n2026-03-01T00:00:15Z,sdb,7.2,98\n": "the first line has values and no names of columns",
		"1659358815,sdb,7.1\n1659358830,sdb,7.2\n":                           "the first line has values and no names of columns",
	} {
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := tables.Describe(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", table, err, want)
		}
	}
}

// TestDescribeOtherEnding: the draft of a table that is no .csv names its files, because limpet reads only
// .csv and .parquet without this setting.
func TestDescribeOtherEnding(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.tsv"), []byte("ts\tdisk\tawait\n1767225600\ta\t3\n1767225615\ta\t4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := tables.Describe(filepath.Join(dir, "a.tsv"))
	if err != nil || !strings.Contains(text, `files: "*.tsv"`) {
		t.Fatalf("%s, error %v", text, err)
	}
	if err := readAll(t, text, dir, 1); err != io.EOF {
		t.Error(err)
	}
}
