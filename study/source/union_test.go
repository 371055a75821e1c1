package source

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestFieldsOverLines reads a quoted field that runs over lines, and places
// faults after it.
func TestFieldsOverLines(t *testing.T) {
	path := write(t, t.TempDir(), "a.csv", "note,time,group,drive,latency_us\n\"one,\ntwo\",3600,g,a,5\nx,7200,g,a,1e308\n")
	s := open(t, options(t, ""), path)
	sameLines(t, printed(s.Fleet(), all(t, s)), []string{"all 1 g a NaN 5 NaN", "all 2 g a NaN NaN NaN"})
	f := s.Faults()
	if f.Values != 1 || strings.TrimPrefix(f.First[0].String(), filepath.Dir(path)+"/") != `a.csv:4: "1e308" in column latency_us is implausibly large` {
		t.Errorf("faults %+v", f)
	}
}

// TestRecordsAppended: what is appended while a file is read is left for the
// next time.
func TestRecordsAppended(t *testing.T) {
	path := write(t, t.TempDir(), "a.csv", oneRecord)
	s := open(t, options(t, ""), path)
	write(t, filepath.Dir(path), "a.csv", oneRecord+"7200,g,new,1\n")
	sameLines(t, printed(s.Fleet(), all(t, s)), []string{"all 1 g a NaN 1 NaN"})
}
