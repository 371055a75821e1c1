package tool

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// perfRows returns the rows of a text of perf dumps, by column.
func perfRows(t *testing.T, text string) []map[string]string {
	t.Helper()
	table, err := readTable(t, "ceph-perf", text)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestPerfDumpsOfARealCeph: the store of the OSD whose disk is slow takes longer than the stores of
// its peers, while operations of clients take about as long on all OSDs.
func TestPerfDumpsOfARealCeph(t *testing.T) {
	rows := perfRows(t, fixture(t, "tables/ceph-perf/ceph-perf-16.2.txt"))
	const osds, intervals = 6, 4
	if len(rows) != osds*intervals {
		t.Fatalf("%d rows", len(rows))
	}
	number := func(row map[string]string, column string) float64 {
		v, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			t.Fatalf("%s of %v: %v", column, row, err)
		}
		return v
	}
	last := rows[osds*(intervals-1):]
	slow := last[osds-1]
	if slow["osd"] != "osd.5" || slow["host"] != "s6" || slow["class"] != "ssd" || slow["device"] != "loop11" || slow["pgs"] != "129" || slow["primaries"] != "21" {
		t.Errorf("%v", slow)
	}
	for _, peer := range last[:osds-1] {
		if ratio := number(slow, "latency") / number(peer, "latency"); ratio < 8 {
			t.Errorf("osd.5 is %v times slower than %s", ratio, peer["osd"])
		}
		if ratio := number(slow, "op_latency") / number(peer, "op_latency"); ratio > 3 {
			t.Errorf("operations of osd.5 take %v times as long as those of %s", ratio, peer["osd"])
		}
	}
	for _, row := range rows[:osds] {
		if ratio := number(row, "latency") / number(rows[0], "latency"); ratio < 0.5 || ratio > 2 {
			t.Errorf("before the fault %s takes %v times as long as osd.0", row["osd"], ratio)
		}
	}
}

// dumpOf is the dump of an OSD with so many reads of 2 ms and commits of 20 ms, each times as slow.
func dumpOf(osd, reads, commits int, times float64) string {
	return fmt.Sprintf(`osd.%d
{"osd": {"op_latency": {"avgcount": %d, "sum": 1}, "op_process_latency": {}, "op_in_bytes": %d, "op_out_bytes": 0, "numpg": 10, "numpg_primary": 3, "stat_bytes": 1000, "stat_bytes_used": 250},
 "bluestore": {"txc_commit_lat": {"avgcount": %d, "sum": %g}, "read_lat": {"avgcount": %d, "sum": %g}}}
`, osd, reads, reads*4096, commits, float64(commits)*0.020*times, reads, float64(reads)*0.002*times)
}

// TestPerfDumpsAreStandardised: an OSD with fewer reads than its peers is as fast as they are, and one
// that is three times slower is three times slower, whatever it serves.
func TestPerfDumpsAreStandardised(t *testing.T) {
	text := "1794784343\n" + dumpOf(0, 0, 0, 1) + dumpOf(1, 0, 0, 1) + dumpOf(2, 0, 0, 1) + dumpOf(10, 0, 0, 1) +
		"1794784353\n" + dumpOf(0, 100, 100, 1) + dumpOf(1, 0, 100, 1) + dumpOf(2, 900, 10, 1) + dumpOf(10, 10, 100, 3)
	rows := perfRows(t, text)
	if len(rows) != 4 || rows[3]["osd"] != "osd.10" {
		t.Fatalf("%v", rows)
	}
	healthy := rows[0]["latency"]
	for _, row := range rows {
		want := 1.0
		if row["osd"] == "osd.10" {
			want = 3
		}
		own, _ := strconv.ParseFloat(row["latency"], 64)
		peers, _ := strconv.ParseFloat(healthy, 64)
		if ratio := own / peers; ratio < 0.99*want || ratio > 1.01*want {
			t.Errorf("%s: %v times, want %v", row["osd"], ratio, want)
		}
	}
	if r := rows[0]; r["work"] != "20" || r["ops"] != "10" || r["bytes"] != "40960" || r["size"] != "1000" || r["free"] != "750" || r["commit"] != "20" || r["read"] != "2" || r["class"] != "OSDs" || r["host"] != "" {
		t.Errorf("%v", r)
	}
	if r := rows[1]; r["read"] != "" {
		t.Errorf("an OSD without a read has the latency %q", r["read"])
	}
}

