package path

import (
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds of lost paths.
type Options struct {
	// LostTimes is how many times slower than its peers a path that is no longer
	// there counts as.
	LostTimes float64 `json:"lost_times" above:"1"`
	// LostSeconds is for how long one path has to be lost to be an incident;
	// three at once need a third of it.
	LostSeconds int64 `json:"lost_seconds" least:"1"`
	// SameCauseSeconds is how far apart losses may begin and have one cause.
	SameCauseSeconds int64 `json:"same_cause_seconds"`
	// WholeShare is the share of a place's paths that are lost where the place
	// as a whole is blamed.
	WholeShare float64 `json:"whole_share" above:"0.5" most:"1"`
}

// DefaultOptions make one lost path an incident within about an hour, longer
// than a server takes to reboot and find its devices. Losses within an
// hour have one cause (L13 §5.2). A controller has lost all of its paths where
// nine in ten are lost: servers that are down show none.
func DefaultOptions() Options {
	return Options{LostTimes: 60, LostSeconds: 3900, SameCauseSeconds: 3600, WholeShare: 0.9}
}

// Validate reports the first setting that cannot work.
func (o *Options) Validate() error { return bounds.Check(*o) }
