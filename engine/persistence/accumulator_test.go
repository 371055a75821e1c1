package persistence

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
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

// window returns a window in which the named components are suspects ("c"), inconclusive
// ("c?") or, by default, normal.
func window(s *topology.System, end int64, names ...string) *Window {
	w := &Window{End: end}
	for c := range s.Components {
		v := Verdict{Component: c}
		if slices.Contains(names, s.Components[c].Name) {
			v.State, v.Suspect = Anomalous, true
		}
		if slices.Contains(names, s.Components[c].Name+"?") {
			v.State = Unjudged
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
	a := NewAccumulators()
	steps := []struct {
		suspects []string
		want     string
	}{
		{[]string{"1.0.1"}, "1 1.0.1"},
		{[]string{"1.0.1", "1.1.2"}, "2 1.0.1  1 1.1.2"},
		{[]string{"1.0.1", "1.1.2?"}, "3 1.0.1  1 1.1.2"}, // inconclusive: no change
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
	a := NewAccumulators()
	a.Push(window(s, 1, "1.0.1", "1.1.2", "2.3.4"))
	if n := len(a.Top(2)); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
}

// TestFeedback is L13 §5.1: a repaired component starts at zero, and a known one does
// not hide a second problem. A comment changes nothing.
func TestFeedback(t *testing.T) {
	s := system(t)
	a := NewAccumulators()
	a.Push(window(s, 1, "1.0.1", "2.3.4"))
	steps := []struct {
		verb command.Verb
		name string
		want string
	}{
		{command.Comment, "ddn1", "1 1.0.1  1 2.3.4"},
		{command.Mute, "fs4", "1 1.0.1"},
		{command.Resolve, "ddn1", ""},
		{command.Unmute, "2.3.4", "1 2.3.4"},
	}
	for _, step := range steps {
		a.Apply(step.verb, s.Match(step.name))
		if got := show(s, a, 9); got != step.want {
			t.Errorf("after %s %s: %q, want %q", step.verb, step.name, got, step.want)
		}
	}
}

// TestState: restored accumulators give the same list and continue alike. Moved
// components are found by name, and removed ones are forgotten.
func TestState(t *testing.T) {
	s, less := system(t), system(t)
	less.Components = slices.DeleteFunc(less.Components, func(c topology.Component) bool { return c.Name == "1.1.2" })
	schema := table.Schema{Metrics: metric.Device()}
	fewer := table.Schema{Metrics: []metric.Metric{metric.Await, metric.TPS}}
	a := NewAccumulators()
	for end := range int64(4) {
		for m := range schema.Metrics[:6] {
			w := window(s, end, "1.0.1", "1.1.2", "2.3.4")
			w.Metric = m
			w.Verdicts[0].Median = table.Missing
			a.Push(w)
		}
	}
	a.Apply(command.Mute, s.Match("2.3.4"))
	data := saveAccumulators(t, a, s, schema)
	if !bytes.Equal(data, saveAccumulators(t, a, s, schema)) {
		t.Error("the same accumulators give other bytes")
	}

	same := NewAccumulators()
	same.Push(window(s, 1, "2.2.3")) // forgotten by the restore
	restoreAccumulators(t, data, same, s, schema)
	if got, want := fmt.Sprint(same.Top(99)), fmt.Sprint(a.Top(99)); got != want {
		t.Errorf("restored %s\nwant %s", got, want)
	}
	if !bytes.Equal(data, saveAccumulators(t, same, s, schema)) {
		t.Error("restored accumulators give other bytes")
	}

	other := NewAccumulators()
	restoreAccumulators(t, data, other, less, fewer)
	if got := show(less, other, 9); got != "4 1.0.1  4 1.0.1" {
		t.Errorf("of fewer components and metrics: %s", got)
	}
	other.Apply(command.Unmute, less.Match("2.3.4"))
	if got := show(less, other, 9); got != "4 1.0.1  4 2.3.4  4 1.0.1  4 2.3.4" {
		t.Errorf("with what was muted: %s", got)
	}
}

func saveAccumulators(t *testing.T, a *Accumulators, s *topology.System, schema table.Schema) []byte {
	t.Helper()
	data, err := state.Encode(1, func(c *state.Codec) { a.State(c, blame.NewMap(s).Axes(c), schema.MetricAxis(c)) })
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func restoreAccumulators(t *testing.T, data []byte, a *Accumulators, s *topology.System, schema table.Schema) {
	t.Helper()
	err := state.Decode(data, 1, func(c *state.Codec) { a.State(c, blame.NewMap(s).Axes(c), schema.MetricAxis(c)) })
	if err != nil {
		t.Fatal(err)
	}
}
