package symptom

import (
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds from which something is a symptom, resource by resource,
// and from which symptoms are a fault. None is trained: each says what an
// operator would care about. docs/method.md has the reasons.
type Options struct {
	WinSeconds       int64   `json:"win_seconds"`
	ShiftSeconds     int64   `json:"shift_seconds"`                 // between windows
	FewestShiftSteps int64   `json:"fewest_shift_steps" least:"1"`  // that Fit makes a shift of
	KWindows         int     `json:"k_windows" least:"1" most:"16"` // odd windows of 2k−1 that make a suspect
	CrowdRatio       float64 `json:"crowd_ratio"`                   // what this part of the servers shows is nobody's fault,
	CrowdServers     int     `json:"crowd_servers" least:"1"`       // where it is so many servers
	HogRatio         float64 `json:"hog_ratio"`                     // mean score against its threshold that makes waiting a hog's

	Peers   PeersOptions   `json:"peers"`
	Disk    DiskOptions    `json:"disk"`
	Network NetworkOptions `json:"network"`
	Loss    LossOptions    `json:"loss"`
	Onset   onset.Options  `json:"onset"`
}

// DefaultOptions look at F10's windows.
func DefaultOptions() Options {
	return Options{
		WinSeconds: 64, ShiftSeconds: 32, FewestShiftSteps: 2, KWindows: 3, CrowdRatio: 0.5, CrowdServers: 2, HogRatio: 1,
		Peers: defaultPeersOptions(), Disk: defaultOptions(), Network: defaultNetworkOptions(), Loss: defaultLossOptions(),
		Onset: onset.DefaultOptions(),
	}
}

// longestStep keeps the length of a window within a number.
const longestStep = 86400

// Fit makes the windows fit rows of the given step: as long as they were, as
// nearly as whole steps allow.
func (o *Options) Fit(stepSeconds int64) {
	step := min(max(stepSeconds, 1), longestStep)
	shifts := o.WinSeconds / max(1, o.ShiftSeconds)
	o.ShiftSeconds = step * max(o.FewestShiftSteps, o.ShiftSeconds/step)
	o.WinSeconds = shifts * o.ShiftSeconds
}

// LeastSeconds is how much data a finding takes at the least.
func (o *Options) LeastSeconds() int64 { return o.WinSeconds + int64(o.KWindows-1)*o.ShiftSeconds }

// memory is how many windows the filter remembers.
func (o *Options) memory() int { return 2*o.KWindows - 1 }

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := bounds.Errors{
		bounds.Check(*o), o.Peers.Validate(), o.Disk.Validate(), o.Network.Validate(), o.Loss.Validate(), o.Onset.Validate(),
	}
	errs.Need(o.ShiftSeconds >= 1 && o.WinSeconds >= o.ShiftSeconds && o.WinSeconds%o.ShiftSeconds == 0,
		"windows of %d s every %d s: a window has to be a multiple of its shift", o.WinSeconds, o.ShiftSeconds)
	return errs.Join()
}
