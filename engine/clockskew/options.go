package clockskew

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the bounds for a wrong clock.
type Options struct {
	CoarsestStepSeconds int64   `json:"coarsest_step_seconds" least:"1"` // longest step of rows: longer steps hide a skew of seconds
	FarthestSeconds     int64   `json:"farthest_seconds" least:"1"`      // greatest skew that can be found
	NearestSeconds      int64   `json:"nearest_seconds" least:"1"`       // least skew that is reported
	ComparedSeconds     int64   `json:"compared_seconds" least:"1"`      // least time for which a server is compared before it is reported
	HalfLifeSeconds     int64   `json:"half_life_seconds" least:"1"`     // time after which earlier rows count half
	UnisonCorrelation   float64 `json:"unison_correlation"`              // least correlation of two other servers at the same second
	LikenessCorrelation float64 `json:"likeness_correlation"`            // least correlation of a server with the others at its lag
	LeadRatio           float64 `json:"lead_ratio" least:"1"`            // least ratio of the correlation at its lag to the correlation at any other lag
	DisputedRatio       float64 `json:"disputed_ratio"`                  // share of differing clocks at which it is unknown which clocks are right
}

// DefaultOptions returns the default bounds. NearestSeconds is 2, since right clocks may
// seem to differ by 1: servers sample at different moments. UnisonCorrelation requires
// that the loads of the other servers change together. It excludes servers that take
// turns or have independent loads. LikenessCorrelation is low, because the number of
// small requests changes every second, so that servers of the same clients correlate by
// 0.5 at most. LeadRatio excludes periodic loads, which match at several lags.
func DefaultOptions() Options {
	return Options{
		CoarsestStepSeconds: 5, FarthestSeconds: 30, NearestSeconds: 2, ComparedSeconds: 300, HalfLifeSeconds: 3600,
		UnisonCorrelation: 0.15, LikenessCorrelation: 0.3, LeadRatio: 2, DisputedRatio: 0.5,
	}
}

// Validate returns an error that names every setting outside its bounds.
func (o *Options) Validate() error { return bounds.Check(*o) }
