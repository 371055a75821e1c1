package incident

import (
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds between a finding and an incident, and of its life.
type Options struct {
	// AgainShare is the share of what makes an incident that is enough for what
	// has come back.
	AgainShare float64 `json:"again_share" above:"0" most:"1"`
	// PartShare is the share of its components that a finding has to show on for
	// an incident to be nothing but a part of it.
	PartShare float64 `json:"part_share" above:"0" most:"1"`
	// SameCauseSeconds is how far apart two problems may begin and be one.
	SameCauseSeconds int64 `json:"same_cause_seconds"`
	// JudgedShare is the share of its components that a window has to judge to
	// say something of an incident.
	JudgedShare float64 `json:"judged_share" above:"0" most:"1"`
	// RecoverSeconds is for how long nothing of an incident may show before it
	// recovers, and ClearSeconds before it is over.
	RecoverSeconds int64 `json:"recover_seconds" least:"1"`
	ClearSeconds   int64 `json:"clear_seconds"`
	// The same of a server's resources, which are looked at every few seconds.
	ResourceRecoverSeconds int64 `json:"resource_recover_seconds" least:"1"`
	ResourceClearSeconds   int64 `json:"resource_clear_seconds"`
	// RememberSeconds is how long after its end an incident that shows again is
	// the same one. Then it is forgotten.
	RememberSeconds int64 `json:"remember_seconds"`
}

// DefaultOptions are chosen by what operators expect; docs/method.md says why each
// has its value.
func DefaultOptions() Options {
	return Options{
		AgainShare: 0.5, PartShare: 0.8, SameCauseSeconds: 3600,
		JudgedShare: 0.5, RecoverSeconds: 1350, ClearSeconds: 7200, ResourceRecoverSeconds: 96, ResourceClearSeconds: 160,
		RememberSeconds: 7 * 86400,
	}
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.ClearSeconds >= o.RecoverSeconds, "incidents that recover after %d s and are over after %d s: the second cannot be shorter", o.RecoverSeconds, o.ClearSeconds)
	errs.Need(o.ResourceClearSeconds >= o.ResourceRecoverSeconds, "resources that recover after %d s and are over after %d s: the second cannot be shorter", o.ResourceRecoverSeconds, o.ResourceClearSeconds)
	return errs.Join()
}

// lasts is for how long nothing of an incident may show before it recovers, and before
// it is over.
func (o *Options) lasts(of finding.Class) (recovers, clears int64) {
	if of.OfServer() {
		return o.ResourceRecoverSeconds, o.ResourceClearSeconds
	}
	return o.RecoverSeconds, o.ClearSeconds
}
