package slow

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the settings that concern only the slowness detector. The table in docs/method.md
// gives the reason for each default value.
type Options struct {
	// RebuildSeconds is the longest time that a rebuild takes. If slowness lasts longer, it has
	// another cause.
	RebuildSeconds int64 `json:"rebuild_seconds"`
	// LightTimes decides whether a group is under light load: its present latency divided by its
	// smallest latency so far must be at most LightTimes. The load counts as light only after the
	// greatest latency so far has reached ClearTimes times the smallest latency. Before, the group
	// may have been under the same load all the time.
	LightTimes float64 `json:"light_times" least:"1"`
	// ImbalanceSeconds is how long a component must have far more load than its peers before this
	// imbalance is an incident. An imbalance may come from a job that uses only one LUN. Most such
	// jobs end earlier.
	ImbalanceSeconds int64 `json:"imbalance_seconds"`
	// CacheTimes limits the ratio of latencies that the work of a server can explain. A path looks
	// slow if a cache answers the requests of the paths that it is compared with, but no requests of
	// this path. If the ratio of its latency to the latency of these paths is CacheTimes or more,
	// there is another cause. The default of CacheTimes is about the latency of a disk divided by the
	// latency of a cache.
	CacheTimes float64 `json:"cache_times" least:"1"`
	// BusySeconds is the longest time for which additional work at a place counts as the cause of
	// the slowness of this place. It has three uses:
	//
	//   - Cost: in the first BusySeconds after the onset, only the part of the slowness above
	//     ClearTimes counts. Later, all slowness counts.
	//   - Members: in its first BusySeconds, a problem of many components accepts any slow
	//     component of its place as a new member. Later, it accepts only a component whose slowness
	//     began before the problem.
	//   - Learning: after twice BusySeconds of data, the smallest latency of a group is known, and
	//     so is the utilisation of the peers.
	BusySeconds int64 `json:"busy_seconds"`
}

// DefaultOptions returns the default settings. docs/method.md gives the reason for each value.
func DefaultOptions() Options {
	return Options{RebuildSeconds: 32_400, LightTimes: 1.15, ImbalanceSeconds: 6300, CacheTimes: 10, BusySeconds: 43_200}
}

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }
