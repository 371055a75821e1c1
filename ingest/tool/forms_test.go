package tool

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

func textOf(t testing.TB, form *HistogramForm) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", form.Name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// readForms is the samples of a text, a line each, and its error.
func readForms(form *HistogramForm, file, text string) (lines []string, err error) {
	for s, err := range form.Read(NewText(file, strings.NewReader(text))) {
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

// TestForms: what each tool prints is read as it says, made up in the form of its
// documentation and, where a real tool was at hand, as that printed it.
func TestForms(t *testing.T) {
	for _, form := range All() {
		texts, err := filepath.Glob(filepath.Join("testdata", form.Name+"*.txt"))
		if err != nil || len(texts) == 0 {
			t.Fatalf("%s has no text: %v", form.Name, err)
		}
		for _, path := range texts {
			t.Run(filepath.Base(path), func(t *testing.T) { checkForm(t, form, path) })
		}
	}
}

func checkForm(t *testing.T, form *HistogramForm, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := readForms(form, "fs1.txt", string(text))
	if err != nil || len(lines) == 0 {
		t.Fatalf("%d samples: %v", len(lines), err)
	}
	got, golden := strings.Join(lines, "\n")+"\n", strings.TrimSuffix(path, ".txt")+".golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("got\n%swant\n%s%v", got, want, err)
	}
	if got := Recognise(string(text)); got != form && len(form.Signs) > 0 {
		t.Errorf("it is taken for %v", got)
	}
}

// TestFormsRefused: what cannot be used is one line that names file, place and cure.
func TestFormsRefused(t *testing.T) {
	for _, c := range []struct{ form, text, want string }{
		{"prometheus-histograms", `a_latency_seconds_bucket{device="sda",le="1"} 3`, "fs1.txt: line 1: histograms without a time: print it before each poll, with date -u +%FT%TZ"},
		{"prometheus-histograms", "1794784343\n" + `a_latency_seconds_bucket{device="sda",le="x"} 3`, `fs1.txt: line 2: 3 requests up to "x": numbers are needed`},
		{"netdata", `netdata_disk_latency_io_x{chart="disk_latency_io.sda",dimension="all"} 3 1794784343000`, "a range such as 64us->128us are needed"},
		{"ceph-histograms", `{"osd": {"op_r_latency_out_bytes_histogram": {}}}`, "histograms without a time"},
		{"ceph-histograms", "1794784343\n" + `{"osd": {"op_r_latency_out_bytes_histogram": {}}}`, "its first axis is to be a latency"},
		{"ceph-histograms", "1794784343\n{]}", "fs1.txt: line 2: the JSON that ends here"},
		{"zpool-histograms", "tank total_wait disk_wait\nsda total_wait disk_wait\n1ms 1 1 1 1", "latencies without a time: print it with -T u"},
		{"zpool-histograms", "1794784343\ntank total_wait disk_wait\nsda total_wait disk_wait\n1ms 1 1 x 1", `"x" requests of 1ms: a number is needed`},
		{"ddn", "time_interval_in_seconds@0.1@host_reads@1", "delays without a time"},
		{"ddn", "1794784343\ntime_interval_in_seconds@0.1@host_reads@many", `host_reads is "many": a number is needed`},
		{"fio", "12, 3000, 0, 4096, 0", "have fio log the clock's, with --log_unix_epoch=1"},
		{"fio", "1794784343001, 3", "time, latency and direction are needed"},
		{"fio", strings.Repeat("1", 2<<20), "fs1.txt: line 1: it has more than 1024 kB"},
	} {
		_, err := readForms(LookupHistogram(c.form), "fs1.txt", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.form, err, c.want)
		}
	}
}

// TestRecognise: a text is known by its beginning, as what it is.
func TestRecognise(t *testing.T) {
	for _, form := range All() {
		if got := Recognise(textOf(t, form)); got != form && len(form.Signs) > 0 {
			t.Errorf("%s is taken for %v", form.Name, got)
		}
	}
	if got := Recognise("Linux 6.1 Device %util"); got != nil {
		t.Errorf("text of iostat is taken for %s", got.Name)
	}
	if LookupHistogram("iostat") != nil {
		t.Error("iostat has no histograms")
	}
}

// FuzzRead: whatever a text holds, samples have a time and a name, and no bin has
// less than nothing.
func FuzzRead(f *testing.F) {
	for i, form := range All() {
		f.Add(byte(i), textOf(f, form))
	}
	f.Fuzz(func(t *testing.T, which byte, text string) {
		form := All()[int(which)%len(All())]
		fold := NewFold()
		for s, err := range form.Read(NewText("fs1.txt", strings.NewReader(text))) {
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
