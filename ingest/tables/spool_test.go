package tables

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// TestSpool holds the samples of many runs, more than are merged at once,
// against a stable sort that folds in memory.
func TestSpool(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	dir := t.TempDir()
	s, err := newStepSorter(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("the file can be seen: %v", left)
	}
	var all []sample
	for range 3*fanIn + 5 {
		var run []sample
		for range 200 {
			v := sample{Step: rng.Int64N(5), Who: rng.Int32N(40), Values: []float64{rng.Float64(), rng.Float64()}}
			v.Time = v.Step*10 + rng.Int64N(10)
			if rng.IntN(3) == 0 {
				v.Values[rng.IntN(2)] = math.NaN()
			}
			run = append(run, v)
		}
		for _, v := range run {
			v.Values = slices.Clone(v.Values)
			all = append(all, v)
		}
		if err := s.Add(run); err != nil {
			t.Fatal(err)
		}
	}
	want, twice := plain(all)
	var got []string
	var v sample
	for err = s.Next(&v); err == nil; err = s.Next(&v) {
		got = append(got, fmt.Sprint(v))
	}
	if err != io.EOF || !slices.Equal(got, want) || s.Twice != twice || twice == 0 {
		t.Errorf("%d samples of %d, %d of %d measured twice, %v", len(got), len(want), s.Twice, twice, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// plain sorts and folds in memory.
func plain(all []sample) (out []string, twice int) {
	slices.SortStableFunc(all, func(a, b sample) int { return a.compare(&b) })
	for i := 0; i < len(all); {
		v := all[i]
		for i++; i < len(all) && all[i].compare(&v) == 0; i++ {
			for m, later := range all[i].Values {
				switch {
				case math.IsNaN(later):
				case math.IsNaN(v.Values[m]):
					v.Values[m] = later
				default:
					v.Values[m] = later
					twice++
				}
			}
		}
		out = append(out, fmt.Sprint(v))
	}
	return out, twice
}

// TestEqualSamples: a file of equal samples takes no room.
func TestEqualSamples(t *testing.T) {
	s, err := newStepSorter(t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 2 * fanIn {
		if err := s.Add(slices.Repeat([]sample{{Step: 1, Values: []float64{1}}}, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	var v sample
	if err := s.Next(&v); err != nil || s.size > 4<<10 {
		t.Errorf("%d bytes, %v", s.size, err)
	}
	if err := s.Next(&v); err != io.EOF || s.Twice != 2*fanIn*1000-1 {
		t.Errorf("%d measured twice, %v", s.Twice, err)
	}
}
