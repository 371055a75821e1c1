package symptom

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// DiskOptions are the bounds that decide whether a measurement of a drive is a symptom. The symptom
// Waits has two forms. In the first form, requests wait at least WaitRatio times as long as at the
// peers, and the drive is busier than its peers would be with the same work. The second form has
// three conditions. Requests wait at least FarRatio times as long as at the peers. Their latency
// lies at least FarDeviations standard deviations above the latencies of the peers. The drive does
// not have clearly more work than its peers.
type DiskOptions struct {
	// WaitRatio is the least ratio of a drive's latency to its peers' latency for the
	// symptom Waits.
	WaitRatio float64 `json:"wait_ratio" least:"1"`
	// FewestRequests is the least number of requests that a drive must have in a window.
	// With fewer requests its latency is unknown.
	FewestRequests float64 `json:"fewest_requests"`
	// BusierPercent is how much busier a drive must be than its peers would be with the same work
	// to count as busier. The unit is percentage points of the time.
	BusierPercent float64 `json:"busier_percent"`
	// BusierRatio is a second bound for the same difference. It is a share of the busy time that
	// the peers would need for the work. The smaller of the two bounds is used.
	BusierRatio float64 `json:"busier_ratio"`
	// PrecedentSeconds is the greatest age of a precedent. A precedent is a window in which a
	// healthy peer was about as busy as the drive is now, with no more work than the drive has now.
	// If there is a precedent, the busy time does not show that the drive is slow.
	PrecedentSeconds int64 `json:"precedent_seconds"`
	// MostRatio is a ratio to the largest throughput of any peer so far. If clients
	// request at least MostRatio times that throughput from a drive, the drive is not
	// called slow: no peer shows how busy so much work makes a healthy drive.
	MostRatio float64 `json:"most_ratio" least:"1"`
	// FarRatio is the least ratio of a drive's latency to its peers' latency for the
	// second form of Waits. In this form the drive need not be busier than its peers.
	FarRatio float64 `json:"far_ratio" least:"1"`
	// FarDeviations is how far above the peers' latencies the latency must lie for the
	// second form of Waits. The unit is the standard deviation of the logarithms of the
	// peers' latencies.
	FarDeviations float64 `json:"far_deviations"`
	// LeastSpreadNats is a lower bound, in nats, for the standard deviation that is the unit of
	// FarDeviations. It applies if the latencies of the peers are nearly equal.
	LeastSpreadNats float64 `json:"least_spread_nats"`

	// HogPercent is the least share of a drive's time, in percent, that the work of a
	// hog takes. A hog is a process that uses the drive, and whose work no client
	// requested.
	HogPercent float64 `json:"hog_percent"`
	// HogShare is the least ratio of a hog's throughput to the throughput of the peers.
	HogShare float64 `json:"hog_share"`
}

// defaultDiskOptions returns the default bounds. WaitRatio is 1.5 because queues grow and shrink by
// chance: within five minutes, a smaller ratio does not show that a drive is slow. PrecedentSeconds
// is an hour because files move between servers within an hour, and then other drives are busy.
// HogPercent is 8 because clients do not notice the loss of a smaller share of a drive's time.
// HogShare is 0.25 because a healthy drive may read a tenth more than its server sends: the drive
// reads ahead of the clients, or reads some data twice. A hog exceeds a quarter, because it reads
// and writes without pause. docs/method.md gives the reasons for the other values.
func defaultDiskOptions() DiskOptions {
	return DiskOptions{
		WaitRatio: 1.5, FewestRequests: 5, BusierPercent: 15, BusierRatio: 0.5,
		PrecedentSeconds: 3600, MostRatio: 1.2,
		FarRatio: 5, FarDeviations: 4, LeastSpreadNats: 0.1,
		HogPercent: 8, HogShare: 0.25,
	}
}

// Validate returns an error that names every invalid setting.
func (o *DiskOptions) Validate() error { return bounds.Check(*o) }
