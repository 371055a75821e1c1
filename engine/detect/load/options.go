package load

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds of what is asked for more than its peers.
type Options struct {
	// TickSeconds is how long requests are counted together, at the least, and
	// MemorySeconds after how long they count half in what a component does.
	TickSeconds   int64   `json:"tick_seconds" least:"1"`
	MemorySeconds float64 `json:"memory_seconds" above:"0"`
	// LeastRequests is how many requests of a component have to be in memory.
	LeastRequests float64 `json:"least_requests" above:"0"`
	// MoreTimes is how many times the requests of its peers a component has that is
	// asked for more, and WaitTimes how many times as long they take then.
	MoreTimes float64 `json:"more_times" above:"1"`
	WaitTimes float64 `json:"wait_times" above:"1"`
	// LikeTimes is how many times as long as its peers a healthy device may work on a
	// request.
	LikeTimes float64 `json:"like_times" least:"1"`
	// SizeTimes is how many times as large or as small as those of its peers requests
	// may be that are compared, and MixShare by how much the share of reads may differ.
	SizeTimes float64 `json:"size_times" least:"1"`
	MixShare  float64 `json:"mix_share" above:"0" below:"1"`
	// IdleShare is for what share of the time a device has to be idle: of one that never
	// is, nothing tells how long it would take alone.
	IdleShare float64 `json:"idle_share" above:"0" below:"1"`
	// LastSeconds is how long it has to last to be told, and CalmSeconds how long a
	// component may be like its peers before all is over.
	LastSeconds int64 `json:"last_seconds" least:"1"`
	CalmSeconds int64 `json:"calm_seconds"`
}

// DefaultOptions are settled by reasoning; docs/method.md says why each has its
// value.
func DefaultOptions() Options {
	return Options{
		TickSeconds: 15, MemorySeconds: 300, LeastRequests: 1000, MoreTimes: 1.5, WaitTimes: 1.5, LikeTimes: 1.25,
		SizeTimes: 2, MixShare: 0.25, IdleShare: 0.05, LastSeconds: 600, CalmSeconds: 1350,
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }
