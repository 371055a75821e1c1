package source

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// american is a table of records whose times are written as %a %D %T.
const american = "time,group,drive,ios,latency_us\nThu 01/01/26 00:00:00,g,a,10,100\nThu 01/01/26 01:00:00,g,a,10,200\n"

// americanXZ is american as xz(1) writes it.
const americanXZ = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ABhAERdADoaSfrgnY97KJQCsFgmSpm6Fc7daQFVu6MqX0R7DeWeL7v7x7hO1sQvxWvAY2Frd3P21aRobc1OeHbibfmffDwxxmAAAKS7GDhBd2ynAAFgYvjex+YftvN9AQAAAAAEWVo="

// TestPackedRecords reads the same records of every form, by the layout of
// their times.
func TestPackedRecords(t *testing.T) {
	xz, err := base64.StdEncoding.DecodeString(americanXZ)
	if err != nil {
		t.Fatal(err)
	}
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, z} {
		_, err := io.WriteString(w, american)
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"records/1.csv": american, "records/1.csv.gz": gz.String(), "records/1.csv.zst": zst.String(), "records/1.csv.xz": string(xz),
	} {
		dir := t.TempDir()
		write(t, dir, name, text)
		s := open(t, options(t, "time: {column: time, format: \"%a %D %T\"}"), dir)
		sameLines(t, printed(s.Fleet(), all(t, s)), []string{"all 490896 g a 10 100 NaN", "all 490897 g a 10 200 NaN"})
		if w := s.Warnings(); len(w) > 0 {
			t.Errorf("%s: warnings %v", name, w)
		}
	}
}

// TestFieldsOverLines reads a quoted field that runs over lines, and places
// faults after it.
func TestFieldsOverLines(t *testing.T) {
	path := write(t, t.TempDir(), "a.csv", "note,time,group,drive,latency_us\n\"one,\ntwo\",3600,g,a,5\nx,7200,g,a,1e308\n")
	s := open(t, options(t, ""), path)
	sameLines(t, printed(s.Fleet(), all(t, s)), []string{"all 1 g a NaN 5 NaN", "all 2 g a NaN NaN NaN"})
	f := s.Faults()
	if f.Values != 1 || strings.TrimPrefix(f.First[0].String(), filepath.Dir(path)+"/") != `a.csv:4: "1e308" in latency_us is beyond belief` {
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
