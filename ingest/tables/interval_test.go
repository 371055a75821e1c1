package tables

import "testing"

func TestIntervals(t *testing.T) {
	tests := map[string]struct {
		seconds []int64
		want    int64
	}{
		"none":            {nil, 0},
		"one sample":      {[]int64{100}, 0},
		"regular":         {[]int64{0, 15, 30, 45, 60}, 15},
		"with a gap":      {[]int64{0, 15, 30, 9000, 9015}, 15},
		"newest first":    {[]int64{60, 45, 30, 15, 0}, 15},
		"repeated":        {[]int64{0, 0, 0, 15, 15, 15, 30, 30}, 15},
		"the shorter":     {[]int64{0, 10, 30, 40, 60}, 10},
		"no order at all": {[]int64{45, 0, 90, 15, 75, 30, 60}, 15},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var v counts
			for i := range tt.seconds[min(1, len(tt.seconds)):] {
				v.Between(tt.seconds[i]*1e9, tt.seconds[i+1]*1e9)
			}
			if got := v.Common(); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

func TestIntervalsAreBounded(t *testing.T) {
	var v counts
	for i := range int64(1000) {
		v.Between(0, 7e9)
		v.Between(0, (100+i)*1e9)
	}
	if len(v.list) > maxIntervals || v.Common() != 7 {
		t.Errorf("%d intervals are held, the common one is %d", len(v.list), v.Common())
	}
}
