package clockskew

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the settings that concern only clocks.
type Options struct {
	FarthestSeconds   int64   `json:"farthest_seconds" least:"1"`              // greatest skew that can be found
	NearestSeconds    int64   `json:"nearest_seconds" least:"1"`               // smallest skew that is reported
	UnisonCorrelation float64 `json:"unison_correlation" above:"0" most:"0.5"` // smallest mean correlation, without lag, of the loads of two other servers; with a smaller correlation, the other servers do not change their loads together, and the skew of a server is not reported
}

// DefaultOptions returns the default bounds. NearestSeconds is 2, because servers take their
// samples at different moments. So even correct clocks may seem to differ by one second.
// UnisonCorrelation prevents a report if servers are used one after the other, or if their loads
// are independent.
func DefaultOptions() Options {
	return Options{FarthestSeconds: 30, NearestSeconds: 2, UnisonCorrelation: 0.15}
}

// minCorrelation returns the smallest correlation with which a skew is reported. It is the
// correlation of two loads: the load of the server, shifted by the skew, and the load of the other
// servers.
//
// The bound is twice UnisonCorrelation, because the load of the other servers is a median, which
// varies less by chance than the load of one server. With a greater bound, no skew would be found,
// because even servers with the same clients have a correlation of at most 0.5. The reason is that
// the number of small requests changes every second.
func (o *Options) minCorrelation() float64 { return 2 * o.UnisonCorrelation }

// comparedSeconds returns how long a server must be compared before its skew is reported. This time
// is ten times FarthestSeconds, so that the load rises and falls several times.
func (o *Options) comparedSeconds() int64 { return 10 * o.FarthestSeconds }

// Validate returns an error that names every setting outside its valid range.
func (o *Options) Validate() error { return bounds.Check(*o) }
