package cluster

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/live/cluster/commoncause"
)

// TestWireForm compares the fields of all types that nodes exchange or save as gob with a
// golden file. Gob writes the names of fields, and drops a field that the reader does not
// have. So a renamed field is lost between nodes of different versions, without an error.
func TestWireForm(t *testing.T) {
	const golden = "testdata/wire.txt"
	var lines []string
	for _, one := range []struct {
		name  string
		value any
	}{
		{"alerts", AlertMessage{}},
		{"command", command.Command{}},
		{"counts", commoncause.Counts{}},
		{"event", Event{}},
		{"partition", memory{}},
		{"view", View{}},
		{"snapshot", snapshot{}},
	} {
		lines = appendFields(lines, one.name, reflect.TypeOf(one.value))
	}
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	had := strings.Split(strings.TrimSpace(string(want)), "\n")
	for i := range max(len(lines), len(had)) {
		if i >= len(lines) || i >= len(had) || lines[i] != had[i] {
			t.Fatalf("line %d of %s is %q, want %q", i+1, golden, lineAt(lines, i), lineAt(had, i))
		}
	}
}

func lineAt(list []string, i int) string {
	if i >= len(list) {
		return ""
	}
	return list[i]
}

// appendFields appends a line "path kind" for each number, text and truth value in a type.
func appendFields(lines []string, path string, t reflect.Type) []string {
	switch t.Kind() {
	case reflect.Pointer:
		return appendFields(lines, path, t.Elem())
	case reflect.Slice, reflect.Array:
		return appendFields(lines, path+"[]", t.Elem())
	case reflect.Map:
		return appendFields(appendFields(lines, path+"{key}", t.Key()), path+"{}", t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				lines = appendFields(lines, path+"."+f.Name, f.Type)
			}
		}
		return lines
	}
	return append(lines, fmt.Sprintf("%s %s", path, t.Kind()))
}
