package topology

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A system that was written down is the same one, its indexes included.
func TestKeep(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	kept := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := Parse(file, data)
		if err != nil {
			continue // a file that tests mistakes
		}
		written, err := s.Keep()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Kept(written)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s, again) {
			t.Errorf("%s: the system differs once it was written and read", file)
		}
		kept++
	}
	if kept == 0 {
		t.Error("no topology was kept")
	}
}

func TestKeptIsChecked(t *testing.T) {
	for _, text := range []string{"", "{", `{"Groups":[{"Members":[3]}]}`} {
		if _, err := Kept([]byte(text)); err == nil {
			t.Errorf("%q is taken for a system", text)
		}
	}
}
