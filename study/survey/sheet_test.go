package survey

import (
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// TestUnsure says why there is no interval.
func TestUnsure(t *testing.T) {
	share := func(x float64) study.Value { return study.Value{Number: x, Unit: study.Share} }
	tests := []struct {
		value study.Value
		of    study.Estimate
		want  string
	}{
		{share(0), study.Estimate{Groups: 50, Alike: true}, "the count is zero"},
		{share(1), study.Estimate{Groups: 50, Alike: true}, "the value is 100 %"},
		{share(0.5), study.Estimate{}, "no group has such values"},
		{share(0.5), study.Estimate{Groups: 1}, "only 1 group has such values"},
		{share(0.5), study.Estimate{Groups: 9}, "only 9 groups have such values"},
		{share(0.5), study.Estimate{Groups: 50, Alike: true}, "all groups have the same value"},
		{share(0.5), study.Estimate{Groups: 50}, "there are too few values"},
	}
	for _, test := range tests {
		if got := unsure(test.value, test.of); got != test.want {
			t.Errorf("%v of %+v: %s, want %s", test.value.Number, test.of, got, test.want)
		}
	}
}
