package survey

import "testing"

func TestBuckets(t *testing.T) {
	for name, all := range map[string][]bucket{"since": sinceHours[:], "often": oftenSlow[:], "lasting": lastingFor[:]} {
		for n := all[0].from; n < 1000; n++ {
			found := 0
			for _, b := range all {
				if b.has(n) {
					found++
				}
			}
			if found != 1 || !all[which(all, n)].has(n) {
				t.Fatalf("%s: %d is in %d buckets", name, n, found)
			}
		}
	}
	for want, b := range map[string]bucket{"0": {0, 0}, "3 to 6": {3, 6}, "7 and more": {7, endless}} {
		if b.String() != want {
			t.Errorf("%v is written %q, want %q", [2]int64{b.from, b.to}, b, want)
		}
	}
}
