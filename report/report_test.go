package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/simulate/arrays"
)

var update = flag.Bool("update", false, "write golden files anew")

// demo diagnoses the demo's rows into a report of the given format.
func demo(t *testing.T, format string) (string, *Evidence, Summary) {
	t.Helper()
	rows, err := arrays.Demo(1).Rows(15)
	if err != nil {
		t.Fatal(err)
	}
	o := diagnose.DefaultOptions()
	s := Subject{System: rows.System(), Schema: rows.Schema(), Options: o, Lists: true}
	var out bytes.Buffer
	w, err := New(format, &out, s)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEvidence(s)
	listener, stream := Several(w, e), e.Watch(rows)
	engine, err := diagnose.New(o, s.System, s.Schema, nil, nil, listener)
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Run(stream); err != nil {
		t.Fatal(err)
	}
	from, to := engine.Span()
	summary := Summary{Incidents: engine.Incidents(incident.Combined), Accumulators: engine.Accumulators(), From: from, To: to, Top: engine.Top(), Silent: engine.Silent(), Warnings: []string{"a warning"}}
	if err := w.Finish(summary); err != nil {
		t.Fatal(err)
	}
	return out.String(), e, summary
}

func TestTextGolden(t *testing.T) {
	got, _, _ := demo(t, "text")
	name := filepath.Join("testdata", "demo.txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the report changed; see it with go test ./report -update and git diff\n%s", got)
	}
}

// TestJSONHoldsEverything: every window of every group with every member, and
// the lists in the text's order.
func TestJSONHoldsEverything(t *testing.T) {
	got, _, summary := demo(t, "json")
	var doc struct {
		Groups []struct{ Members int }
		Hours  []struct {
			Hour    string
			Windows []struct {
				Group, Bins int
				Width       float64
				Components  []struct {
					Name  string
					State string
				}
			}
			List []struct {
				Component string
				Value     int
			}
		}
		Warnings []string
	}
	if err := json.Unmarshal([]byte(got), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Hours) != 8 || len(doc.Groups) != 8 || len(doc.Warnings) != 1 {
		t.Fatalf("%d hours, %d groups, %d warnings", len(doc.Hours), len(doc.Groups), len(doc.Warnings))
	}
	windows := 0
	for _, h := range doc.Hours {
		windows += len(h.Windows)
		for _, w := range h.Windows {
			if len(w.Components) != doc.Groups[w.Group-1].Members {
				t.Fatalf("group %d has %d of %d members", w.Group, len(w.Components), doc.Groups[w.Group-1].Members)
			}
		}
	}
	if windows != 8*(8*8-1) {
		t.Errorf("%d windows", windows)
	}
	last := doc.Hours[7].List
	if len(last) != len(summary.Top) || last[0].Component != "1.07.4" || last[0].Value != summary.Top[0].Value {
		t.Errorf("the last list begins with %+v", last[0])
	}
}

func TestCSVIsATable(t *testing.T) {
	got, _, summary := demo(t, "csv")
	lines, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, l := range lines[1:] {
		kinds[l[0]]++
	}
	if want := 24 * 8 * (8*8 - 1); kinds["window"] != want {
		t.Errorf("%d lines of windows, want %d", kinds["window"], want)
	}
	if kinds["list"] < len(summary.Top) {
		t.Errorf("%d lines of lists", kinds["list"])
	}
}

// TestSameInputSameBytes covers every format and the page.
func TestSameInputSameBytes(t *testing.T) {
	for _, format := range Formats() {
		a, ea, sa := demo(t, format)
		b, eb, sb := demo(t, format)
		var pa, pb bytes.Buffer
		if err := ea.Write(&pa, sa); err != nil {
			t.Fatal(err)
		}
		if err := eb.Write(&pb, sb); err != nil {
			t.Fatal(err)
		}
		if a != b || !bytes.Equal(pa.Bytes(), pb.Bytes()) {
			t.Errorf("%s: two runs differ", format)
		}
	}
}

// TestPageTellsEveryStory: a controller's many attachments do not push the
// other faults off the page.
func TestPageTellsEveryStory(t *testing.T) {
	_, e, s := demo(t, "text")
	var out bytes.Buffer
	if err := e.Write(&out, s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"await of 1.07.4 over", "await of 2.00.5, ", "await of 2.01.7, ", "await of 1.12.1, ", "drawer error", "a warning"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if out.Len() > 1<<20 {
		t.Errorf("the page has %d bytes", out.Len())
	}
}

func TestHistoryIsBounded(t *testing.T) {
	h := newHistory(3, 15, trackRows)
	h.limit = 64
	for i := range int64(10_000) {
		h.push(i*15, func(c int) float64 { return float64(c) })
	}
	if len(h.ends) > 64 || len(h.cells) != 3*len(h.ends) {
		t.Errorf("%d rows", len(h.ends))
	}
	for c := range 3 {
		for _, v := range h.series(c) {
			if v != float64(c) {
				t.Fatalf("component %d became %v", c, v)
			}
		}
	}
}

func TestHistoryShowsSilence(t *testing.T) {
	h := newHistory(1, 15, trackRows)
	h.push(15, func(int) float64 { return 1 })
	h.push(3600, func(int) float64 { return 1 })
	if s := h.series(0); len(s) != 3 || s[1] == s[1] {
		t.Errorf("series across a silence: %v", s)
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := New("xml", nil, Subject{}); err == nil {
		t.Error("xml is taken for a format")
	}
}
