package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/ingest/store/storetest"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/arrays"
)

// diagnosed is what limpet diagnose says.
func diagnosed(t *testing.T, args ...string) string {
	t.Helper()
	var out, err bytes.Buffer
	code := run(t.Context(), append([]string{"diagnose", "-o", "json"}, args...), strings.NewReader(""), &out, &err)
	if code != 0 {
		t.Fatalf("limpet diagnose %v: exit %d: %s", args, code, err.String())
	}
	return out.String()
}

// loadStore fills a store with the activity files of a directory, until a time.
func loadStore(t *testing.T, url, dir string, until time.Time) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no files", err)
	}
	l, err := storetest.NewLoader(url)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := l.LoadActivity(t.Context(), paths, until.Unix()); err != nil {
		t.Fatal(err)
	}
	showAll(url)
	t.Logf("%d samples were loaded in %v", l.Sent, time.Since(begin).Round(time.Millisecond))
}

// showAll has a store show what it was sent: VictoriaMetrics does so a moment later unless
// it is told to, others know no such address.
func showAll(url string) {
	if a, err := http.Get(url + "/internal/force_flush"); err == nil {
		a.Body.Close()
	}
}

// heavyStores makes whole days of what are some hours: make stores.
var heavyStores = os.Getenv("LIMPET_TEST_STORES") != ""

// storeKinds are the ways to ask each store, the one that is found out first.
var storeKinds = map[string][]string{
	storetest.Prometheus:      {"auto", "query"},
	storetest.VictoriaMetrics: {"auto", "query"},
	storetest.Mimir:           {"auto"},
}

// TestDiagnoseStores: the diagnosis of what a store holds is that of the files which
// hold the same, byte for byte, however the store is asked.
func TestDiagnoseStores(t *testing.T) {
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	scenario, until, found := arrays.Demo(1), begin.Add(150*time.Minute), `"1.07"`
	scenario.Interval = 15 * time.Second
	if heavyStores {
		scenario.Interval, until = 5*time.Second, begin.Add(8*time.Hour)
	}
	dir := t.TempDir()
	if _, err := scenario.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	files, args := filepath.Join(dir, simulate.ActivityDir), []string{"--topology", filepath.Join(dir, simulate.TopologyFile), "--since", "2026-03-01", "--until", until.Format(time.RFC3339)}
	want := diagnosed(t, append(args, files)...)
	if !strings.Contains(want, found) {
		t.Fatal("the demonstration has no incident", want)
	}
	for name, kinds := range storeKinds {
		t.Run(name, func(t *testing.T) {
			url := storetest.Start(t, name, "")
			loadStore(t, url, files, until)
			for _, kind := range kinds {
				sameDiagnosis(t, url, kind, want, args)
			}
		})
	}
}

// sameDiagnosis demands what the files tell of what the store holds.
func sameDiagnosis(t *testing.T, url, kind, want string, args []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "store.yaml")
	writeText(t, file, "url: "+url+"\nkind: "+kind+"\ntenant: "+storetest.Tenant+"\n")
	begin := time.Now()
	got := diagnosed(t, append(args, "--store", file)...)
	t.Logf("asked by %s: %v", kind, time.Since(begin).Round(time.Millisecond))
	if got != want {
		t.Errorf("%s: the diagnosis of the store is not that of the files:\n%s", kind, firstDifference(got, want))
	}
}

// TestStudyStores: the study of what a store holds is that of the files which hold the
// same, to the last figure.
func TestStudyStores(t *testing.T) {
	scenario := arrays.Demo(1)
	scenario.Interval, scenario.End = time.Minute, scenario.Start.Add(5*time.Hour)
	dir := t.TempDir()
	if _, err := scenario.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	files, args := filepath.Join(dir, simulate.ActivityDir), []string{"--topology", filepath.Join(dir, simulate.TopologyFile), "--kind", "disk"}
	want := studyOf(t, append(args, files)...)
	if !strings.Contains(want, `"drive_hours"`) {
		t.Fatal("the study of the files has no drive hours", want)
	}
	for name := range storeKinds {
		t.Run(name, func(t *testing.T) {
			url := storetest.Start(t, name, "")
			loadStore(t, url, files, scenario.End)
			file := filepath.Join(t.TempDir(), "store.yaml")
			writeText(t, file, "url: "+url+"\ntenant: "+storetest.Tenant+"\n")
			got := studyOf(t, append(args, "--store", file, "--since", "2026-03-01", "--until", "2026-03-02")...)
			if got != want {
				t.Errorf("the study of the store is not that of the files:\n%s", firstDifference(got, want))
			}
		})
	}
}

// studyOf is what limpet study says, without where it was read.
func studyOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, err bytes.Buffer
	if code := run(t.Context(), append([]string{"study", "-o", "json"}, args...), strings.NewReader(""), &out, &err); code != 0 {
		t.Fatalf("limpet study %v: exit %d: %s", args, code, err.String())
	}
	var document map[string]json.RawMessage
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	delete(document, "input")
	text, failed := json.MarshalIndent(document, "", " ")
	if failed != nil {
		t.Fatal(failed)
	}
	return string(text)
}

// numberOf is what a variable of the environment says, or what it is without.
func numberOf(t *testing.T, variable string, usual, least, most int) int {
	t.Helper()
	n, text := usual, os.Getenv(variable)
	if text == "" {
		return n
	}
	if _, err := fmt.Sscan(text, &n); err != nil || n < least || n > most {
		t.Fatalf("%s is %q: give %d to %d", variable, text, least, most)
	}
	return n
}

