package tool

import (
	"math"
	"testing"

	"github.com/limpet-storage/limpet/record/blklat"
)

func bins(requests ...float64) (list []Bin) {
	for i, n := range requests {
		list = append(list, Bin{LowNs: 1e6 * math.Exp2(float64(i)), HighNs: 1e6 * math.Exp2(float64(i+1)), Requests: n})
	}
	return list
}

// TestFold: what came since the sample before counts once, a restart tells nothing.
func TestFold(t *testing.T) {
	for _, c := range []struct {
		name    string
		kind    CountKind
		samples [][]float64 // 10 s apart
		want    []int       // requests of each; -1: nothing to tell
	}{
		{"since the begin", sinceStart, [][]float64{{5, 1}, {7, 1}, {7, 1}, {8, 3}}, []int{-1, 2, 0, 3}},
		{"started again", sinceStart, [][]float64{{50, 1}, {7, 0}, {9, 0}}, []int{-1, -1, 2}},
		{"a bin less", sinceStart, [][]float64{{5, 1}, {6}, {7}}, []int{-1, -1, 1}},
		{"a bin more", sinceStart, [][]float64{{5}, {6, 2}}, []int{-1, 3}},
		{"since the sample before", sinceLastSample, [][]float64{{5, 1}, {7, 1}}, []int{6, 8}},
		{"rates", perSecond, [][]float64{{9}, {0.25}, {0.25}, {0.25}, {0.25}}, []int{-1, 2, 3, 2, 3}},
	} {
		f := NewFold()
		for i, requests := range c.samples {
			h, ok := f.Take(&Sample{Time: int64(1000 + 10*i), Component: "sda", Kind: c.kind, Bins: bins(requests...)})
			got := int(h.Requests())
			if !ok {
				got = -1
			}
			if got != c.want[i] {
				t.Errorf("%s: sample %d has %d requests, want %d", c.name, i, got, c.want[i])
			}
		}
	}
}

// TestMiddles: requests lie in their bin, at the middle of its logarithm.
func TestMiddles(t *testing.T) {
	for _, c := range []struct {
		bin  Bin
		want float64
	}{
		{Bin{LowNs: 1e6, HighNs: 4e6}, 2e6},
		{Bin{HighNs: 1e5}, 5e4},
		{Bin{LowNs: 3e9, HighNs: math.Inf(1)}, 3e9},
		{Bin{LowNs: 1e300, HighNs: 1e308}, 1e18},
	} {
		if got := c.bin.middleNs(); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("%+v: %g ns, want %g", c.bin, got, c.want)
		}
	}
	if h := toBuckets([]Bin{{LowNs: 1e6, HighNs: 4e6, Requests: 1e12}}, nil); h[0] != (blklat.Count{Bucket: uint16(blklat.Bucket(2e6)), Requests: math.MaxUint32}) {
		t.Errorf("%+v", h)
	}
}

// TestDurations: as tools write them.
func TestDurations(t *testing.T) {
	for text, want := range map[string]float64{"1ns": 1, "512us": 512e3, "1ms": 1e6, "137s": 137e9, "0us": 0, "s": -1, "-1s": -1, "5": -1, "": -1} {
		got, ok := parseDuration(text)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q is %g ns, %v", text, got, ok)
		}
	}
	for text, want := range map[string]float64{"12": 12, "1.5K": 1536, "2M": 2 << 20, "-": -1, "": -1, "K": -1, "-3": -1} {
		got, ok := parseCount(text)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q is %g, %v", text, got, ok)
		}
	}
}
