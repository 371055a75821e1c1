package sad

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// kernels are the instruction sets of this processor, each to be tested by
// itself and not only the one that best chooses.
func kernels() []kernel {
	return []kernel{plain, avx2, avx512}[:best()+1]
}

func (k kernel) String() string {
	return [...]string{"plain", "avx2", "avx512"}[k]
}

// naive is the definition.
func naive(a, b []byte) uint32 {
	var sum uint32
	for i := range a {
		sum += uint32(max(int(a[i])-int(b[i]), int(b[i])-int(a[i])))
	}
	return sum
}

func random(r *rand.Rand, n int) []byte {
	row := make([]byte, n)
	for i := range row {
		row[i] = byte(r.Uint32())
	}
	return row
}

func TestStride(t *testing.T) {
	for bins, want := range map[int]int{0: 0, 1: 128, 127: 128, 128: 128, 129: 256, 1000: 1024} {
		if got := Stride(bins); got != want {
			t.Errorf("Stride(%d) = %d, want %d", bins, got, want)
		}
	}
}

func TestSum(t *testing.T) {
	long := 1<<16 + 1
	for _, c := range []struct {
		name string
		a, b []byte
		want uint32
	}{
		{"empty", nil, nil, 0},
		{"one bin", []byte{3}, []byte{60}, 57},
		{"both directions", []byte{0, 9, 255, 7}, []byte{255, 4, 0, 7}, 515},
		{"cumulative counts", []byte{0, 20, 40, 60}, []byte{60, 60, 60, 60}, 120},
		{"neighbouring lanes do not borrow", []byte{0, 0, 1, 1, 0, 0, 1, 1}, []byte{1, 1, 0, 0, 1, 1, 0, 0}, 8},
		{"extremes of a row", make([]byte, 1024), bytes.Repeat([]byte{255}, 1024), 255 * 1024},
		{"extremes of a long row", make([]byte, long), bytes.Repeat([]byte{255}, long), 255 * uint32(long)},
	} {
		for _, k := range kernels() {
			if got := k.sum(c.a, c.b); got != c.want {
				t.Errorf("%s, %s: %d, want %d", c.name, k, got, c.want)
			}
			if got := k.sum(c.b, c.a); got != c.want {
				t.Errorf("%s, %s, exchanged: %d, want %d", c.name, k, got, c.want)
			}
		}
		if got := Sum(c.a, c.b); got != c.want {
			t.Errorf("%s: Sum = %d, want %d", c.name, got, c.want)
		}
	}
}

func TestSumAtAnyLengthAndAlignment(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 13))
	a, b := random(r, 4096), random(r, 4096)
	for n := range 700 {
		x, y := a[n%67:][:n], b[n%31:][:n]
		want := naive(x, y)
		for _, k := range kernels() {
			if got := k.sum(x, y); got != want {
				t.Fatalf("%s, %d bytes: %d, want %d", k, n, got, want)
			}
		}
	}
}

func TestSumTakesEveryPairOfBytes(t *testing.T) {
	a, b := make([]byte, 1<<16), make([]byte, 1<<16)
	for i := range a {
		a[i], b[i] = byte(i), byte(i>>8)
	}
	for _, k := range kernels() {
		for at := 0; at < len(a); at += Pad {
			x, y := a[at:][:Pad], b[at:][:Pad]
			if got, want := k.sum(x, y), naive(x, y); got != want {
				t.Fatalf("%s, bytes from %d against %d: %d, want %d", k, x[0], y[0], got, want)
			}
		}
	}
}

func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 17))
	for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 127, 128, 133, 270} {
		for _, stride := range []int{Pad, 3 * Pad} {
			matrix := random(r, n*stride+1)[1:]
			for _, k := range kernels() {
				checkPairs(t, k.String(), k.pairs, matrix, stride)
			}
		}
	}
}

func TestPairsOfExtremeRows(t *testing.T) {
	matrix := bytes.Repeat(append(make([]byte, 1024), bytes.Repeat([]byte{255}, 1024)...), 5)
	for _, k := range kernels() {
		checkPairs(t, k.String(), k.pairs, matrix, 1024)
	}
	checkPairs(t, "dispatched", Pairs, matrix, 1024)
}

// checkPairs fills dst beforehand: what pairs leaves unset would show.
func checkPairs(t *testing.T, name string, pairs func([]uint32, []byte, int), matrix []byte, stride int) {
	t.Helper()
	n := len(matrix) / stride
	dst := slices.Repeat([]uint32{math.MaxUint32}, n*n)
	pairs(dst, matrix, stride)
	for i, got := range dst {
		a, b := matrix[i/n*stride:][:stride], matrix[i%n*stride:][:stride]
		if want := naive(a, b); got != want {
			t.Fatalf("%s, %d rows of %d: from %d to %d is %d, want %d", name, n, stride, i/n, i%n, got, want)
		}
	}
}

func TestMisuse(t *testing.T) {
	for name, misuse := range map[string]func(){
		"rows of different length": func() { Sum(make([]byte, 2), make([]byte, 3)) },
		"no stride":                func() { Pairs(nil, nil, 0) },
		"stride without padding":   func() { Pairs(make([]uint32, 1), make([]byte, 1000), 1000) },
		"half a row":               func() { Pairs(make([]uint32, 1), make([]byte, 192), 128) },
		"too little room":          func() { Pairs(make([]uint32, 3), make([]byte, 256), 128) },
		"zeroth largest":           func() { Select(make([]uint32, 3), 0) },
		"fourth largest of three":  func() { Select(make([]uint32, 3), 4) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			misuse()
		}()
	}
}

func TestNoAllocation(t *testing.T) {
	matrix, dst := make([]byte, 9*Pad), make([]uint32, 81)
	if n := testing.AllocsPerRun(10, func() {
		Pairs(dst, matrix, Pad)
		Select(dst, 5)
	}); n != 0 {
		t.Errorf("%v allocations a window", n)
	}
}

func FuzzSum(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add([]byte{0, 255, 255, 0}, uint8(0))
	f.Add(bytes.Repeat([]byte{0, 255, 128, 1, 60}, 300), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, skip uint8) {
		data = data[min(int(skip), len(data)):]
		a, b := data[:len(data)/2], data[len(data)/2:][:len(data)/2]
		want := naive(a, b)
		for _, k := range kernels() {
			if got := k.sum(a, b); got != want {
				t.Errorf("%s: %d, want %d", k, got, want)
			}
		}
	})
}

func FuzzPairs(f *testing.F) {
	f.Add(bytes.Repeat([]byte{0, 255, 128, 1, 60}, 300), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, turns uint8) {
		stride := Pad * (1 + int(turns)%8)
		n := min(len(data)/stride, 32)
		matrix := data[:n*stride]
		for _, k := range kernels() {
			checkPairs(t, k.String(), k.pairs, matrix, stride)
		}
	})
}
