package report

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/internal/state"
)

func TestHistoryIsBounded(t *testing.T) {
	h := newValueHistory(3, 15, 8192, 16<<20)
	h.Limit = 64
	for i := range int64(10_000) {
		h.Push(i*15, func(c int) float64 { return float64(c) })
	}
	if len(h.Ends) > 64 || len(h.cells) != 3*len(h.Ends) {
		t.Errorf("%d rows", len(h.Ends))
	}
	for c := range 3 {
		for _, v := range h.Series(c) {
			if v != float64(c) {
				t.Fatalf("component %d became %v", c, v)
			}
		}
	}
	if many := newValueHistory(1<<20, 15, 8192, 16<<20); many.Limit != minRows {
		t.Errorf("of a million components %d rows are kept", many.Limit)
	}
}

func TestHistoryShowsSilence(t *testing.T) {
	h := newValueHistory(1, 15, 8192, 16<<20)
	h.Push(15, func(int) float64 { return 1 })
	h.Push(3600, func(int) float64 { return 1 })
	if s := h.Series(0); len(s) != 3 || s[1] == s[1] {
		t.Errorf("series across a silence: %v", s)
	}
}

// Components that moved keep their values, new ones have none.
func TestStateByName(t *testing.T) {
	named := func(names ...string) (list []state.Named) {
		for _, n := range names {
			list = append(list, state.Named{Name: n})
		}
		return list
	}
	h := newValueHistory(3, 15, 8192, 16<<20)
	for i := range int64(5000) {
		h.Push(15*i, func(c int) float64 { return float64(10*c) + float64(i%7) })
	}
	data, err := state.Encode(1, func(c *state.Codec) { h.State(c, c.Axis(named("a", "b", "c"))) })
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{"a", "b", "c"}, {"c", "new", "a", "other"}} {
		got := newValueHistory(len(names), 15, 8192, 16<<20)
		if err := state.Decode(data, 1, func(c *state.Codec) { got.State(c, c.Axis(named(names...))) }); err != nil {
			t.Fatal(err)
		}
		for at, name := range names {
			was := slices.Index([]string{"a", "b", "c"}, name)
			if !slices.EqualFunc(got.Series(at), h.Series(was), func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Errorf("%s of %v has other values", name, names)
			}
		}
	}
}
