package report

import (
	"bytes"
	"testing"

	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/state"
)

// What stands is what a diagnosis of all rows so far writes, however often it was
// asked for and saved meanwhile.
func TestStanding(t *testing.T) {
	w := newWorld(t, site, false)
	want := w.run()
	standing := NewStanding(w.s)
	for at, step := range w.steps {
		if at == len(w.steps)/2 {
			if err := standing.Write(new(bytes.Buffer), "text", w.summary()); err != nil {
				t.Fatal(err)
			}
			standing = saved(t, w, standing)
		}
		step(standing, NewEvidence(w.s))
	}
	for _, format := range Formats() {
		var out bytes.Buffer
		if err := standing.Write(&out, format, w.summary()); err != nil {
			t.Fatal(err)
		}
		if out.String() != want[format] {
			t.Errorf("%s differs:\n%s\nwant\n%s", format, out.String(), want[format])
		}
	}
	if err := standing.Write(new(bytes.Buffer), "pdf", w.summary()); err == nil {
		t.Error("an unknown format is written")
	}
}

func saved(t *testing.T, w *world, s *Standing) *Standing {
	t.Helper()
	m, again := place.NewMap(w.s.System), NewStanding(w.s)
	data, err := state.Encode(1, func(c *state.Codec) { s.State(c, m.Axes(c)) })
	if err == nil {
		err = state.Decode(data, 1, func(c *state.Codec) { again.State(c, m.Axes(c)) })
	}
	if err != nil {
		t.Fatal(err)
	}
	return again
}
