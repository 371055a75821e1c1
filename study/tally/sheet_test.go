package tally

import (
	"testing"

	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
)

// TestUnsure says why there is no interval.
func TestUnsure(t *testing.T) {
	share := func(x float64) finding.Value { return finding.Value{Number: x, Unit: finding.Share} }
	tests := []struct {
		value finding.Value
		of    boot.Estimate
		want  string
	}{
		{share(0), boot.Estimate{Groups: 50, Alike: true}, "never seen"},
		{share(1), boot.Estimate{Groups: 50, Alike: true}, "always so"},
		{share(0.5), boot.Estimate{Groups: 1}, "1 group has any"},
		{share(0.5), boot.Estimate{Groups: 9}, "9 groups have any"},
		{share(0.5), boot.Estimate{Groups: 50, Alike: true}, "all groups are alike"},
		{share(0.5), boot.Estimate{Groups: 50}, "too few to tell"},
	}
	for _, test := range tests {
		if got := Unsure(test.value, test.of); got != test.want {
			t.Errorf("%v of %+v: %s, want %s", test.value.Number, test.of, got, test.want)
		}
	}
}
