package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
)

// randomNumber is one that an answer may hold.
func randomNumber(rng *rand.Rand) string {
	switch rng.IntN(12) {
	case 0:
		return "null"
	case 1:
		return fmt.Sprintf("%g", (rng.Float64()-0.5)*1e9)
	case 2:
		return fmt.Sprint(rng.Uint64())
	case 3:
		return fmt.Sprintf(`"%g"`, rng.ExpFloat64())
	case 4:
		return fmt.Sprintf(" %d\n", rng.IntN(1000))
	case 5:
		return fmt.Sprintf("%.*f", rng.IntN(18), rng.Float64())
	}
	return fmt.Sprintf("%d.%d", rng.IntN(100_000_000), rng.IntN(1000))
}

// TestNumbers: however an array comes, its numbers are those that are read one by one.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{0, 1, 2, 3, 1000, 20_000} {
		list := make([]string, n)
		for i := range list {
			list[i] = randomNumber(rng)
		}
		text := "[" + strings.Join(list, ",") + "]"
		plain, quick, torn := newScanner(strings.NewReader(text)), newScanner(strings.NewReader(text)), newScanner(iotest.OneByteReader(strings.NewReader(text)))
		var want, got, bits []float64
		plain.Array(func() { want = add(want)(plain.Number()) })
		quick.Numbers(func(v float64, ok bool) { got = add(got)(v, ok) })
		torn.Numbers(func(v float64, ok bool) { bits = add(bits)(v, ok) })
		for name, s := range map[string]*scanner{"plain": plain, "quick": quick, "torn": torn} {
			if s.Err() != nil || s.More() {
				t.Fatalf("%s, %d numbers: %v", name, n, s.Err())
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(bits) != fmt.Sprint(want) || len(want) != n {
			t.Errorf("%d numbers: %d are read one by one, %d at once, %d from what comes byte by byte; or they differ", n, len(want), len(got), len(bits))
		}
	}
}

// add adds a number to a list, NaN for null.
func add(list []float64) func(v float64, ok bool) []float64 {
	return func(v float64, ok bool) []float64 {
		if !ok {
			v = math.NaN()
		}
		return append(list, v)
	}
}

// TestBrokenNumbers: what is no number is refused as it is one by one.
func TestBrokenNumbers(t *testing.T) {
	for _, text := range []string{`[`, `[1,`, `[1,]`, `[,1]`, `[1 2]`, `[1.,2]`, `[.5,2]x`, `[1..2,3]`, `[1.2.3,4]`, `[--1,2]`, `[x,1]`, `[1,2`, `[[1],2]`} {
		plain, quick := newScanner(strings.NewReader(text)), newScanner(strings.NewReader(text))
		var want, got []float64
		plain.Array(func() { want = add(want)(plain.Number()) })
		quick.Numbers(func(v float64, ok bool) { got = add(got)(v, ok) })
		if fmt.Sprint(plain.Err()) != fmt.Sprint(quick.Err()) || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v and %v, one by one %v and %v", text, got, quick.Err(), want, plain.Err())
		}
	}
}

func BenchmarkNumbers(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 9))
	const numbers = 10_000
	list := make([]string, numbers)
	for i := range list {
		list[i] = fmt.Sprintf("%d.%03d", rng.IntN(1e9), rng.IntN(1000))
	}
	text := "[" + strings.Join(list, ",") + "]"
	sum := 0.0
	for name, read := range map[string]func(*scanner){
		"at-once":    func(s *scanner) { s.Numbers(func(v float64, _ bool) { sum += v }) },
		"one-by-one": func(s *scanner) { s.Array(func() { v, _ := s.Number(); sum += v }) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				read(newScanner(strings.NewReader(text)))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/numbers, "ns/number")
		})
	}
}
