package requests

import (
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the settings that concern only this detector. Settings that it shares with other
// detectors are in criteria.Options.
type Options struct {
	// TickSeconds is the shortest length of a tick. The requests of a tick are counted together.
	TickSeconds int64 `json:"tick_seconds" least:"1"`
	// LeastRequests is the number of requests that a component must have in its histograms of
	// earlier requests, or in its recent sums, before it is compared.
	LeastRequests float64 `json:"least_requests" above:"0"`
	// NearShare sets the two bounds above which a request is slow (numEdges). The share NearShare
	// of the peers' requests takes longer than the near bound. A tenth of this share takes longer
	// than a time t, and the far bound is ClearTimes · t.
	NearShare float64 `json:"near_share" above:"0" below:"1"`
	// CostRequests is a number of requests. A finding with enough evidence becomes an incident when
	// the number of slow requests exceeds the expected number by at least CostRequests.
	CostRequests float64 `json:"cost_requests" above:"0"`
}

// DefaultOptions returns the default settings. docs/method.md gives the reason for each value.
func DefaultOptions() Options {
	return Options{TickSeconds: 15, LeastRequests: 2000, NearShare: 0.01, CostRequests: 100}
}

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }

// farShare returns the share of the peers' requests that take longer than a time t. The far bound
// is ClearTimes · t.
func (o *Options) farShare() float64 { return o.NearShare / 10 }

// memorySeconds returns the half-life of the histograms of earlier requests. Percentiles are
// computed from these histograms. The half-life is three times as long as a burst, so that one
// burst does not change the percentiles much.
func (d *Detector) memorySeconds() int64 { return 3 * d.criteria.BurstSeconds }

// recentSeconds returns the half-life of the sums over recent requests. Load and mean times are
// computed from these sums. The half-life is half as long as a burst, so that the sums soon show a
// change.
func (d *Detector) recentSeconds() int64 { return d.criteria.BurstSeconds / 2 }

// nowSeconds is the half-life, in seconds, of episode.now: the moving average of the logarithm of
// the ratio (slow requests / expected slow requests).
const nowSeconds = 2 * window.MinuteSeconds

// onsetSeconds is the uncertainty of an onset. Slow requests are few, so the onset may be wrong by
// a minute. An onset within this time after the first row is reported as older than the data.
const onsetSeconds = window.MinuteSeconds

// priorRequests is added to the counted and to the expected number of slow requests. So a single
// slow request in a tick is not evidence.
const priorRequests = 1.0

// healthyTimes returns the largest ratio (time per request of a device / time per request of its
// peers' devices) at which the device counts as healthy. It is above 1, because an array that
// rebuilds a drive may need this much longer.
func (d *Detector) healthyTimes() float64 { return 1 + d.criteria.RebuildShare }
