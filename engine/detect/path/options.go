package path

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the bounds of lost paths.
type Options struct {
	// LostTimes is the ratio to the peers that a lost path gets, so that findings can be
	// ordered by ratio.
	LostTimes float64 `json:"lost_times" above:"1"`
	// LostSeconds is how long one path must be lost to be an incident. Three paths that
	// are lost at once need a third of this time.
	LostSeconds int64 `json:"lost_seconds" least:"1"`
	// SameCauseSeconds is how far apart the onsets of losses with one cause may be.
	SameCauseSeconds int64 `json:"same_cause_seconds"`
	// WholeShare is the share of a place's paths that must be lost for the place as a
	// whole to be blamed.
	WholeShare float64 `json:"whole_share" above:"0.5" most:"1"`
}

// DefaultOptions returns the default bounds. One lost path becomes an incident after
// about an hour, which is longer than a server takes to reboot and find its devices.
// Losses within an hour have one cause (L13 §5.2). A controller is blamed if nine in ten
// of its paths are lost: servers that are down do not report their paths.
func DefaultOptions() Options {
	return Options{LostTimes: 60, LostSeconds: 3900, SameCauseSeconds: 3600, WholeShare: 0.9}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }
