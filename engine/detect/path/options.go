package path

import (
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the settings that concern only lost paths.
type Options struct {
	// LostTimes stands for a ratio of latencies. Findings are sorted by the ratio of a component's
	// latency to the latency of its peers. A lost path has no latency, so it is sorted as if its
	// ratio were LostTimes.
	LostTimes float64 `json:"lost_times" above:"1"`
}

// DefaultOptions returns the default settings.
func DefaultOptions() Options { return Options{LostTimes: 60} }

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }

// LostSeconds returns how long one path must be lost before the loss is an incident. If three paths
// are lost at the same time, a third of this time is enough. The time is a little more than an
// hour, which is longer than a server takes to reboot and find its devices. It is the sum of
// SameCauseSeconds and SilentSeconds. Within SameCauseSeconds, other paths may be lost for the same
// cause. After SilentSeconds, it is known whether the server is down.
func LostSeconds(c *criteria.Options) int64 { return c.SameCauseSeconds + c.SilentSeconds }