// TestPerfDumpsWithAQueue: operations that wait in the queue of a daemon make its OSD slow, although its
// store is as fast as others. Time before the queue is the network's, and counts for nothing.
func TestPerfDumpsWithAQueue(t *testing.T) {
	dump := func(osd, n int, network, queue float64) string {
		return fmt.Sprintf(`osd.%d
{"osd": {"op_latency": {"avgcount": %d, "sum": 1}, "op_process_latency": {}, "numpg_primary": 3,
 "op_before_queue_op_lat": {"avgcount": %[2]d, "sum": %[3]g}, "op_before_dequeue_op_lat": {"avgcount": %[2]d, "sum": %[4]g}},
 "bluestore": {"read_lat": {"avgcount": %[2]d, "sum": %[5]g}}}
`, osd, n, float64(n)*network, float64(n)*(network+queue), float64(n)*0.001)
	}
	text := "1794784343\n" + dump(0, 0, 0, 0) + dump(1, 0, 0, 0) + dump(2, 0, 0, 0) + dump(3, 0, 0, 0) +
		"1794784353\n" + dump(0, 100, 0.002, 0.001) + dump(1, 100, 0.002, 0.001) + dump(2, 100, 0.050, 0.001) + dump(3, 100, 0.002, 0.009)
	var got []string
	for _, row := range perfRows(t, text) {
		ms, _ := strconv.ParseFloat(row["latency"], 64)
		got = append(got, fmt.Sprintf("%s %.1f", row["osd"], ms))
	}
	if want := "osd.0 2.0, osd.1 2.0, osd.2 2.0, osd.3 10.0"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestPerfDumpsAreWeighed: in a replicated pool, an OSD that reads more bytes with as many requests has
// more work. In an erasure-coded pool bytes of clients are not those of the store.
func TestPerfDumpsAreWeighed(t *testing.T) {
	dump := func(osd, reads, clientReads, bytes int) string {
		return fmt.Sprintf(`osd.%d
{"osd": {"op_latency": {"avgcount": %[3]d, "sum": 1}, "op_process_latency": {}, "op_r": %[3]d, "op_r_out_bytes": %[4]d, "op_out_bytes": %[4]d, "numpg_primary": 3},
 "bluestore": {"read_lat": {"avgcount": %[2]d, "sum": 1}}}
`, osd, reads, clientReads, bytes)
	}
	for want, perRead := range map[string]int{"10 10 20": 1, "10 10 10": 4} {
		text, next := "1794784343\n", "1794784353\n"
		for osd, bytes := range []int{1000, 1000, 2000} {
			text, next = text+dump(osd, 0, 0, 0), next+dump(osd, 100, 100/perRead, bytes)
		}
		var got []string
		for _, row := range perfRows(t, text+next) {
			got = append(got, row["work"])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d reads of the store for one of a client: %v, want %s", perRead, got, want)
		}
	}
}

// TestPerfDumpsOfADaemonThatRestarts: no difference is taken over a restart, and an OSD that does not
// answer has no row.
func TestPerfDumpsOfADaemonThatRestarts(t *testing.T) {
	text := "1794784343\n" + dumpOf(0, 100, 100, 1) + dumpOf(1, 100, 100, 1) +
		"1794784353\n" + dumpOf(0, 5, 5, 1) +
		"1794784363\n" + dumpOf(0, 105, 5, 1) + dumpOf(1, 300, 100, 1)
	var got []string
	for _, row := range perfRows(t, text) {
		got = append(got, row["time"]+" "+row["osd"]+" "+row["work"])
	}
	if want := "1794784363 osd.0 10, 1794784363 osd.1 10"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestPerfDumpsRefused: the error of a wrong text is one line with the cure.
func TestPerfDumpsRefused(t *testing.T) {
	dump := dumpOf(0, 1, 1, 1)
	for text, want := range map[string]string{
		dump: "the output has no time: run `date",
		"1794784343\n" + strings.TrimPrefix(dump, "osd.0\n"):       "the output does not name the OSD: run `echo osd.N`",
		"1794784343\nosd.0\n{\"osd\": }\n":                         "the JSON that ends in this line cannot be read",
		"1794784343\nosd.0\n{\"mds\": {}}\n":                       "the file has no samples of drives",
		"[{\"id\": \"x\"}]\n1794784343\n" + dump:                   "the JSON that ends in this line cannot be read",
		"1794784343\nosd.0\n{\"a\": \"}{\", \"osd\": {}} nonsense": "the file has no samples of drives",
	} {
		_, err := readTable(t, "ceph-perf", text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestPerfDumpsPretty: ceph prints JSON over many lines unless it is told otherwise, and with -f json no
// newline after it. The rows are the same.
func TestPerfDumpsPretty(t *testing.T) {
	plain := fixture(t, "tables/ceph-perf/ceph-perf-16.2.txt")
	var pretty, joined strings.Builder
	for line := range strings.Lines(plain) {
		if !strings.HasPrefix(line, `{"`) {
			pretty.WriteString(line)
			joined.WriteString(line)
			continue
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(strings.TrimSpace(line)), "", "    "); err != nil {
			t.Fatal(err)
		}
		pretty.WriteString(indented.String() + "\n")
		joined.WriteString(strings.TrimSpace(line))
	}
	want := fmt.Sprint(perfRows(t, plain))
	if got := fmt.Sprint(perfRows(t, pretty.String())); got != want {
		t.Errorf("pretty:\n%s\nwant\n%s", got, want)
	}
	if got := fmt.Sprint(perfRows(t, joined.String())); got != want {
		t.Errorf("without newlines:\n%s\nwant\n%s", got, want)
	}
}
