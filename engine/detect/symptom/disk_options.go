package symptom

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// DiskOptions are the bounds of signs of a drive. The symptom Waits has two forms.
// Either requests wait WaitRatio times as long as at the peers, and the drive is busier
// than its work would make its peers. Or requests wait FarRatio times as long, and far
// longer than the spread of the peers explains.
type DiskOptions struct {
	// WaitRatio is the ratio of the latency to the peers' latency.
	WaitRatio float64 `json:"wait_ratio" least:"1"`
	// FewestRequests is the least number of requests in a window from which a latency is
	// computed.
	FewestRequests float64 `json:"fewest_requests"`
	// BusierPercent is how much busier the drive must be than the same work would make
	// its peers, in percent of the time.
	BusierPercent float64 `json:"busier_percent"`
	// BusierRatio is the same bound as a share of the peers' busy time for that work.
	// The smaller of the two bounds counts.
	BusierRatio float64 `json:"busier_ratio"`
	// PrecedentSeconds is how long a precedent counts: a healthy peer was as busy for no
	// more work, so that the drive is not known to be slow.
	PrecedentSeconds int64 `json:"precedent_seconds"`
	// MostRatio is a ratio to the largest work of any peer so far. A drive that serves
	// more than MostRatio times that work is not known to be slow.
	MostRatio float64 `json:"most_ratio" least:"1"`
	// FarRatio is the ratio of the latency to the peers' latency at which the drive need
	// not be busier.
	FarRatio float64 `json:"far_ratio" least:"1"`
	// FarDeviations is how many standard deviations above the peers' latencies such a
	// latency must also lie.
	FarDeviations float64 `json:"far_deviations"`
	// LeastSpreadNats is the least standard deviation of the peers' latencies, as a
	// natural logarithm.
	LeastSpreadNats float64 `json:"least_spread_nats"`

	// HogPercent is the least share of a drive's time, in percent, that work without a
	// request of a client must take.
	HogPercent float64 `json:"hog_percent"`
	// HogShare is the least ratio of such work to the work of the peers.
	HogShare float64 `json:"hog_share"`
}

// defaultDiskOptions returns the default bounds. A latency below one and a half times
// that of the peers cannot be separated from the changes of a queue within five minutes.
// A twelfth of a disk's time is the least that clients notice. Among peers with the same
// requests, a drive may read a tenth more than its server sends, because it reads ahead
// of the clients or reads data twice. A process of the server itself reads and writes
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
