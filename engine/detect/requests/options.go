package requests

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds that concern only this detector. Those that it shares with others are in
// criteria.Options.
type Options struct {
	// TickSeconds is the least length of a tick. The requests of a tick are counted
	// together.
	TickSeconds int64 `json:"tick_seconds" least:"1"`
	// MemorySeconds is the half-life of the histograms of past requests, which give percentiles.
	MemorySeconds float64 `json:"memory_seconds" above:"0"`
	// RecentSeconds is the half-life of the sums over recent requests, which give load and means.
	RecentSeconds float64 `json:"recent_seconds" above:"0"`
	// LeastRequests is the number of remembered requests that a component needs for a comparison.
	LeastRequests float64 `json:"least_requests" above:"0"`
	// NearShare is the share of the peers' requests that exceeds the near bound
	// (numEdges).
	NearShare float64 `json:"near_share" above:"0" below:"1"`
	// FarShare is the share of the peers' requests that exceeds the far bound, before
	// the bound is multiplied by criteria.Options.ClearTimes.
	FarShare float64 `json:"far_share" above:"0" below:"1"`
	// PriorRequests is added to the observed and to the expected number of slow
	// requests, so that a few slow requests in a tick are no evidence.
	PriorRequests float64 `json:"prior_requests" above:"0"`
	// MostDeviations is the most that one tick can add to the evidence, in standard deviations of
	// the group. It replaces criteria.Options.SureDeviations, which is meant for steps instead of
	// ticks.
	MostDeviations float64 `json:"most_deviations" above:"0"`
	// LikeTimes is the largest ratio of the time that a device needs for a request to the time that
	// its peers' devices need. Above this ratio the device does not count as healthy.
	LikeTimes float64 `json:"like_times" least:"1"`
	// CostRequests is the cost of an incident. A certain finding becomes an incident when the
	// number of slow requests exceeds the expected number by CostRequests.
	CostRequests float64 `json:"cost_requests" above:"0"`
	// NowSeconds is the half-life of the moving average that is taken as a component's current
	// value. The average is over the logarithms of the ratio of slow requests to the expected
	// number.
	NowSeconds float64 `json:"now_seconds" above:"0"`
	// OnsetSeconds is the uncertainty of an onset. It is large because slow requests are few. An
	// onset within this time after the first row is reported as older than the data.
	OnsetSeconds int64 `json:"onset_seconds"`
}

// DefaultOptions returns the default bounds. docs/method.md gives the reason for each
// value.
func DefaultOptions() Options {
	return Options{
		TickSeconds: 15, MemorySeconds: 1800, RecentSeconds: 300, LeastRequests: 2000, NearShare: 0.01, FarShare: 0.001, PriorRequests: 1, MostDeviations: 2,
		LikeTimes: 1.25, CostRequests: 100, NowSeconds: 120, OnsetSeconds: 60,
	}
}

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }
