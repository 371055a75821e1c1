package table

import (
	"slices"
	"testing"
)

// TestUpkeepForm: upkeep is read back as it was logged, and other bytes are refused.
func TestUpkeepForm(t *testing.T) {
	for _, want := range [][]Work{
		{NoWork, NoWork, NoWork}, {Rebuilding, NoWork, Checking}, {Checking, Checking, Checking}, {},
	} {
		r := Row{Upkeep: want}
		b := append(r.AppendUpkeep(nil), 'x')
		if len(b)-1 > MaxUpkeepBytes(len(want)) {
			t.Errorf("%v: %d bytes", want, len(b)-1)
		}
		got := Row{Upkeep: slices.Repeat([]Work{Checking}, len(want))}
		if rest, ok := got.TakeUpkeep(b); !ok || string(rest) != "x" || !slices.Equal(got.Upkeep, want) {
			t.Errorf("%v: %v, %q, %v", want, got.Upkeep, rest, ok)
		}
	}
	for _, bad := range []string{"", "\x04", "\x01", "\x01\x00", "\x01\x00\x00", "\x01\x00\x03", "\x01\x03\x01", "\x02\x02\x01\x00\x01"} {
		r := Row{Upkeep: make([]Work, 3)}
		if _, ok := r.TakeUpkeep([]byte(bad)); ok {
			t.Errorf("%q is taken", bad)
		}
	}
}
