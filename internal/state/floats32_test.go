package state

import (
	"math"
	"strings"
	"testing"
)

func names(list ...string) (out []Named) {
	for _, name := range list {
		out = append(out, Named{Name: name})
	}
	return out
}

// TestFloats32: short numbers come back to the last bit, at the place that has
// their name now; what is new stays as it was made, and what is gone is passed
// over.
func TestFloats32(t *testing.T) {
	nan := float32(math.NaN())
	data, err := Encode(1, func(c *Codec) {
		c.Floats32(c.Axis(names("a", "b", "c")), []float32{1.5, nan, -3e-9})
		c.Floats32(c.Axis(nil), nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		now  []string
		want []float32
	}{
		{[]string{"a", "b", "c"}, []float32{1.5, nan, -3e-9}},
		{[]string{"c", "new", "a"}, []float32{-3e-9, 7, 1.5}},
		{nil, nil},
	} {
		got := make([]float32, len(tt.now))
		for i := range got {
			got[i] = 7
		}
		err := Decode(data, 1, func(c *Codec) {
			c.Floats32(c.Axis(names(tt.now...)), got)
			c.Floats32(c.Axis(nil), nil)
		})
		for i := range got {
			if err != nil || math.Float32bits(got[i]) != math.Float32bits(tt.want[i]) {
				t.Errorf("%v: %v, %v, want %v", tt.now, got, err, tt.want)
			}
		}
	}
}

// TestFloats32InBlocks: more numbers than a block holds.
func TestFloats32InBlocks(t *testing.T) {
	all := make([]float32, 3*rowBytes/4+17)
	for i := range all {
		all[i] = float32(i) / 3
	}
	a := unchangedAxis(len(all))
	data, err := Encode(1, func(c *Codec) { c.Floats32(a, all) })
	got := make([]float32, len(all))
	if err == nil {
		err = Decode(data, 1, func(c *Codec) { c.Floats32(a, got) })
	}
	for i := range got {
		if err != nil || got[i] != all[i] {
			t.Fatalf("number %d: %g, %v, want %g", i, got[i], err, all[i])
		}
	}
}

func TestExpect(t *testing.T) {
	data, err := Encode(1, func(c *Codec) { c.Expect("elements of a ring", 8) })
	if err != nil {
		t.Fatal(err)
	}
	for want, ok := range map[int]bool{8: true, 9: false} {
		err := Decode(data, 1, func(c *Codec) { c.Expect("elements of a ring", want) })
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "8 elements of a ring, but the present settings need 9") {
			t.Errorf("want %d: %v", want, err)
		}
	}
}
