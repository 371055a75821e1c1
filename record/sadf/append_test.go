package sadf

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A file that broke off and was gone on in is read by sysstat's own tools
// as by ours: to its last record, without a warning.
func TestAppendedIsReadBySysstat(t *testing.T) {
	version := installed(t)
	path := writeDay(t)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(9, 10))
	garbage := make([]byte, 3000)
	for i := range garbage {
		garbage[i] = byte(rng.Uint32())
	}
	for cut := len(good) - 2500; cut <= len(good); cut += 1 + rng.IntN(120) {
		for _, behind := range [][]byte{nil, make([]byte, 4096), garbage} {
			b := slices.Concat(good[:cut], behind)
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
			last := goOn(t, path)
			want := sadfOf(t, path)
			if !strings.Contains(want, last.UTC().Format("2006-01-02 15:04:05 UTC")) {
				t.Fatalf("cut at %d with %d bytes behind: sadf does not print the record of %v", cut, len(behind), last)
			}
			diff(t, dumpOf(t, path, version), want)
			if t.Failed() {
				t.Fatalf("cut at %d with %d bytes behind", cut, len(behind))
			}
		}
	}
}

// goOn appends two Stats and returns when the last was taken.
func goOn(t *testing.T, path string) time.Time {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, tail, err := sysstat.Append(f, dayOptions())
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(2) {
		tail.Last = tail.Last.Add(time.Second)
		if err := w.WriteStats(tail.Last, tail.LastUptime+100*(i+1), daySample(20+i)); err != nil {
			t.Fatal(err)
		}
	}
	return tail.Last
}

// dumpOf is what limpet dump prints of a file without complaint.
func dumpOf(t *testing.T, path string, version sysstat.Version) string {
	t.Helper()
	src, err := sysstat.OpenAll([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var out bytes.Buffer
	if err := Dump(&out, src, Options{Report: Disks, As: version}); err != nil || len(src.Warnings()) > 0 {
		t.Fatalf("%v %v", err, src.Warnings())
	}
	return out.String()
}

// sadfOf is what sadf and sar say of a file without complaint.
func sadfOf(t *testing.T, path string) string {
	t.Helper()
	out := ""
	for _, args := range [][]string{{"sar", "-d", "-f", path}, {"sadf", "-d", path, "--", "-d"}} {
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=GMT", "S_COLORS=never")
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil || stderr.Len() > 0 {
			t.Fatalf("%v: %v %s", args, err, &stderr)
		}
		out = stdout.String()
	}
	return out
}
