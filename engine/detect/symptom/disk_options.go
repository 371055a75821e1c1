package symptom

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// DiskOptions are the bounds of signs of a drive. Requests wait (Waits) if they wait
// WaitRatio times as long as at the peers and the drive is busier than its work costs;
// or if they wait FarRatio times as long and far beyond the spread of the peers.
type DiskOptions struct {
	// WaitRatio is the ratio of the latency to the peers' latency.
	WaitRatio float64 `json:"wait_ratio" least:"1"`
	// FewestRequests is the least number of requests in a window for that.
	FewestRequests float64 `json:"fewest_requests"`
	// BusierPercent is how much busier than its work costs its peers the drive must be,
	// in percent of the time.
	BusierPercent float64 `json:"busier_percent"`
	// BusierRatio is the same as a part of that cost. The smaller of the two counts.
	BusierRatio float64 `json:"busier_ratio"`
	// PrecedentSeconds is how long a peer that was as busy for no more work, and was not
	// slow, stays an argument against slowness.
	PrecedentSeconds int64 `json:"precedent_seconds"`
	// MostRatio is the ratio to the largest work of any peer so far. A drive that serves
	// more than that is not known to be slow.
	MostRatio float64 `json:"most_ratio" least:"1"`
	// FarRatio is the ratio of the latency from which no busier drive is needed.
	FarRatio float64 `json:"far_ratio" least:"1"`
	// FarDeviations is the number of standard deviations of the peers' latencies that it
	// must exceed, too.
	FarDeviations float64 `json:"far_deviations"`
	// LeastSpreadNats is the least standard deviation, as a natural logarithm.
	LeastSpreadNats float64 `json:"least_spread_nats"`

	// HogPercent is the part of a drive's time, in percent, that goes to work that no
	// client requested.
	HogPercent float64 `json:"hog_percent"`
	// HogShare is the least ratio of such work to the work of the peers.
	HogShare float64 `json:"hog_share"`
}

// defaultDiskOptions takes one and a half times the latency: less cannot be separated
// from the changes of a queue within five minutes. A twelfth of a disk's time is the
// least that clients notice. Of peers with the same requests one may read a tenth more
// than it sends, ahead of its clients or twice; a process of the server itself requests
// without end.
func defaultDiskOptions() DiskOptions {
	return DiskOptions{
		WaitRatio: 1.5, FewestRequests: 5, BusierPercent: 15, BusierRatio: 0.5,
		PrecedentSeconds: 3600, MostRatio: 1.2,
		FarRatio: 5, FarDeviations: 4, LeastSpreadNats: 0.1,
		HogPercent: 8, HogShare: 0.25,
	}
}

// Validate reports every setting that cannot work.
func (o *DiskOptions) Validate() error { return bounds.Check(*o) }
