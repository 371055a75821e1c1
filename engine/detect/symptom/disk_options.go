package symptom

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// DiskOptions are the bounds from which a drive shows something.
type DiskOptions struct {
	WaitRatio        float64 `json:"wait_ratio" least:"1"` // requests wait so many times as long,
	FewestRequests   float64 `json:"fewest_requests"`      // of at least so many in a window;
	BusierPercent    float64 `json:"busier_percent"`       // and the drive is busier than its work costs its peers, by so many percent of the time,
	BusierRatio      float64 `json:"busier_ratio"`         // or by this part of that cost, if that is less;
	PrecedentSeconds int64   `json:"precedent_seconds"`    // and no peer was as busy for no more work, for so long;
	MostRatio        float64 `json:"most_ratio" least:"1"` // and it serves less than so many times what any peer ever did;
	FarRatio         float64 `json:"far_ratio" least:"1"`  // or else they wait so many times as long,
	FarDeviations    float64 `json:"far_deviations"`       // and by so many deviations of the peers,
	LeastSpreadNats  float64 `json:"least_spread_nats"`    // each of which is at least this much of a logarithm

	HogPercent float64 `json:"hog_percent"` // of a drive's time goes to work that nobody called for,
	HogShare   float64 `json:"hog_share"`   // which is at least this part of what the peers do
}

// defaultOptions ask for half as long again, the least that five minutes tell
// from the ups and downs of a queue. A twelfth of a disk's time is the least that clients
// can feel. Of peers that are asked alike one may read a tenth more than it sends, ahead
// of its clients or once more; a process of the server's own asks without end.
func defaultOptions() DiskOptions {
	return DiskOptions{
		WaitRatio: 1.5, FewestRequests: 5, BusierPercent: 15, BusierRatio: 0.5,
		PrecedentSeconds: 3600, MostRatio: 1.2,
		FarRatio: 5, FarDeviations: 4, LeastSpreadNats: 0.1,
		HogPercent: 8, HogShare: 0.25,
	}
}

// Validate reports every setting that cannot work.
func (o *DiskOptions) Validate() error { return bounds.Check(*o) }
