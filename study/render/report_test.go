package render

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

func TestGolden(t *testing.T) {
	for _, format := range Formats() {
		golden(t, "some."+format, func(w io.Writer) error { return Write(w, format, some()) })
	}
	empty := &Result{Findings: &study.Findings{Thresholds: []float64{2}, Level: 0.95, Accounts: []study.DirectionAccount{{Direction: "all", Account: study.Account{Rows: 4, Narrow: 4}}}}}
	golden(t, "empty.text", func(w io.Writer) error { return Text(w, empty) })
	if err := HTML(io.Discard, empty); err != nil {
		t.Errorf("nothing found has no page: %v", err)
	}
	if err := Write(io.Discard, "xml", some()); err == nil || !strings.Contains(err.Error(), "use one of text, json, csv") {
		t.Errorf("format xml: %v", err)
	}
}

// TestJSON reads again what was written, down to the last bit.
func TestJSON(t *testing.T) {
	for name, want := range map[string]*Result{"some": some(), "simulated": studied(t, 12, 6, 3)} {
		var b bytes.Buffer
		if err := JSON(&b, want); err != nil {
			t.Fatal(err)
		}
		got, err := Parse(name, b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read again as\n%+v, want\n%+v", name, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := map[string]string{
		"":                             "is not a result of a study",
		"[1]":                          "is not a result of a study",
		"{}":                           `has the format "", not "limpet study 1"`,
		`{"format": "limpet study 2"}`: `has the format "limpet study 2"`,
		`{"format": "limpet study 1", "parts": [{"tables": [{"name": "x", "columns": ["a"], "rows": [{"values": [{}]}]}]}]}`: "table x has a row with the wrong number of values: 1 value and 1 column",
	}
	for text, want := range tests {
		if _, err := Parse("a.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a.json") || !strings.Contains(err.Error(), "limpet study --format json") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	var b bytes.Buffer
	if err := JSON(&b, some()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"format": "limpet study 1", "parts": [{"charts": [{"curves": [{}]}], "figures": [{"unit": "?"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse("fuzz", data)
		if err != nil {
			return
		}
		d := Compare([2]string{"a", "b"}, r, r)
		_ = HTML(io.Discard, r) // may refuse what no study writes
		_ = DiffHTML(io.Discard, d)
		for _, write := range []func(io.Writer) error{
			func(w io.Writer) error { return Text(w, r) }, func(w io.Writer) error { return CSV(w, r) }, func(w io.Writer) error { return JSON(w, r) },
			func(w io.Writer) error { return DiffText(w, d) }, func(w io.Writer) error { return DiffCSV(w, d) },
		} {
			if err := write(io.Discard); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestSameNumbers demands that CSV has every number of the findings, and no
// other.
func TestSameNumbers(t *testing.T) {
	r := studied(t, 12, 6, 3)
	var b bytes.Buffer
	if err := CSV(&b, r); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, l := range lines[1:] {
		key := strings.Join(l[:7], "|")
		if _, ok := got[key]; ok && l[0] != "warning" {
			t.Errorf("two lines of %s", key)
		}
		got[key] = strings.Join(l[8:12], "|")
	}
	n := 0
	expect := func(key string, v study.Value) {
		t.Helper()
		n++
		want := csvLine{value: v}.fields()[8:12]
		if got[key] != strings.Join(want, "|") {
			t.Errorf("%s is %q, want %q", key, got[key], want)
		}
	}
	for _, p := range r.Parts {
		at := p.Direction + "|" + p.Kind + "|"
		for _, f := range p.Figures {
			expect("figure|"+at+f.Name+"|||", f.Value)
		}
		for _, table := range p.Tables {
			table = renamedTable(table, keptName)
			for _, row := range table.Rows {
				for k, v := range row.Values {
					expect("cell|"+at+table.Name+"|"+row.Label+"|"+column(&table, 1+k)+"|", v)
				}
			}
		}
		for _, c := range p.Charts {
			c = renamedChart(c, keptName)
			for _, curve := range c.Curves {
				for _, p := range curve.Points {
					expect("point|"+at+c.Name+"|"+curve.Name+"|"+c.Y.Title+"|"+number(p.X), study.Value{Number: p.Y, Unit: study.Number})
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d numbers compared", n)
	}
}

// TestTopics demands a question for everything that a study finds, and that
// figures are told without their numbers.
func TestTopics(t *testing.T) {
	r := studied(t, 30, 40, 1)
	other := topics()[len(topics())-1]
	for _, p := range r.Parts {
		for i := range p.Figures {
			f := &p.Figures[i]
			if other.has(f.Name) {
				t.Errorf("figure %s belongs to no question", f.Name)
			}
			if f.Say(phrase(f)) != f.Sentence {
				t.Errorf("%q is not told by %q", f.Sentence, phrase(f))
			}
		}
		for _, x := range p.Tables {
			if other.has(x.Name) {
				t.Errorf("table %s belongs to no question", x.Name)
			}
		}
		for _, x := range p.Charts {
			if other.has(x.Name) {
				t.Errorf("chart %s belongs to no question", x.Name)
			}
		}
	}
}

// TestHTML demands every figure, table and chart on the page, and that names
// cannot do harm.
func TestHTML(t *testing.T) {
	for name, r := range map[string]*Result{"some": some(), "simulated": studied(t, 12, 6, 3)} {
		var b bytes.Buffer
		if err := HTML(&b, r); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		var want []string
		for _, p := range r.Parts {
			for i := range p.Figures {
				want = append(want, phrase(&p.Figures[i]))
			}
			for _, x := range p.Tables {
				want = append(want, titled(x.Title, x.Source))
			}
			for _, x := range p.Charts {
				want = append(want, titled(x.Title, x.Source))
			}
		}
		text = strings.ReplaceAll(text, "&#39;", "'")
		for _, w := range append(want, r.Warnings...) {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the page does not have %q", name, w)
			}
		}
		if strings.Contains(text, "<b>ten</b>") {
			t.Errorf("%s: the page has markup of a file", name)
		}
		save(t, name, b.Bytes())
	}
}

// save writes a page to LIMPET_PAGES, for whoever wants to look at it.
func save(t *testing.T, name string, text []byte) {
	if dir := os.Getenv("LIMPET_PAGES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "study-"+name+".html"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
