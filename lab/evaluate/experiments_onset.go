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
	Seconds float64 // by which it is too late; negative: too early
	// Unknown says that the diagnosis gives an interval that is too wide to be
	// held to a moment, and that the fault began within it.
	Unknown bool
}

const (
	// nearSeconds is how far off an onset may be.
	nearSeconds = 15
	// wideSeconds is the width from which an interval counts as unknown.
	wideSeconds = 2 * nearSeconds
)

// onsetOf is the onset of an incident whose fault began at a time.
func onsetOf(in *incident.Incident, began time.Time) Onset {
	o, begin := in.Onset, began.Unix()
	return Onset{
		Seconds: float64(o.At - begin),
		Unknown: o.Late-o.Early > wideSeconds && o.Early <= begin && begin <= o.Late,
	}
}

// near reports whether the error of the onset is small.
func (o Onset) near() bool { return math.Abs(o.Seconds) <= nearSeconds }

// onsets sums up how good the onsets of some runs are.
type onsets struct {
	known, near, unknown int
	median               float64 // of how far those are off that are said to be known; NaN of none
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
