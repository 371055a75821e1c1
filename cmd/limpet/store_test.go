package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/simulate"
	"github.com/limpet-storage/limpet/simulate/arrays"
	"github.com/limpet-storage/limpet/store/storetest"
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

// loadStore fills a store with the activity files of a directory.
func loadStore(t *testing.T, url, dir string) {
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
	if err := l.LoadActivity(t.Context(), paths); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d samples in %v", l.Sent, time.Since(begin).Round(time.Millisecond))
}

// TestDiagnoseStores: the diagnosis of what a store holds is that of the files which
// hold the same, however the store is asked.
func TestDiagnoseStores(t *testing.T) {
	if testing.Short() {
		t.Skip("loads real stores; run without -short")
	}
	dir := t.TempDir()
	if _, err := arrays.Demo(1).Write(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	files, top := filepath.Join(dir, simulate.ActivityDir), filepath.Join(dir, simulate.TopologyFile)
	want := diagnosed(t, "--topology", top, files)
	if !strings.Contains(want, "drawer error") {
		t.Fatal("the demonstration has no incident")
	}
	for name, kinds := range map[string][]string{
		storetest.Prometheus:      {"remote-read", "query", "auto"},
		storetest.VictoriaMetrics: {"export", "query", "auto"},
	} {
		t.Run(name, func(t *testing.T) {
			url := storetest.Start(t, name, "")
			loadStore(t, url, files)
			for _, kind := range kinds {
				file := filepath.Join(t.TempDir(), "store.yaml")
				writeText(t, file, "url: "+url+"\nkind: "+kind+"\n")
				begin := time.Now()
				got := diagnosed(t, "--topology", top, "--store", file, "--since", "2026-03-01", "--until", "2026-03-02")
				t.Logf("%s: %v", kind, time.Since(begin).Round(time.Millisecond))
				if got != want {
					t.Errorf("%s: the diagnosis of the store is not that of the files:\n%s", kind, firstDifference(got, want))
				}
			}
		})
	}
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
