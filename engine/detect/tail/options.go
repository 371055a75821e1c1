package tail

import (
	"math"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds of tails.
type Options struct {
	// FalseIncidentsPerYear is how many incidents a year the whole system may have
	// by chance.
	FalseIncidentsPerYear float64 `json:"false_incidents_per_year" above:"0"`
	// FalseSuspectsPerDay is how many suspects a day a thousand components may have
	// by chance.
	FalseSuspectsPerDay float64 `json:"false_suspects_per_day" above:"0"`
	// TickSeconds is how long requests are counted together, at the least.
	TickSeconds int64 `json:"tick_seconds" least:"1"`
	// MemorySeconds is after how long what requests took counts half in what is
	// usual.
	MemorySeconds float64 `json:"memory_seconds" above:"0"`
	// LeastRequests is how many requests a component has to have in memory for its
	// percentiles to be known.
	LeastRequests float64 `json:"least_requests" above:"0"`
	// SlowTimes is how many times the median of the peers a slow request takes.
	SlowTimes float64 `json:"slow_times" least:"1"`
	// NearShare and FarShare are the shares of the peers' requests that may take as
	// long as a slow one, by the nearer and by the farther of two bounds, and
	// EdgeTimes how many times as long the farther one is.
	NearShare float64 `json:"near_share" above:"0" below:"1"`
	FarShare  float64 `json:"far_share" above:"0" below:"1"`
	EdgeTimes float64 `json:"edge_times" least:"1"`
	// PriorRequests is how many slow requests in a tick say nothing.
	PriorRequests float64 `json:"prior_requests" above:"0"`
	// MostDeviations bounds what one tick adds to the evidence, in deviations of the
	// group, in place of what package evidence has for steps.
	MostDeviations float64 `json:"most_deviations" above:"0"`
	// BodyTimes is how many times that of its peers the median of a component may
	// be. Beyond, it is slow as a whole.
	BodyTimes float64 `json:"body_times" least:"1"`
	// LoadTimes is how many times the requests of its peers a component may have,
	// and SizeTimes how many times as large they may be, before that explains them.
	LoadTimes float64 `json:"load_times" least:"1"`
	SizeTimes float64 `json:"size_times" least:"1"`
	// SureTimes is how many times the slow requests of its peers a component has to
	// have for certain.
	SureTimes float64 `json:"sure_times" least:"1"`
	// CostRequests is how many slow requests, beyond those of its peers, make an
	// incident of what is sure.
	CostRequests float64 `json:"cost_requests" above:"0"`
	// RecentTicks is after how many ticks what shows now counts half.
	RecentTicks float64 `json:"recent_ticks" above:"0"`
	// ShowsShare is the share of the most that it showed, as a logarithm, that a
	// component has to show of late to show anything, and OddShare the share of what
	// makes a suspect from which on it is odd.
	ShowsShare float64 `json:"shows_share" above:"0" below:"1"`
	OddShare   float64 `json:"odd_share" above:"0" below:"1"`
	// CalmSeconds is for how long a component may be like its peers before all is
	// over.
	CalmSeconds int64 `json:"calm_seconds"`
	// OnsetTicks bounds the error of an onset: slow requests are few. What shows as soon
	// after the begin of the data may have been there before them.
	OnsetTicks int64 `json:"onset_ticks"`
}

// DefaultOptions are settled by reasoning; docs/method.md says why each has its
// value.
func DefaultOptions() Options {
	return Options{
		FalseIncidentsPerYear: 1, FalseSuspectsPerDay: 1, TickSeconds: 15, MemorySeconds: 1800, LeastRequests: 2000,
		SlowTimes: 4, NearShare: 0.01, FarShare: 0.001, EdgeTimes: 1.5, PriorRequests: 1, MostDeviations: 2, BodyTimes: 1.5, LoadTimes: 1.5, SizeTimes: 2, SureTimes: 2, CostRequests: 100,
		RecentTicks: 8, ShowsShare: 0.25, OddShare: 0.5, CalmSeconds: 1350, OnsetTicks: 4,
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }

// nats are how much evidence makes a suspect, and how much an incident, of a
// system of so many components: at n nats one in eⁿ of their ticks is a false
// alarm.
func (o *Options) nats(components int, tick int64) (told, sure float64) {
	perDay := 86400 / float64(tick)
	told = math.Log(1000 * perDay / o.FalseSuspectsPerDay)
	sure = math.Log(float64(max(components, 1)) * daysPerYear * perDay / o.FalseIncidentsPerYear)
	return told, max(sure, told)
}

const daysPerYear = 365.25
