package clockskew

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds from which a clock is off.
type Options struct {
	CoarsestStepSeconds int64   `json:"coarsest_step_seconds" least:"1"` // longer steps hide a clock that is seconds off
	FarthestSeconds     int64   `json:"farthest_seconds" least:"1"`      // what is farther off is not found
	NearestSeconds      int64   `json:"nearest_seconds" least:"1"`       // what is nearer is no skew
	ComparedSeconds     int64   `json:"compared_seconds" least:"1"`      // that a server is compared before anything is said of it
	HalfLifeSeconds     int64   `json:"half_life_seconds" least:"1"`     // after which what was seen counts half
	UnisonCorrelation   float64 `json:"unison_correlation"`              // least of two others at the same second
	LikenessCorrelation float64 `json:"likeness_correlation"`            // least of a server with the others at its lag
	LeadRatio           float64 `json:"lead_ratio" least:"1"`            // of the correlation at its lag to any other
	DisputedRatio       float64 `json:"disputed_ratio"`                  // part of the clocks that differ, from which on nobody knows which are right
}

// DefaultOptions name a clock that is two seconds off: clocks that agree may
// differ by one, as servers sample at different moments. Servers that take turns,
// or work for themselves, are not in unison. Of small requests every second
// brings another number to every server, and servers of the same clients are no
// more alike than 0.5. Loads that repeat themselves have several lags.
func DefaultOptions() Options {
	return Options{
		CoarsestStepSeconds: 5, FarthestSeconds: 30, NearestSeconds: 2, ComparedSeconds: 300, HalfLifeSeconds: 3600,
		UnisonCorrelation: 0.15, LikenessCorrelation: 0.3, LeadRatio: 2, DisputedRatio: 0.5,
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }
