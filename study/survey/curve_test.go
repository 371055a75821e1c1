package survey

import (
	"reflect"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

func TestCDF(t *testing.T) {
	b := study.NewBinner()
	var h study.Histogram
	h[b.Bin(0.5)] = 1
	h[b.Bin(1)] = 6
	h[b.Bin(2)] = 3
	end := study.BinLower(b.Bin(2) + 1)
	want := []study.Point{{X: 1, Y: 0.1}, {X: 2, Y: 0.7}, {X: end, Y: 1}}
	if got := cdf(&h, 1); !reflect.DeepEqual(got, want) {
		t.Errorf("from 1 on %v, want %v", got, want)
	}
	if got := cdf(&study.Histogram{}, 0); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

func TestUpTo(t *testing.T) {
	want := []study.Point{{X: 1, Y: 0.5}, {X: 2, Y: 0.75}}
	if got := upTo("runs", []int64{0, 2, 1, 1}); got.Name != "runs" || !reflect.DeepEqual(got.Points, want) {
		t.Errorf("%+v, want points %v", got, want)
	}
}
