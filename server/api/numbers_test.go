package api_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
)

// FuzzNumbers: the same bytes as package json writes of each number alone.
func FuzzNumbers(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 31.6, 1e-6, 1e-7, 1e-9, 1e-10, -1.5e-8, 1e20, 1e21, -1e300, 5e-324, math.MaxFloat64, math.NaN(), math.Inf(1), math.Copysign(0, -1)} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		list := []document.Number{document.Number(v), 1, document.Number(v)}
		want, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(api.Numbers(list)); err != nil || string(got) != string(want) {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	})
}

// TestNoNumbers is an empty list, and not null.
func TestNoNumbers(t *testing.T) {
	if got, err := json.Marshal(api.Numbers(nil)); err != nil || string(got) != "[]" {
		t.Errorf("%s, %v", got, err)
	}
}
