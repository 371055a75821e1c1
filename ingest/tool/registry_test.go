package tool

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// fixture returns a file of testdata.
func fixture(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readTable returns the table of a text that the tool of a name printed, and the
// error of reading it.
func readTable(t testing.TB, name, text string) (string, error) {
	t.Helper()
	b, err := io.ReadAll(LookupTable(name).Reader(strings.NewReader(text)))
	return string(b), err
}

// readSamples returns the samples of a text, a line each, and its error.
func readSamples(format *HistogramFormat, file, text string) (lines []string, err error) {
	for s, err := range format.Read(NewText(file, strings.NewReader(text))) {
		if err != nil {
			return lines, err
		}
		line := fmt.Sprintf("%d %s (%s) %s", s.Time, s.Component, s.Peers, s.Op)
		for _, b := range s.Bins {
			if b.Requests > 0 {
				line += fmt.Sprintf(" %g-%gµs:%g", b.LowNs/1e3, b.HighNs/1e3, b.Requests)
			}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// TestHistograms compares the samples of each text with a golden file. Some texts
// were printed by the real tool, others follow its documentation.
func TestHistograms(t *testing.T) {
	for _, format := range Histograms() {
		texts, err := filepath.Glob(filepath.Join("testdata", format.Name+"*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if len(texts) == 0 {
			t.Fatalf("testdata/%s.txt is missing: add a text that the tool printed", format.Name)
		}
		for _, path := range texts {
			t.Run(filepath.Base(path), func(t *testing.T) { checkSamples(t, format, path) })
		}
	}
}

func checkSamples(t *testing.T, format *HistogramFormat, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := readSamples(format, "fs1.txt", string(text))
	if err != nil || len(lines) == 0 {
		t.Fatalf("%d samples: %v", len(lines), err)
	}
	compareGolden(t, strings.TrimSuffix(path, ".txt")+".golden", strings.Join(lines, "\n")+"\n")
	if got := RecogniseHistogram(string(text)); got != format && len(format.Sign.Texts) > 0 {
		t.Errorf("it is taken for %v", got)
	}
}

// TestHistogramsRefused: the error of a wrong text is one line, with the file, the
// line number and the cure.
func TestHistogramsRefused(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"prometheus-histograms", `a_latency_seconds_bucket{device="sda",le="1"} 3`, "fs1.txt: line 1: the output has no time: run `date -u +%FT%TZ` before each output"},
		{"prometheus-histograms", "1794784343\n" + `a_latency_seconds_bucket{device="sda",le="x"} 3`, `fs1.txt: line 2: a histogram has "3" requests in the bucket le="x": both values must be numbers`},
		{"netdata", `netdata_disk_latency_io_x{chart="disk_latency_io.sda",dimension="all"} 3 1794784343000`, "the chart must name a disk, and the dimension must be a range of latencies such as 64us->128us"},
		{"ceph-histograms", `{"osd": {"op_r_latency_out_bytes_histogram": {}}}`, "the output has no time"},
		{"ceph-histograms", "1794784343\n" + `{"osd": {"op_r_latency_out_bytes_histogram": {}}}`, "the first axis of the histogram must be a latency"},
		{"ceph-histograms", "1794784343\n{]}", "fs1.txt: line 2: the JSON that ends in this line cannot be read"},
		{"zpool-histograms", "tank total_wait disk_wait\nsda total_wait disk_wait\n1ms 1 1 1 1", "the output has no time: run zpool iostat with -T u"},
		{"zpool-histograms", "1794784343\ntank total_wait disk_wait\nsda total_wait disk_wait\n1ms 1 1 x 1", `requests of 1ms is printed as "x", which is not a whole number`},
		{"ddn", "time_interval_in_seconds@0.1@host_reads@1", "the output has no time"},
		{"ddn", "1794784343\ntime_interval_in_seconds@0.1@host_reads@many", `the value "many" of host_reads is not a number`},
		{"fio", "12, 3000, 0, 4096, 0", "run fio with --log_unix_epoch=1"},
		{"fio", "1794784343001, 3", "a line needs time, latency and direction"},
		{"fio", strings.Repeat("1", 2<<20), "fs1.txt: line 1: the line has more than 1024 kB"},
	} {
		_, err := readSamples(LookupHistogram(c.format), "fs1.txt", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.format, err, c.want)
		}
	}
}

// TestRecognise: each text is recognised by its beginning.
func TestRecognise(t *testing.T) {
	for _, format := range Histograms() {
		if got := RecogniseHistogram(fixture(t, format.Name+".txt")); got != format && len(format.Sign.Texts) > 0 {
			t.Errorf("%s is taken for %v", format.Name, got)
		}
	}
	if got := RecogniseHistogram("Linux 6.1 Device %util"); got != nil {
		t.Errorf("text of iostat is taken for %s", got.Name)
	}
	if LookupHistogram("iostat") != nil {
		t.Error("iostat has no histograms")
	}
}

// FuzzRead: samples of any text have a time and a name, and no bin is negative.
func FuzzRead(f *testing.F) {
	for i, format := range Histograms() {
		f.Add(byte(i), fixture(f, format.Name+".txt"))
	}
	f.Fuzz(func(t *testing.T, which byte, text string) {
		format := Histograms()[int(which)%len(Histograms())]
		fold := NewFold()
		for s, err := range format.Read(NewText("fs1.txt", strings.NewReader(text))) {
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("%q has two lines", err)
				}
				return
			}
			if s.Time <= 0 || s.Component == "" || s.Peers == "" {
				t.Errorf("%+v", s)
			}
			for _, b := range s.Bins {
				if !(b.Requests >= 0) || math.IsInf(b.Requests, 0) || math.IsNaN(b.LowNs+b.HighNs) || b.LowNs < 0 {
					t.Errorf("%+v", b)
				}
			}
			fold.Take(&s)
		}
	})
}

