package load

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds of the load detector.
type Options struct {
	// TickSeconds is the least length of a tick. The requests of a tick are counted
	// together.
	TickSeconds int64 `json:"tick_seconds" least:"1"`
	// MemorySeconds is the half-life of the sums over past requests.
	MemorySeconds float64 `json:"memory_seconds" above:"0"`
	// LeastRequests is the least number of past requests that a component needs for a
	// comparison.
	LeastRequests float64 `json:"least_requests" above:"0"`
	// MoreTimes is the least ratio of a component's requests to its peers' requests for
	// a finding.
	MoreTimes float64 `json:"more_times" above:"1"`
	// WaitTimes is the least ratio of the latency of a component's requests to the
	// latency of its peers' requests for a finding. A finding needs both MoreTimes and
	// WaitTimes.
	WaitTimes float64 `json:"wait_times" above:"1"`
	// LikeTimes is the largest ratio of the time that a device needs for a request to the time that
	// its peers' devices need. Above this ratio the device does not count as healthy.
	LikeTimes float64 `json:"like_times" least:"1"`
	// SizeTimes is the largest ratio between the mean size of a component's requests and the mean
	// size of its peers' requests. Either of the two may be larger. If the ratio is above
	// SizeTimes, there is no finding.
	SizeTimes float64 `json:"size_times" least:"1"`
	// MixShare is the largest difference between the share of reads of a component and the share of
	// reads of its peers. If the difference is larger, there is no finding.
	MixShare float64 `json:"mix_share" above:"0" below:"1"`
	// IdleShare is the least share of the time for which a device must be idle before its busy time
	// can show that the device is healthy. A device that is always busy does not show its service
	// time.
	IdleShare float64 `json:"idle_share" above:"0" below:"1"`
	// LastSeconds is how long the load must last to be an incident.
	LastSeconds int64 `json:"last_seconds" least:"1"`
	// CalmSeconds is how long a component must be like its peers before its episode
	// ends.
	CalmSeconds int64 `json:"calm_seconds"`
}

// DefaultOptions returns the default bounds. docs/method.md gives the reason for each
// value.
func DefaultOptions() Options {
	return Options{
		TickSeconds: 15, MemorySeconds: 300, LeastRequests: 1000, MoreTimes: 1.5, WaitTimes: 1.5, LikeTimes: 1.25,
		SizeTimes: 2, MixShare: 0.25, IdleShare: 0.05, LastSeconds: 600, CalmSeconds: 1350,
	}
}

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }
