package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study/clickhouse/clickhousetest"
)

// Tables of what limpet simulate fleet writes; the first is that of
// docs/study-clickhouse.md.
const (
	recordsTable = "(time DateTime, `group` String, drive String, role String, ios UInt32, latency_us UInt32, size_bytes UInt32) " +
		"ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (time, `group`)"
	inventoryTable = "(drive String, `group` String, slot UInt8, role String, kind String, raid String, model String, vendor String, " +
		"flash String, interface String, rpm String, capacity_gb String, deployed Date) ENGINE = MergeTree ORDER BY drive"
	eventsTable = "(time DateTime, drive String, event String) ENGINE = MergeTree ORDER BY (drive, time)"
)

// ask has clickhouse-client send a query, with a file if there is one.
func ask(t *testing.T, s *clickhousetest.Server, sql, file string) {
	t.Helper()
	client, err := exec.LookPath("clickhouse-client")
	if err != nil {
		t.Skip("clickhouse-client is not installed")
	}
	cmd := exec.Command(client, "--port", s.Port(), "--date_time_input_format", "best_effort", "--insert_distributed_sync", "1", "--query", sql)
	if file != "" {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		cmd.Stdin = in
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", sql, err, out)
	}
}

// TestStudyClickHouseTable holds the documentation to the table that is tried.
func TestStudyClickHouseTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/study-clickhouse.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), "CREATE TABLE records "+recordsTable) {
		t.Errorf("docs/study-clickhouse.md does not show the table %s", recordsTable)
	}
}

// loadFleet makes tables of a fleet's files.
func loadFleet(t *testing.T, s *clickhousetest.Server, dir string) {
	t.Helper()
	s.Exec("CREATE TABLE records " + recordsTable)
	s.Exec("CREATE TABLE inventory " + inventoryTable)
	s.Exec("CREATE TABLE events " + eventsTable)
	files, err := filepath.Glob(filepath.Join(dir, "records", "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatal("no records", err)
	}
	for _, file := range files {
		ask(t, s, "INSERT INTO records FORMAT CSVWithNames", file)
	}
	ask(t, s, "INSERT INTO inventory FORMAT CSVWithNames", filepath.Join(dir, "inventory.csv"))
	ask(t, s, "INSERT INTO events FORMAT CSVWithNames", filepath.Join(dir, "events.csv"))
}

// spread makes a Distributed table of the first server's records.
func spread(t *testing.T, servers []*clickhousetest.Server) {
	t.Helper()
	for _, s := range servers {
		s.Exec("CREATE TABLE shard " + recordsTable)
	}
	servers[0].Exec("CREATE TABLE every AS shard ENGINE = Distributed(all, default, shard, cityHash64(`group`))")
	ask(t, servers[0], "INSERT INTO every SELECT * FROM records", "")
	for _, s := range servers {
		var n uint64
		if err := s.Conn.QueryRow(t.Context(), "SELECT count() FROM shard").Scan(&n); err != nil || n == 0 {
			t.Fatalf("a shard has %d records, error %v", n, err)
		}
	}
}

// TestStudyClickHouse demands the bytes that a study of the files has, of one
// server and of two, for one who may only read.
func TestStudyClickHouse(t *testing.T) {
	servers := clickhousetest.Start(t, 2)
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days, o.Format = 12, 12, 8, fleet.CSV
	dir, _ := writeFleet(t, o)
	want := studyBytes(t, dir)
	loadFleet(t, servers[0], dir)
	spread(t, servers)
	files := []string{"--inventory", filepath.Join(dir, "inventory.csv"), "--events", filepath.Join(dir, "events.csv")}
	tables := []string{"--inventory-table", "inventory", "--events-table", "default.events"}
	reader := "clickhouse://" + clickhousetest.Reader + "@" + servers[0].Address + "/default"
	t.Setenv(passwordVariable, clickhousetest.ReaderPassword)
	tests := map[string]struct {
		table string
		args  []string
	}{
		"files beside":  {"records", files},
		"tables beside": {"default.records", append(tables, "--workers", "1", "--query-rows", "10000")},
		"two servers":   {"every", tables},
		"gathered":      {"every", append(files, "--gather")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			from := fmt.Sprintf(`"paths":[%q,%q]`, reader, test.table)
			got := studyBytes(t, append([]string{"--clickhouse", reader, "--table", test.table}, test.args...)...)
			if !strings.Contains(got, from) {
				t.Errorf("the study does not say %s", from)
			}
			if strings.Replace(got, from, fmt.Sprintf(`"paths":[%q]`, dir), 1) != want {
				t.Errorf("the study of ClickHouse (%d bytes) differs from that of files (%d bytes)", len(got), len(want))
			}
		})
	}
}

// studyBytes is a study as JSON, with options that are not the usual ones.
func studyBytes(t *testing.T, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	args = append([]string{"study", "--format", "json", "--threshold", "1.3", "--threshold", "2", "--zone", "Europe/Berlin"}, args...)
	if code := run(t.Context(), args, strings.NewReader(""), &out, &stderr); code != 0 {
		t.Fatalf("limpet %v: exit %d: %s", args, code, stderr.String())
	}
	return out.String()
}

// TestStudyClickHouseInterrupted stops the command while the server works: it
// says so, and the server stops, too.
func TestStudyClickHouseInterrupted(t *testing.T) {
	s := clickhousetest.Start(t, 1)[0]
	s.Exec("CREATE TABLE records " + recordsTable)
	s.Exec("INSERT INTO records SELECT toDateTime(1767225600 + 3600 * intDiv(number, 10000)), toString(intDiv(number, 10) % 1000), " +
		"toString(number % 10000), 'data', 1000, 4000 + number % 77, 4096 FROM system.numbers LIMIT 4000000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for running(t, s, "groupArray") == 0 && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	temp := t.TempDir()
	var stderr bytes.Buffer
	code := run(ctx, []string{"study", "--clickhouse", s.DSN(), "--table", "records", "--temp", temp}, strings.NewReader(""), io.Discard, &stderr)
	if code != exitError || !strings.Contains(stderr.String(), "interrupted: nothing was written") {
		t.Errorf("exit %d, %q on stderr", code, stderr.String())
	}
	if hasFiles(temp) {
		t.Error("temporary files are left")
	}
	for deadline := time.Now().Add(time.Minute); running(t, s, "groupArray") > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the server still works on a query of a study that was stopped")
		}
	}
}

// running counts the queries with a word in them that the server works on.
func running(t *testing.T, s *clickhousetest.Server, word string) (n uint64) {
	err := s.Conn.QueryRow(t.Context(), "SELECT count() FROM system.processes WHERE position(query, '"+word+"') > 0 AND position(query, 'system.processes') = 0").Scan(&n)
	if err != nil {
		t.Errorf("system.processes: %v", err)
	}
	return n
}