// tableTexts returns the names of the texts of a table format.
func tableTexts(t testing.TB, format string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "tables", format, "*"))
	names = slices.DeleteFunc(names, func(name string) bool { return filepath.Ext(name) == ".golden" })
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("testdata/tables/%s has no text that the tool printed: add one", format)
	}
	return names
}

// TestTables compares the table of each text with a golden file.
func TestTables(t *testing.T) {
	for _, name := range TableNames() {
		for _, path := range tableTexts(t, name) {
			t.Run(name+"/"+filepath.Base(path), func(t *testing.T) { checkTable(t, name, path) })
		}
	}
}

func checkTable(t *testing.T, name, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readTable(t, name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, path+".golden", got)
	if format, _ := RecogniseTable(string(text)); format != LookupTable(name) {
		t.Errorf("the text is not recognised as %s: its signs are missing, or a tool before it in the list has the same signs", name)
	}
}

// compareGolden compares a result with a golden file. With -update it writes the file first.
func compareGolden(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("got\n%swant\n%s%v\ngo test ./ingest/tool -update writes what is got: read it then", got, want, err)
	}
}

// tableSeeds are further texts of tools with a table, for the fuzzer.
func tableSeeds() map[string][]string {
	return map[string][]string{
		"ceph": {"2026-11-15T23:12:20Z\n  2 4 5\n{\"osd_perf_infos\": [\n{\"id\": 7}]}\n"},
		"collectl": {
			top + "#Date Time [DSK:sda]Name [DSK:sda]Reads [DSK:sda]Wait\n20261115 23:12:30 sda 1 2\n",
			"#Date Time Name IOs Wait SvcTim\n20261115 23:12:30 sda 1 2 3\n",
		},
		"darshan": {trace1},
		"iostat": {
			since + "Device r/s r_await w/s w_await\nsda 1 10 1 20\n",
			`{"sysstat": {"hosts": [{"nodename": "a", "statistics": [{}, {"timestamp":"2026-11-15T23:12:23+0000","disk": [{"disk_device": "sda", "r/s":1}]}]}]}}`,
		},
		"zpool": {"1794784343\n" + header + body},
	}
}

// FuzzTable: reading any text as the table of any tool ends.
func FuzzTable(f *testing.F) {
	names := TableNames()
	for i, name := range names {
		for _, path := range tableTexts(f, name) {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(byte(i), string(text))
		}
		for _, text := range tableSeeds()[name] {
			f.Add(byte(i), text)
		}
	}
	f.Fuzz(func(_ *testing.T, which byte, text string) {
		format := LookupTable(names[int(which)%len(names)])
		_, _ = io.Copy(io.Discard, format.Reader(strings.NewReader(text)))
	})
}

// TestRegistry: every tool has a format, and no two formats have the same name.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range tools {
		var names []string
		if tool.Table != nil {
			names = append(names, tool.Table.Name)
			if len(tool.Table.Signs) == 0 {
				t.Errorf("the table of %s cannot be recognised", tool.Name)
			}
		}
		if tool.Histograms != nil {
			names = append(names, tool.Histograms.Name)
		}
		if len(names) == 0 {
			t.Errorf("%s has no format", tool.Name)
		}
		for _, name := range names {
			if seen[name] || !strings.HasPrefix(name, tool.Name) {
				t.Errorf("%s has a format %s", tool.Name, name)
			}
			seen[name] = true
		}
	}
}
