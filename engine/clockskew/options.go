package clockskew

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the bounds that decide whether a clock is wrong.
type Options struct {
	CoarsestStepSeconds int64   `json:"coarsest_step_seconds" least:"1"` // longest step of rows for which clocks are compared: longer steps hide a skew of seconds
	FarthestSeconds     int64   `json:"farthest_seconds" least:"1"`      // greatest skew that can be found
	NearestSeconds      int64   `json:"nearest_seconds" least:"1"`       // least skew that is reported
	ComparedSeconds     int64   `json:"compared_seconds" least:"1"`      // least time for which a server is compared before it is reported
	HalfLifeSeconds     int64   `json:"half_life_seconds" least:"1"`     // time after which the weight of earlier rows is halved
	UnisonCorrelation   float64 `json:"unison_correlation"`              // least mean correlation between the loads of two other servers, without a lag; if it is lower, no skew of the server is reported
	LikenessCorrelation float64 `json:"likeness_correlation"`            // least correlation of a server's load with the load of the other servers, at the lag of the server; if it is lower, no skew is reported
	LeadRatio           float64 `json:"lead_ratio" least:"1"`            // least ratio of the correlation at the lag of the server to the correlation at other lags; if it is lower, no skew is reported
	DisputedRatio       float64 `json:"disputed_ratio"`                  // if at least this share of the clocks differ, it is unknown which clocks are right
}

// DefaultOptions returns the default bounds. NearestSeconds is 2, because correct clocks may seem
// to differ by one second: servers take their samples at different moments. UnisonCorrelation
// requires that the loads of the other servers change together. This excludes servers that are used
// one after the other, and servers with independent loads. LikenessCorrelation is low: the number
// of small requests changes every second, so even servers with the same clients have a correlation
// of at most 0.5. LeadRatio excludes periodic loads, which match at several lags.
func DefaultOptions() Options {
	return Options{
		CoarsestStepSeconds: 5, FarthestSeconds: 30, NearestSeconds: 2, ComparedSeconds: 300, HalfLifeSeconds: 3600,
		UnisonCorrelation: 0.15, LikenessCorrelation: 0.3, LeadRatio: 2, DisputedRatio: 0.5,
	}
}

// Validate returns an error that names every setting outside its bounds.
func (o *Options) Validate() error { return bounds.Check(*o) }
