package state

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// named makes places of words; a word may have an identity, as in sdb=Z1.
func named(words string) []Named {
	var places []Named
	for _, word := range strings.Fields(words) {
		name, identity, _ := strings.Cut(word, "=")
		places = append(places, Named{name, identity})
	}
	return places
}

// TestAxis saves 1, 2, 3 … by name and reads them where names have moved; what
// is new keeps its 9.
func TestAxis(t *testing.T) {
	tests := []struct{ was, now, want, gone string }{
		{"a b c", "a b c", "1 2 3", ""},
		{"a b c", "c a b", "3 1 2", ""},
		{"a b c", "a x b c", "1 9 2 3", ""},
		{"a b c", "c", "3", "0 1"},
		{"a b c", "", "", "0 1 2"},
		{"", "a", "9", ""},
		{"a=1 b=2 c", "a=1 b=3 c=4", "1 9 3", "1"}, // b was replaced; of c nothing was known
		{"a=1 b=2", "b=2 a", "2 1", ""},
		{"a=1 b=2", "a=2 b=1", "9 9", "0 1"},
		{"a b a", "a b a", "1 2 3", ""}, // of one name
		{"a b a", "b a", "2 1", "2"},
	}
	for _, tt := range tests {
		was, now := named(tt.was), named(tt.now)
		data, err := Encode(1, func(c *Codec) { threeRows(c, c.Axis(was), counted(len(was))) })
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Repeat([]float64{9}, len(now))
		var a *Axis
		if err := Decode(data, 1, func(c *Codec) { a = c.Axis(now); threeRows(c, a, got) }); err != nil {
			t.Fatalf("%+v: %v", tt, err)
		}
		if words := words(got); words != tt.want {
			t.Errorf("%s → %s: %s, want %s", tt.was, tt.now, words, tt.want)
		}
		if gone := words(a.Gone()); gone != tt.gone {
			t.Errorf("%s → %s: %s are gone, want %s", tt.was, tt.now, gone, tt.gone)
		}
		if a.Same() != (tt.was == tt.now) {
			t.Errorf("%s → %s: same is %t", tt.was, tt.now, a.Same())
		}
	}
}

// threeRows passes a row through all three ways to write one, which must agree.
func threeRows(c *Codec, a *Axis, row []float64) {
	row32 := make([]float32, len(row))
	for i, v := range row {
		row32[i] = float32(v)
	}
	c.Floats(a, row)
	c.Floats32(a, row32)
	By(c, a, row, (*Codec).Float)
	for i, v := range row {
		if float64(row32[i]) != v && c.err == nil {
			c.Failf("place %d: %g and %g", i, row32[i], v)
		}
	}
}

func counted(n int) []float64 {
	row := make([]float64, n)
	for i := range row {
		row[i] = float64(i + 1)
	}
	return row
}

func words[T any](list []T) string { return strings.Trim(fmt.Sprint(list), "[]") }

// TestSub: a group remembers its members by their place among all.
func TestSub(t *testing.T) {
	tests := []struct {
		was, now      string
		members, then []int
		want          string
	}{
		{"a b c d", "a b c d", []int{1, 3}, []int{1, 3}, "1 2"},
		{"a b c d", "d c b a", []int{1, 3}, []int{0, 2}, "2 1"},
		{"a b c d", "a b c d", []int{1, 3}, []int{0, 1}, "9 1"},
		{"a b c d", "b x", []int{1, 3}, []int{0, 1}, "1 9"},
		{"a b c d", "a b c d", nil, []int{2}, "9"},
	}
	for _, tt := range tests {
		data, err := Encode(1, func(c *Codec) {
			c.Floats(c.Sub(c.Axis(named(tt.was)), tt.members), counted(len(tt.members)))
		})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Repeat([]float64{9}, len(tt.then))
		if err := Decode(data, 1, func(c *Codec) { c.Floats(c.Sub(c.Axis(named(tt.now)), tt.then), got) }); err != nil {
			t.Fatalf("%+v: %v", tt, err)
		}
		if words(got) != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestIndexes: what points to a place follows it, and to none where it is gone.
func TestIndexes(t *testing.T) {
	at, none, gone, list := 2, -1, 0, []int{2, 0, 1}
	by := map[int]float64{0: 1, 1: 2}
	memory := func(c *Codec, places string) {
		a := c.Axis(named(places))
		a.Index(c, &at)
		a.Index(c, &none)
		a.Index(c, &gone)
		a.Indexes(c, &list)
		ByIndex(c, a, &by, (*Codec).Float)
	}
	data, err := Encode(1, func(c *Codec) { memory(c, "a b c") })
	if err != nil {
		t.Fatal(err)
	}
	if err := Decode(data, 1, func(c *Codec) { memory(c, "c b") }); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(at, none, gone, list, by); got != "0 -1 -1 [0 1] map[1:2]" {
		t.Error(got)
	}
}

// TestPlacesThatAreNot are refused.
func TestPlacesThatAreNot(t *testing.T) {
	for _, place := range []int{-2, 3, math.MaxInt32} {
		data, err := Encode(1, func(c *Codec) { c.Axis(named("a b c")); Int(c, &place) })
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		if err := Decode(data, 1, func(c *Codec) { c.Axis(named("a b c")).Index(c, &at) }); err == nil || at != -1 {
			t.Errorf("place %d of 3 was read as %d", place, at)
		}
	}
}
