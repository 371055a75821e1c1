package render

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/study"
)

// TestWidth demands that no line of text is wider than a terminal.
func TestWidth(t *testing.T) {
	r := studied(t, 12, 6, 3)
	for name, write := range map[string]func(io.Writer) error{
		"some":      func(w io.Writer) error { return Text(w, some()) },
		"simulated": func(w io.Writer) error { return Text(w, r) },
		"diff":      func(w io.Writer) error { return DiffText(w, Compare([2]string{"april", "may"}, some(), other())) },
		"alike":     func(w io.Writer) error { return DiffText(w, Compare([2]string{"a", "b"}, r, r)) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

// TestFiner accounts for records that are finer than hours: each is a drive
// hour, is added to one, or stands twice.
func TestFiner(t *testing.T) {
	r := &Result{
		Input: Input{Paths: []string{"a"}, Records: 28680, Folded: 7380, Repeated: 21},
		Findings: &study.Findings{Thresholds: []float64{2}, Level: 0.95, Accounts: []study.DirectionAccount{
			{Direction: "all", Account: study.Account{Rows: 21279, Idle: 21279}}, {Direction: "reads", Account: study.Account{Rows: 21279, Narrow: 21279}},
		}},
	}
	golden(t, "finer.text", func(w io.Writer) error { return Text(w, r) })
	var b bytes.Buffer
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"How the records were used", "How the drive hours were used", ">made from records<", ">all I/O<", ">reads<",
		">added to another record of the same drive and hour</td><td class=\"number\" data-column=\"records\">7,380<",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// TestLabels demands words for every share, no two of a question alike.
func TestLabels(t *testing.T) {
	r := studied(t, 30, 40, 1)
	for _, p := range r.Parts {
		seen := map[string]string{}
		for _, f := range p.Figures {
			if f.Unit != study.Share {
				continue
			}
			words := label(f.Name)
			stem, _, _ := strings.Cut(words, " at ")
			if strings.HasPrefix(f.Name, strings.ReplaceAll(stem, " ", "-")) {
				t.Errorf("%s is called %q", f.Name, words)
			}
			if other, ok := seen[words]; ok {
				t.Errorf("%s and %s are both called %q", f.Name, other, words)
			}
			seen[words] = f.Name
		}
	}
	for name, want := range map[string]string{
		"third-tail-1.5": "hours with three slow drives at 1.5×", "ever-16": "drives that were ever slow at 16×",
		"replugged-2h": "drives plugged in again within 2 hours", "flash-tlc-2": "flash tlc at 2×", "replugged": "unplugged drives that are plugged in again",
	} {
		if got := label(name); got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
	}
}

// TestBarsOnPage: shares are called by words, and their intervals are bars.
func TestBarsOnPage(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, some()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<span class="name">slow drive hours at 2×</span>`, "slow drive hours at 2×, this fleet: 0.16 % to 0.25 %", `<table class="cards">`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if strings.Contains(b.String(), ">slow-hours-2<") {
		t.Error("the page has the name of a figure")
	}
}

// TestHeadline announces a question by its sentence, or by what is shown of it.
func TestHeadline(t *testing.T) {
	age := topics()[slices.IndexFunc(topics(), func(t topic) bool { return t.name == "Age and model" })]
	p := &study.Part{Tables: []study.Table{{Name: "age-2", Title: "Slowdowns by year of life"}}}
	all := &study.Findings{Thresholds: []float64{2}}
	if got := age.headline(p, all); got != "Slowdowns by year of life" {
		t.Errorf("without a sentence: %s", got)
	}
	p.Charts = []study.Chart{{Name: "age-2-cdf", Title: "Slowdowns, by age"}}
	if got := age.headline(p, all); got != "Slowdowns, by age" {
		t.Errorf("with a chart: %s", got)
	}
	p.Figures = []study.Figure{{Name: "eighth-year-2", Sentence: "Old drives are slow."}}
	if got := age.headline(p, all); got != "Old drives are slow." {
		t.Errorf("with a sentence: %s", got)
	}
}
