package evaluate

import (
	"math"
	"testing"
)

// TestInterval holds Wilson's intervals against R's prop.test without its
// correction.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		share     Share
		low, high float64
	}{
		{Share{0, 10}, 0, 27.753},
		{Share{10, 10}, 72.247, 100},
		{Share{5, 10}, 23.659, 76.341},
		{Share{17, 20}, 63.958, 94.763},
		{Share{1, 60}, 0.295, 8.855},
	} {
		low, high := c.share.Interval()
		if math.Abs(low-c.low) > 0.01 || math.Abs(high-c.high) > 0.01 {
			t.Errorf("%v: %.3f to %.3f, want %.3f to %.3f", c.share, low, high, c.low, c.high)
		}
	}
	if low, high := (Share{}).Interval(); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("of none: %v to %v", low, high)
	}
}
