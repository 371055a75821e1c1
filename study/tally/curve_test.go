package tally

import (
	"reflect"
	"testing"

	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/ratio"
)

func TestCDF(t *testing.T) {
	b := ratio.NewBinner()
	var h ratio.Histogram
	h[b.Bin(0.5)] = 1
	h[b.Bin(1)] = 6
	h[b.Bin(2)] = 3
	end := ratio.Lower(b.Bin(2) + 1)
	want := []finding.Point{{X: 1, Y: 0.1}, {X: 2, Y: 0.7}, {X: end, Y: 1}}
	if got := CDF(&h, 1); !reflect.DeepEqual(got, want) {
		t.Errorf("from 1 on %v, want %v", got, want)
	}
	if got := CDF(&ratio.Histogram{}, 0); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

func TestUpTo(t *testing.T) {
	want := []finding.Point{{X: 1, Y: 0.5}, {X: 2, Y: 0.75}}
	if got := UpTo("runs", []int64{0, 2, 1, 1}); got.Name != "runs" || !reflect.DeepEqual(got.Points, want) {
		t.Errorf("%+v, want points %v", got, want)
	}
}
