package limpet

import (
	"os"
	"regexp"
	"testing"
)

// required finds a module and its version in a go.mod.
var required = regexp.MustCompile(`(?m)^\s*(?:require )?(\S+\.\S+/\S+) (v\S+)`)

// TestOtherModuleFollows: study/duckdb is a module of its own that builds on this one.
// Where it names an earlier version of what this one requires, Go refuses to build it,
// and the comparison with DuckDB with it.
func TestOtherModuleFollows(t *testing.T) {
	own, other := requiredBy(t, "go.mod"), requiredBy(t, "study/duckdb/go.mod")
	shared := 0
	for module, version := range other {
		if ours, ok := own[module]; ok {
			shared++
			if ours != version {
				t.Errorf("study/duckdb requires %s %s, this module %s: run go mod tidy in study/duckdb", module, version, ours)
			}
		}
	}
	if shared == 0 {
		t.Error("study/duckdb shares no module with this one")
	}
}

func requiredBy(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	versions := make(map[string]string)
	for _, m := range required.FindAllStringSubmatch(string(text), -1) {
		versions[m[1]] = m[2]
	}
	return versions
}
