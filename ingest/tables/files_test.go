package tables

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/internal/paths"
)

const small = "ts,disk,latency,load\n15,d1,1,1\n"

func TestFindTables(t *testing.T) {
	d := described(t, strings.Replace(perDrive, `"{host}/*"`, `["{host}/*.csv", "{host}/*.parquet"]`, 1))
	dir := write(t, map[string]string{
		"h10/a.csv": small, "h9/b.csv.gz": small, "h9/a.parquet": small, "h9/notes.txt": "", "labels": "", "h9/.hidden.csv": "x", ".git/h1/a.csv": "x",
	})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skipf("links are absent here: %v", err)
	}
	for _, paths := range [][]string{{dir}, {dir, dir + "/h9"}, {link}} {
		files, warnings, err := findTables(d, paths)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, f := range files {
			if f.index != i {
				t.Errorf("file %d believes to be %d", i, f.index)
			}
			got = append(got, filepath.Base(filepath.Dir(f.Path))+"/"+filepath.Base(f.Path))
		}
		if got := strings.Join(got, " "); got != "h9/a.parquet h9/b.csv.gz h10/a.csv" {
			t.Errorf("%v has %s", paths, got)
		}
		if len(warnings) != 1 || !strings.Contains(warnings[0].String(), "2 files are left out, because the path does not match {host}/*.csv or {host}/*.parquet") {
			t.Errorf("warnings %v", warnings)
		}
	}
}

func TestFilesOutsideTheirDirectories(t *testing.T) {
	dir := write(t, map[string]string{"h1/a.csv": small})
	t.Chdir(filepath.Join(dir, "h1"))
	for _, path := range []string{".", "a.csv", "../h1/a.csv"} {
		if got := rows(t, open(t, described(t, perDrive), 15, path)); got != "15 h1/d1 1 1\n" {
			t.Errorf("%s has %s", path, got)
		}
	}
}

func TestNoRegularFile(t *testing.T) {
	if _, err := os.Stat("/dev/null"); err != nil {
		t.Skip("/dev/null is absent")
	}
	if _, err := Open(t.Context(), described(t, perDrive), []string{"/dev/null"}, Options{StepSeconds: 15}); err == nil || !strings.Contains(err.Error(), "limpet must read the data twice, but this path is a pipe") {
		t.Errorf("error %v", err)
	}
}

func FuzzCSVSamples(f *testing.F) {
	for _, seed := range []string{small, "ts;disk;latency;load\r\n15;\"d\"\"1\";NA;-1\r\n", "load,latency,disk,ts\n1,2\n,,,\n1,2,3,4,5\n", "ts,disk\n", "\"", ""} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	wide, tidy := described(f, perDrive), described(f, perDrive+"tidy: {metric: latency, value: load}\n")
	f.Fuzz(func(t *testing.T, in []byte, isTidy bool) {
		d := wide
		if isTidy {
			d = tidy
		}
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, in, 0o644); err != nil {
			t.Fatal(err)
		}
		file := &tableFile{File: paths.File{Path: path, Fields: map[string]string{"host": "h1"}}}
		r, err := file.open(d, 0)
		if err != nil {
			return
		}
		defer r.Close()
		batch := samples{metrics: len(d.Metrics)}
		for err == nil {
			err = r.read(&batch)
		}
		if lines := strings.Count(string(in), "\n"); !bytes.HasPrefix(in, []byte("PAR1")) && utf8.Valid(in) && batch.Len() > lines {
			t.Errorf("%d samples in %d lines", batch.Len(), lines+1)
		}
		for i, who := range batch.components {
			if who < 0 || int(who) >= len(r.roster.listed) || batch.times[i] < 0 {
				t.Errorf("sample %d of component %d at %d", i, who, batch.times[i])
			}
		}
		for _, v := range batch.values {
			if v < 0 || v > math.MaxFloat64 {
				t.Errorf("value %v", v)
			}
		}
	})
}
