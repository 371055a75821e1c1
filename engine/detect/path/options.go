package path

import "fmt"

// Options are the bounds of lost paths.
type Options struct {
	// LostTimes is how many times slower than its peers a path that is no longer
	// there counts as.
	LostTimes float64 `json:"lost_times"`
	// LostSeconds is for how long one path has to be lost to be an incident;
	// three at once need a third of it.
	LostSeconds int64 `json:"lost_seconds"`
	// SameCauseSeconds is how far apart losses may begin and have one cause.
	SameCauseSeconds int64 `json:"same_cause_seconds"`
	// WholeShare is the share of a place's paths that are lost where the place
	// as a whole is blamed.
	WholeShare float64 `json:"whole_share"`
}

// DefaultOptions make one lost path an incident within about an hour, longer
// than a server takes to reboot and find its devices. Losses within an
// hour have one cause (L13 §5.2). A controller has lost all of its paths where
// nine in ten are lost: servers that are down show none.
func DefaultOptions() Options {
	return Options{LostTimes: 60, LostSeconds: 3900, SameCauseSeconds: 3600, WholeShare: 0.9}
}

// Validate reports the first setting that cannot work.
func (o *Options) Validate() error {
	switch {
	case !(o.LostTimes > 1):
		return fmt.Errorf("a lost path that counts as %g times slower: it has to be above 1", o.LostTimes)
	case o.LostSeconds < 1:
		return fmt.Errorf("a path that is an incident after %d s: at least 1 s is needed", o.LostSeconds)
	case o.SameCauseSeconds < 0:
		return fmt.Errorf("losses %d s apart: it cannot be negative", o.SameCauseSeconds)
	case !(o.WholeShare > 0.5 && o.WholeShare <= 1):
		return fmt.Errorf("a share of %g of the paths: it has to be above one half and at most 1", o.WholeShare)
	}
	return nil
}
