package incident

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds for making, merging and ending incidents.
type Options struct {
	// AgainShare is the amount (see [finding.Finding]) that confirms an incident that has
	// come back. A new incident needs an amount of 1.
	AgainShare float64 `json:"again_share" above:"0" most:"1"`
	// PartShare is a share of an incident's components. If a finding includes at least
	// this share, the incident is a part of the finding.
	PartShare float64 `json:"part_share" above:"0" most:"1"`
	// SameCauseSeconds is the greatest time between two onsets that have the same cause.
	SameCauseSeconds int64 `json:"same_cause_seconds"`
	// JudgedShare is a share of an incident's components. A tick without a finding counts
	// as quiet only if at least this share could be judged.
	JudgedShare float64 `json:"judged_share" above:"0" most:"1"`
	// RecoverSeconds and ClearSeconds are total lengths of quiet ticks. An incident recovers after
	// RecoverSeconds, and is over after ClearSeconds. A tick is quiet if the incident could be
	// judged and did not show.
	RecoverSeconds int64 `json:"recover_seconds" least:"1"`
	ClearSeconds   int64 `json:"clear_seconds"`
	// ResourceRecoverSeconds and ResourceClearSeconds replace these two times for incidents about
	// servers. They are shorter, because servers are judged every few seconds.
	ResourceRecoverSeconds int64 `json:"resource_recover_seconds" least:"1"`
	ResourceClearSeconds   int64 `json:"resource_clear_seconds"`
	// RememberSeconds is a time after the end of an incident. If the problem comes back
	// within this time, the same incident continues. Afterwards the tracker drops the
	// incident.
	RememberSeconds int64 `json:"remember_seconds"`
}

// DefaultOptions returns the default bounds. docs/method.md gives the reason for each
// value.
func DefaultOptions() Options {
	return Options{
		AgainShare: 0.5, PartShare: 0.8, SameCauseSeconds: 3600,
		JudgedShare: 0.5, RecoverSeconds: 1350, ClearSeconds: 7200, ResourceRecoverSeconds: 96, ResourceClearSeconds: 160,
		RememberSeconds: 7 * 86400,
	}
}

// Validate returns an error that names every setting outside its bounds.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.ClearSeconds >= o.RecoverSeconds, "incidents that recover after %d s and are over after %d s: the second cannot be shorter", o.RecoverSeconds, o.ClearSeconds)
	errs.Need(o.ResourceClearSeconds >= o.ResourceRecoverSeconds, "resources that recover after %d s and are over after %d s: the second cannot be shorter", o.ResourceRecoverSeconds, o.ResourceClearSeconds)
	return errs.Join()
}

// lasts returns two times for a class, in seconds of quiet ticks: after the first time an
// incident recovers, and after the second time it is over.
func (o *Options) lasts(of finding.Class) (recovers, clears int64) {
	if of.OfServer() {
		return o.ResourceRecoverSeconds, o.ResourceClearSeconds
	}
	return o.RecoverSeconds, o.ClearSeconds
}
