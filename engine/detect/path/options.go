package path

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the bounds that decide about lost paths.
type Options struct {
	// LostTimes is used for a lost path as the ratio of its latency to its peers' latency. Findings
	// are ordered by this ratio, but a lost path has no latency that could be measured.
	LostTimes float64 `json:"lost_times" above:"1"`
	// LostSeconds is how long one path must be lost before the loss is an incident. If three paths
	// are lost at the same time, a third of LostSeconds is enough.
	LostSeconds int64 `json:"lost_seconds" least:"1"`
	// SameCauseSeconds is the longest time between the onsets of two losses that count
	// as losses with one cause.
	SameCauseSeconds int64 `json:"same_cause_seconds"`
	// WholeShare is the least share of its paths that an array or a controller must have
	// lost to be blamed as a whole.
	WholeShare float64 `json:"whole_share" above:"0.5" most:"1"`
}

// DefaultOptions returns the default bounds. One lost path becomes an incident after
// about an hour, which is longer than a server takes to reboot and find its devices.
// Losses within an hour have one cause (L13 §5.2). An array or a controller is blamed if
// nine in ten of its paths are lost. Not all paths must be lost, because servers that
// are down do not report their paths.
func DefaultOptions() Options {
	return Options{LostTimes: 60, LostSeconds: 3900, SameCauseSeconds: 3600, WholeShare: 0.9}
}

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }
