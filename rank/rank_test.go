package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/topology"
)

const site = `
servers: fs[1-4]
arrays:
  - names: ddn[1-2]
    servers_per_array: 2
    luns: 0-3
    priority: rotate
    controllers: {a: 1, b: 2}
    devices: sd[b-e]
`

func system(t *testing.T) *topology.System {
	t.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(site))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// window makes a window in which the components named are suspect ("c"),
// unjudged ("c?") or, by default, normal.
func window(s *topology.System, end int64, names ...string) *detect.Window {
	w := &detect.Window{End: end}
	for c := range s.Components {
		v := detect.Verdict{Component: c}
		if slices.Contains(names, s.Components[c].Name) {
			v.State, v.Suspect = detect.Anomalous, true
		}
		if slices.Contains(names, s.Components[c].Name+"?") {
			v.State = detect.Unjudged
		}
		w.Verdicts = append(w.Verdicts, v)
	}
	return w
}

func show(s *topology.System, a *Accumulators, n int) string {
	var parts []string
	for _, e := range a.Top(n) {
		parts = append(parts, fmt.Sprintf("%d %s", e.Value, s.Components[e.Component].Name))
	}
	return strings.Join(parts, "  ")
}

func TestAccumulators(t *testing.T) {
	s := system(t)
	a := New()
	steps := []struct {
		suspects []string
		want     string
	}{
		{[]string{"1.0.1"}, "1 1.0.1"},
		{[]string{"1.0.1", "1.1.2"}, "2 1.0.1  1 1.1.2"},
		{[]string{"1.0.1", "1.1.2?"}, "3 1.0.1  1 1.1.2"}, // unjudged: stays
		{nil, "2 1.0.1"},
		{[]string{"2.3.4"}, "1 1.0.1  1 2.3.4"}, // equal values in the system's order
		{nil, ""},
		{nil, ""}, // never below zero
		{[]string{"1.0.1"}, "1 1.0.1"},
	}
	for i, step := range steps {
		a.Push(window(s, int64(i), step.suspects...))
		if got := show(s, a, 100); got != step.want {
			t.Errorf("window %d: %q, want %q", i, got, step.want)
		}
	}
	if since := a.Top(1)[0].Since; since != 7 {
		t.Errorf("since window %d, want that of the new climb", since)
	}
}

func TestTopIsBounded(t *testing.T) {
	s := system(t)
	a := New()
	a.Push(window(s, 1, "1.0.1", "1.1.2", "2.3.4"))
	if n := len(a.Top(2)); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
}

// TestFeedback is L13 §5.1: what was repaired starts anew, what is known does
// not hide a second problem.
func TestFeedback(t *testing.T) {
	s := system(t)
	text := `# repairs
2011-05-18T00:30:00Z resolve ddn1    # all that hangs on it
2011-05-18T00:10:00Z mute fs4
2011-05-18T09:00:00+02:00 unmute 2.3.4
`
	words, err := ParseFeedback("feedback", []byte(text), s)
	if err != nil {
		t.Fatal(err)
	}
	a := New()
	a.Push(window(s, 1, "1.0.1", "2.3.4"))
	want := []string{"1 1.0.1", "", "1 2.3.4"}
	for i, w := range words { // in order of time
		a.Apply(w)
		if got := show(s, a, 9); got != want[i] {
			t.Errorf("after %s %s: %q, want %q", w.Verb, w.Name, got, want[i])
		}
	}
}

func TestFeedbackErrorsNameTheLine(t *testing.T) {
	s := system(t)
	text := "2011-05-18T00:30:00Z resolve ddn1\nyesterday resolve ddn1\n2011-05-18T00:30:00Z fixed ddn1\n2011-05-18T00:30:00Z mute fs9\nresolve ddn1\n"
	words, err := ParseFeedback("f", []byte(text), s)
	if len(words) != 1 {
		t.Errorf("%d good words kept, want 1", len(words))
	}
	for _, want := range []string{"f:2: time", "f:3: verb", "f:4: no component", "f:5: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q: %v", want, err)
		}
	}
}

func FuzzParseFeedback(f *testing.F) {
	f.Add([]byte("2011-05-18T00:30:00Z resolve ddn1\n"))
	s, _, err := topology.Parse("site.yaml", []byte(site))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		words, _ := ParseFeedback("f", data, s)
		for _, w := range words {
			if len(w.Components) == 0 {
				t.Errorf("%+v names nothing", w)
			}
		}
	})
}
