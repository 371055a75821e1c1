package study

import (
	"slices"
)

// SlowFrom returns the hours with S ≥ threshold.
func SlowFrom(slow []SlowHour, threshold float64) []SlowHour {
	if !slices.ContainsFunc(slow, func(s SlowHour) bool { return s.S < threshold }) {
		return slow
	}
	var out []SlowHour
	for _, s := range slow {
		if s.S >= threshold {
			out = append(out, s)
		}
	}
	return out
}

// Runs splits the slow hours of a drive into runs of consecutive hours.
func Runs(slow []SlowHour) [][]SlowHour {
	var out [][]SlowHour
	for len(slow) > 0 {
		n := 1
		for n < len(slow) && slow[n].Hour == slow[n-1].Hour+1 {
			n++
		}
		out = append(out, slow[:n])
		slow = slow[n:]
	}
	return out
}

// Worst returns the largest slowdown; 0 if there are no hours.
func Worst(slow []SlowHour) float64 {
	s := 0.0
	for _, h := range slow {
		s = max(s, h.S)
	}
	return s
}
