package symptom

import (
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds that decide, for each resource, whether a measurement is a symptom, and
// whether symptoms are a fault. No bound is learned from data: each bound is the smallest effect
// that matters to an operator. docs/method.md gives the reasons.
type Options struct {
	WinSeconds       int64   `json:"win_seconds"`
	ShiftSeconds     int64   `json:"shift_seconds"`                 // time between the starts of two windows
	FewestShiftSteps int64   `json:"fewest_shift_steps" least:"1"`  // least number of steps between the starts of two windows (Fit)
	KWindows         int     `json:"k_windows" least:"1" most:"16"` // k: a sign is suspect if it was odd in k of the last 2k−1 windows
	CrowdRatio       float64 `json:"crowd_ratio"`                   // share of the compared servers; a symptom that at least this share of them shows is no fault
	CrowdServers     int     `json:"crowd_servers" least:"1"`       // least number of servers that must show a symptom before CrowdRatio applies
	HogRatio         float64 `json:"hog_ratio"`                     // least mean strength of the symptom Loaded, as a multiple of its threshold, at which load counts as the cause of long waits

	Peers   WindowOptions  `json:"peers"`
	Disk    DiskOptions    `json:"disk"`
	Network NetworkOptions `json:"network"`
	Loss    LossOptions    `json:"loss"`
	Onset   onset.Options  `json:"onset"`
}

// DefaultOptions returns the default settings. The lengths of windows come from the
// paper F10 (§10.1). The bounds do not come from a paper.
func DefaultOptions() Options {
	return Options{
		WinSeconds: 64, ShiftSeconds: 32, FewestShiftSteps: 2, KWindows: 3, CrowdRatio: 0.5, CrowdServers: 2, HogRatio: 1,
		Peers: defaultWindowOptions(), Disk: defaultDiskOptions(), Network: defaultNetworkOptions(), Loss: defaultLossOptions(),
		Onset: onset.DefaultOptions(),
	}
}

// longestStep is a day, in seconds. Fit treats a longer step as a day, so that the
// length of a window fits into an int64.
const longestStep = 86400

// Fit changes the lengths of windows and shifts to whole numbers of steps. It rounds the
// shift down to whole steps, but to no fewer than FewestShiftSteps. A window keeps its
// number of shifts.
func (o *Options) Fit(stepSeconds int64) {
	step := min(max(stepSeconds, 1), longestStep)
	shifts := o.WinSeconds / max(1, o.ShiftSeconds)
	o.ShiftSeconds = step * max(o.FewestShiftSteps, o.ShiftSeconds/step)
	o.WinSeconds = shifts * o.ShiftSeconds
}

// LeastSeconds returns the shortest length of data that can give a finding, in seconds.
func (o *Options) LeastSeconds() int64 { return o.WinSeconds + int64(o.KWindows-1)*o.ShiftSeconds }

// memory returns the number of windows that the k-of-2k−1 filter holds.
func (o *Options) memory() int { return 2*o.KWindows - 1 }

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error {
	errs := bounds.Errors{
		bounds.Check(*o), o.Peers.Validate(), o.Disk.Validate(), o.Network.Validate(), o.Loss.Validate(), o.Onset.Validate(),
	}
	errs.Need(o.ShiftSeconds >= 1 && o.WinSeconds >= o.ShiftSeconds && o.WinSeconds%o.ShiftSeconds == 0,
		"windows of %d s every %d s: a window has to be a multiple of its shift", o.WinSeconds, o.ShiftSeconds)
	return errs.Join()
}
