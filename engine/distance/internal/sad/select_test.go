package sad

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sorted is the plain twin of Select.
func sorted(dist []uint32, m int) uint32 {
	s := slices.Sorted(slices.Values(dist))
	return s[len(s)-m]
}

func checkSelect(t *testing.T, dist []uint32, m int) {
	t.Helper()
	before, want := slices.Clone(dist), sorted(dist, m)
	for _, k := range kernels() {
		if got := k.nth(dist, m); got != want {
			t.Fatalf("%s: number %d of %d is %d, want %d", k, m, len(dist), got, want)
		}
	}
	if !slices.Equal(dist, before) {
		t.Fatalf("number %d of %d: the distances have changed", m, len(dist))
	}
}

func TestSelect(t *testing.T) {
	const most = math.MaxUint32
	for _, c := range []struct {
		dist []uint32
		m    int
		want uint32
	}{
		{[]uint32{7}, 1, 7},
		{[]uint32{0, 5, 9}, 1, 9},
		{[]uint32{0, 5, 9}, 2, 5},
		{[]uint32{0, 5, 9}, 3, 0},
		{[]uint32{4, 4, 4, 4}, 3, 4},
		{[]uint32{0, most, most - 1, 1 << 31}, 2, most - 1},
		{[]uint32{0, most, most - 1, 1 << 31}, 3, 1 << 31},
		{[]uint32{255, 256, 65535, 65536}, 2, 65535},
		{[]uint32{255, 256, 65535, 65536}, 4, 255},
	} {
		if got := Select(c.dist, c.m); got != c.want {
			t.Errorf("Select(%d, %d) = %d, want %d", c.dist, c.m, got, c.want)
		}
		checkSelect(t, c.dist, c.m)
	}
}

func TestSelectLikeSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for _, most := range []uint32{0, 1, 10, 60_000, 261_120, math.MaxUint32} {
		for _, n := range []int{1, 3, 31, 32, 33, 64, 100, 767} {
			dist := make([]uint32, n)
			for i := range dist {
				dist[i] = uint32(r.Uint64N(uint64(most) + 1))
			}
			for _, m := range []int{1, (n-1)/2 + 1, 1 + r.IntN(n), n} {
				checkSelect(t, dist, m)
			}
		}
	}
}

// A component's own distance of zero changes no order statistic of the others.
func TestSelectIgnoresOneself(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	others := make([]uint32, 40)
	for i := range others {
		others[i] = r.Uint32N(9)
	}
	with := slices.Insert(slices.Clone(others), 17, 0)
	for m := 1; m <= len(others); m++ {
		if got, want := Select(with, m), Select(others, m); got != want {
			t.Errorf("number %d: %d, want %d", m, got, want)
		}
	}
}

func FuzzSelect(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 255, 255, 255, 255, 0, 0, 1, 0}, uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, m uint16) {
		dist := make([]uint32, len(data)/4)
		if len(dist) == 0 {
			return
		}
		for i := range dist {
			dist[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
		checkSelect(t, dist, 1+int(m)%len(dist))
	})
}
