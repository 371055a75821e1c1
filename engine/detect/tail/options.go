package tail

import (
	"math"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds of the tail detector.
type Options struct {
	// FalseIncidentsPerYear is how many incidents per year chance may cause in the whole
	// system.
	FalseIncidentsPerYear float64 `json:"false_incidents_per_year" above:"0"`
	// FalseSuspectsPerDay is how many suspects per day chance may cause among a thousand
	// components.
	FalseSuspectsPerDay float64 `json:"false_suspects_per_day" above:"0"`
	// TickSeconds is the least length of a tick. The requests of a tick are counted
	// together.
	TickSeconds int64 `json:"tick_seconds" least:"1"`
	// MemorySeconds is the half-life of the histograms of past requests.
	MemorySeconds float64 `json:"memory_seconds" above:"0"`
	// LeastRequests is the number of past requests that a component needs for its
	// percentiles to be known.
	LeastRequests float64 `json:"least_requests" above:"0"`
	// SlowTimes is the least ratio of the time of a slow request to the median time of the peers'
	// requests. A faster request never counts as slow.
	SlowTimes float64 `json:"slow_times" least:"1"`
	// NearShare is the share of the peers' requests that exceeds the near bound
	// (numEdges).
	NearShare float64 `json:"near_share" above:"0" below:"1"`
	// FarShare is the share of the peers' requests that exceeds the far bound, before
	// the bound is multiplied by EdgeTimes.
	FarShare float64 `json:"far_share" above:"0" below:"1"`
	// EdgeTimes is the factor by which the far bound is multiplied.
	EdgeTimes float64 `json:"edge_times" least:"1"`
	// PriorRequests is added to the observed and to the expected number of slow
	// requests, so that a few slow requests in a tick are no evidence.
	PriorRequests float64 `json:"prior_requests" above:"0"`
	// MostDeviations is the most that one tick can add to the evidence, in standard deviations of
	// the group. It replaces criteria.Options.SureDeviations, which is meant for steps instead of
	// ticks.
	MostDeviations float64 `json:"most_deviations" above:"0"`
	// BodyTimes is the largest ratio of the median time of a component's requests to the median
	// time of its peers' requests. A component with a larger ratio is slow as a whole, and is not
	// compared.
	BodyTimes float64 `json:"body_times" least:"1"`
	// LoadTimes is the largest ratio of a component's number of requests to its peers' number of
	// requests. A component with a larger ratio is not compared.
	LoadTimes float64 `json:"load_times" least:"1"`
	// SizeTimes is the largest ratio of the mean size of a component's requests to the mean size of
	// its peers' requests. A component with a larger ratio is not compared.
	SizeTimes float64 `json:"size_times" least:"1"`
	// SureTimes is a bound for certain findings, as a ratio of slow requests to the
	// expected number. The whole 95 % interval of the ratio must lie above SureTimes.
	SureTimes float64 `json:"sure_times" least:"1"`
	// CostRequests is the cost of an incident. A certain finding becomes an incident when the
	// number of slow requests exceeds the expected number by CostRequests.
	CostRequests float64 `json:"cost_requests" above:"0"`
	// RecentTicks is the half-life, in ticks, of the moving average that is taken as a component's
	// current value. The average is over the logarithms of the ratio of slow requests to the
	// expected number.
	RecentTicks float64 `json:"recent_ticks" above:"0"`
	// ShowsShare decides whether a component still has too many slow requests. Its
	// current value must be at least this share of its largest value.
	ShowsShare float64 `json:"shows_share" above:"0" below:"1"`
	// OddShare decides whether a component is odd: its evidence must be at least this share of the
	// evidence that a suspect needs.
	OddShare float64 `json:"odd_share" above:"0" below:"1"`
	// CalmSeconds is how long a component must be like its peers before its episode
	// ends.
	CalmSeconds int64 `json:"calm_seconds"`
	// OnsetTicks is the uncertainty of an onset, in ticks. It is large because slow
	// requests are few. An onset within this time after the first row is reported as
	// older than the data.
	OnsetTicks int64 `json:"onset_ticks"`
}

// DefaultOptions returns the default bounds. docs/method.md gives the reason for each
// value.
func DefaultOptions() Options {
	return Options{
		FalseIncidentsPerYear: 1, FalseSuspectsPerDay: 1, TickSeconds: 15, MemorySeconds: 1800, LeastRequests: 2000,
		SlowTimes: 4, NearShare: 0.01, FarShare: 0.001, EdgeTimes: 1.5, PriorRequests: 1, MostDeviations: 2, BodyTimes: 1.5, LoadTimes: 1.5, SizeTimes: 2, SureTimes: 2, CostRequests: 100,
		RecentTicks: 8, ShowsShare: 0.25, OddShare: 0.5, CalmSeconds: 1350, OnsetTicks: 4,
	}
}

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }

// evidenceBounds returns the evidence that makes a suspect and the evidence that makes
// an incident, in nats, for a number of components and a tick in seconds. A healthy
// component reaches evidence of n nats by chance once in eⁿ ticks.
func (o *Options) evidenceBounds(components int, tick int64) (suspect, incident float64) {
	perDay := 86400 / float64(tick)
	suspect = math.Log(1000 * perDay / o.FalseSuspectsPerDay)
	incident = math.Log(float64(max(components, 1)) * daysPerYear * perDay / o.FalseIncidentsPerYear)
	return suspect, max(incident, suspect)
}

// daysPerYear is the mean number of days in a year, with leap years.
const daysPerYear = 365.25
