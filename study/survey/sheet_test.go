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
		{share(0), study.Estimate{Groups: 50, Alike: true}, "never seen"},
		{share(1), study.Estimate{Groups: 50, Alike: true}, "seen every time"},
		{share(0.5), study.Estimate{Groups: 1}, "1 group has any"},
		{share(0.5), study.Estimate{Groups: 9}, "9 groups have any"},
		{share(0.5), study.Estimate{Groups: 50, Alike: true}, "all groups are alike"},
		{share(0.5), study.Estimate{Groups: 50}, "too few to tell"},
	}
	for _, test := range tests {
		if got := unsure(test.value, test.of); got != test.want {
			t.Errorf("%v of %+v: %s, want %s", test.value.Number, test.of, got, test.want)
		}
	}
}