// TestIntrepidStores: hours of some servers with 72 attachments each, a day of 16 unless
// told otherwise; 128 are all of Intrepid. It is part of make stores.
func TestIntrepidStores(t *testing.T) {
	if !heavyStores {
		t.Skip("loads 60 million samples; make stores")
	}
	hours, servers := numberOf(t, "LIMPET_TEST_STORES", 24, 6, 24), numberOf(t, "LIMPET_TEST_SERVERS", 16, 8, 128)
	o := arrays.DefaultIntrepidOptions()
	o.LUNs, o.Arrays = o.LUNs*servers/o.Servers, o.Arrays*servers/o.Servers
	o.Servers, o.Days, o.Compressed = servers, 1, false
	scenario, err := arrays.Intrepid(o)
	if err != nil {
		t.Fatal(err)
	}
	events, err := scenario.ParseEvents("events.yaml", []byte("events:\n  - {at: "+o.Start.Add(2*time.Hour).Format(time.RFC3339)+", for: 12h, mechanism: slow lun, components: \"6.03\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	scenario.Events = append(scenario.Events, events...)
	dir, end := t.TempDir(), o.Start.Add(time.Duration(hours)*time.Hour)
	if _, err := scenario.Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	files := filepath.Join(dir, simulate.ActivityDir)
	args := []string{"--topology", filepath.Join(dir, simulate.TopologyFile), "--since", o.Start.Format(time.RFC3339), "--until", end.Format(time.RFC3339)}
	want := apart(t, "the files", append(args, files)...)
	if !strings.Contains(want, `"6.03"`) {
		t.Error("the LUN that was made slow is no incident")
	}
	for name := range storeKinds {
		t.Run(name, func(t *testing.T) {
			url := storetest.Start(t, name, "")
			loadStore(t, url, files, end)
			file := filepath.Join(t.TempDir(), "store.yaml")
			writeText(t, file, "url: "+url+"\ntenant: "+storetest.Tenant+"\n")
			if got := apart(t, name+", diagnosed", append(args, "--store", file)...); got != want {
				t.Errorf("the diagnosis of the store is not that of the files:\n%s", firstDifference(got, want))
			}
			byCurl(t, name, url, serversOf(t, dir), o.Start, end)
		})
	}
}

// perseusSeries describes the series that PERSEUS's tables are loaded as.
const perseusSeries = `
name: perseus
split: host
component: "{host}/{disk_id}"
group: "{host}"
server: "{host}"
device: "{disk_id}"
metrics:
  latency: {gauge: [perseus_latency], unit: us, worse: higher}
  throughput: {gauge: [perseus_throughput], unit: B/s, worse: either, load: true, noise: 10000}
`

// TestPerseusStores: real latencies of real drives, in a store and in files. It is part
// of make stores.
func TestPerseusStores(t *testing.T) {
	if !heavyStores {
		t.Skip("loads eight hosts of a cluster; make stores")
	}
	const mostHosts = 8
	hosts, err := filepath.Glob(filepath.Join(unpackPerseus(t, "cluster_A"), "*"))
	if err != nil || len(hosts) < mostHosts {
		t.Fatal(hosts, err)
	}
	hosts = hosts[:mostHosts]
	description := filepath.Join(t.TempDir(), "perseus.yaml")
	writeText(t, description, perseusSeries)
	want := incidentsOf(t, apart(t, "the files", append([]string{"--tables", "../../examples/perseus.yaml"}, hosts...)...))
	for name := range storeKinds {
		t.Run(name, func(t *testing.T) {
			url := storetest.Start(t, name, "")
			first, last := loadPerseus(t, url, hosts)
			file := filepath.Join(t.TempDir(), "store.yaml")
			writeText(t, file, "url: "+url+"\ntenant: "+storetest.Tenant+"\n")
			got := incidentsOf(t, apart(t, name+", diagnosed", "--store", file, "--series", description, "--since", fmt.Sprint("@", first-15), "--until", fmt.Sprint("@", last)))
			if got != want {
				t.Errorf("incidents of the store:\n%s\nof the files:\n%s", got, want)
			}
		})
	}
}

// incidentsOf are the incidents of a report, as JSON.
func incidentsOf(t *testing.T, text string) string {
	t.Helper()
	var report struct {
		Incidents []json.RawMessage `json:"incidents"`
		Suspects  []json.RawMessage `json:"suspects"`
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err)
	}
	list, err := json.MarshalIndent(report, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}

// loadPerseus sends tables of PERSEUS in the order of time, as two gauges a drive.
func loadPerseus(t *testing.T, url string, hosts []string) (first, last int64) {
	t.Helper()
	var paths []string
	for _, host := range hosts {
		list, err := filepath.Glob(filepath.Join(host, "*.csv"))
		if err != nil || len(list) == 0 {
			t.Fatal("no tables", err)
		}
		paths = append(paths, list...)
	}
	l, err := storetest.NewLoader(url)
	if err != nil {
		t.Fatal(err)
	}
	first, last, err = l.LoadTables(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	showAll(url)
	t.Logf("%d samples were loaded", l.Sent)
	return first, last
}

// firstDifference is the first line that differs.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "got  " + a[i] + "\nwant " + b[i]
		}
	}
	return "one is longer"
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
