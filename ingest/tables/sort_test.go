package tables

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// A sample is one sample of a test.
type sample struct {
	Step   int64
	Who    int32
	Time   int64 // ns
	Values []float64
}

func (s *sample) compare(o *sample) int {
	return cmp.Or(cmp.Compare(s.Step, o.Step), cmp.Compare(s.Who, o.Who), cmp.Compare(s.Time, o.Time))
}

// addSamples adds samples of a test in batches.
func addSamples(t *testing.T, s *stepSorter, list []sample) {
	t.Helper()
	for part := range slices.Chunk(list, 200) {
		batch := &samples{metrics: len(list[0].Values)}
		for _, v := range part {
			copy(batch.add(v.Time, v.Who), v.Values)
		}
		if err := s.Add(batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
}

// TestStepSorter compares the samples of many ranges of time, some of which are cut
// again, with a stable sort that folds in memory.
func TestStepSorter(t *testing.T) {
	const second = 1_000_000_000
	for _, crowded := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(3, 1))
		var all []sample
		for range 200 * 200 {
			v := sample{Time: rng.Int64N(500) * second, Who: rng.Int32N(40), Values: []float64{rng.Float64(), rng.Float64()}}
			if crowded && rng.IntN(2) == 0 {
				v.Time = (7 + rng.Int64N(2)) * second // half of all in one range
			}
			v.Step = stepOf(v.Time, 10)
			if rng.IntN(3) == 0 {
				v.Values[rng.IntN(2)] = math.NaN()
			}
			all = append(all, v)
		}
		dir := t.TempDir()
		scan := &tableScan{samples: len(all), last: 500 * second}
		s, err := newStepSorter(dir, 2, scan, leastSamples)
		if err != nil {
			t.Fatal(err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("the file can be seen: %v", left)
		}
		addSamples(t, s, all)
		want, twice := plain(all)
		var got []string
		batch := &samples{metrics: 2}
		for {
			order, err := s.Next(t.Context(), batch, 10)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if batch.Len() > leastSamples {
				t.Errorf("%d samples are in memory", batch.Len())
			}
			for _, i := range order {
				got = append(got, fmt.Sprint(sample{stepOf(batch.times[i], 10), batch.components[i], batch.times[i], batch.valuesOf(int(i))}))
			}
		}
		slices.Sort(got) // a step may lie in two ranges of time
		slices.Sort(want)
		if !slices.Equal(got, want) || s.duplicates.values != twice || twice == 0 {
			t.Errorf("%d samples of %d, %d of %d measured twice", len(got), len(want), s.duplicates.values, twice)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// plain sorts and folds in memory.
func plain(all []sample) (out []string, twice int) {
	slices.SortStableFunc(all, func(a, b sample) int { return a.compare(&b) })
	for i := 0; i < len(all); {
		v := all[i]
		v.Values = slices.Clone(v.Values)
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

// TestStepsInOrder: steps come in ascending order, and within a range of time the
// samples are ordered by step, component and time.
func TestStepsInOrder(t *testing.T) {
	var list []sample
	for who := range int32(10) {
		for i := range int64(2000) {
			list = append(list, sample{Time: i * 1_000_000_000, Who: who, Values: []float64{float64(i)}})
		}
	}
	s, err := newStepSorter(t.TempDir(), 1, &tableScan{samples: len(list), last: 2000 * 1_000_000_000}, leastSamples)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	addSamples(t, s, list)
	batch, last, n := &samples{metrics: 1}, int64(-1), 0
	for {
		order, err := s.Next(t.Context(), batch, 5)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		ordered := func(a, b int32) int {
			x := sample{Step: stepOf(batch.times[a], 5), Who: batch.components[a], Time: batch.times[a]}
			y := sample{Step: stepOf(batch.times[b], 5), Who: batch.components[b], Time: batch.times[b]}
			return x.compare(&y)
		}
		if step := stepOf(batch.times[order[0]], 5); step < last || !slices.IsSortedFunc(order, ordered) {
			t.Errorf("step %d follows step %d", step, last)
		}
		last, n = stepOf(batch.times[order[len(order)-1]], 5), n+len(order)
	}
	if n != len(list) {
		t.Errorf("%d samples of %d", n, len(list))
	}
}

// TestEqualSamples: a file of equal samples takes no room.
func TestEqualSamples(t *testing.T) {
	const equal = 128_000
	s, err := newStepSorter(t.TempDir(), 1, &tableScan{samples: equal, first: 1, last: 1}, leastSamples)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	addSamples(t, s, slices.Repeat([]sample{{Time: 1, Values: []float64{1}}}, equal))
	batch := &samples{metrics: 1}
	if order, err := s.Next(t.Context(), batch, 1); err != nil || len(order) != 1 || s.Bytes() > 4<<10 {
		t.Errorf("%d samples, %d bytes, %v", len(order), s.Bytes(), err)
	}
	if _, err := s.Next(t.Context(), batch, 1); err != io.EOF || s.duplicates.values != equal-1 {
		t.Errorf("%d measured twice, %v", s.duplicates.values, err)
	}
}
