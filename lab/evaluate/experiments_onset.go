package evaluate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
)

// Onset compares the reported start of an incident with the start of its fault.
type Onset struct {
	Seconds float64 // seconds by which the reported start is too late; negative: too early
	// Unknown reports that the diagnosis gives an interval which is too wide to be compared with a
	// moment, and that the fault began within it.
	Unknown bool
}

const (
	// nearSeconds is the largest error of an onset that counts as near.
	nearSeconds = 15
	// wideSeconds is the width from which an interval counts as unknown.
	wideSeconds = 2 * nearSeconds
)

// onsetOf returns the onset of an incident whose fault began at a time.
func onsetOf(in *incident.Incident, began time.Time) Onset {
	o, begin := in.Onset, began.Unix()
	return Onset{
		Seconds: float64(o.At - begin),
		Unknown: o.Late-o.Early > wideSeconds && o.Early <= begin && begin <= o.Late,
	}
}

// near reports whether the error of the onset is small.
func (o Onset) near() bool { return math.Abs(o.Seconds) <= nearSeconds }

// onsets sums up the onsets of some runs.
type onsets struct {
	known, near, unknown int
	median               float64 // median error of the known onsets in seconds; NaN: none is known
}

func onsetsOf(runs []ExperimentsOutcome) onsets {
	sum := onsets{median: math.NaN()}
	var off []float64
	for i := range runs {
		for _, o := range runs[i].Onsets {
			switch {
			case o.Unknown:
				sum.unknown++
				continue
			case o.near():
				sum.near++
			}
			sum.known++
			off = append(off, math.Abs(o.Seconds))
		}
	}
	if slices.SortFunc(off, cmp.Compare[float64]); len(off) > 0 {
		sum.median = (off[(len(off)-1)/2] + off[len(off)/2]) / 2
	}
	return sum
}
