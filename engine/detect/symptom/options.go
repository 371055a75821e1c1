package symptom

import (
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the bounds at which a measurement is a symptom, by resource, and at which
// symptoms are a fault. No bound is trained: each is the least effect that matters to an
// operator. docs/method.md gives the reasons.
type Options struct {
	WinSeconds       int64   `json:"win_seconds"`
	ShiftSeconds     int64   `json:"shift_seconds"`                 // time between the starts of two windows
	FewestShiftSteps int64   `json:"fewest_shift_steps" least:"1"`  // least number of steps in a shift (Fit)
	KWindows         int     `json:"k_windows" least:"1" most:"16"` // odd windows of 2k−1 that make a suspect
	CrowdRatio       float64 `json:"crowd_ratio"`                   // share of the servers; a symptom that at least this share shows is no fault
	CrowdServers     int     `json:"crowd_servers" least:"1"`       // least number of servers that must show such a symptom
	HogRatio         float64 `json:"hog_ratio"`                     // mean ratio of load to its threshold at which a hog is the cause of waiting

	Peers   WindowOptions  `json:"peers"`
	Disk    DiskOptions    `json:"disk"`
	Network NetworkOptions `json:"network"`
	Loss    LossOptions    `json:"loss"`
	Onset   onset.Options  `json:"onset"`
}

// DefaultOptions returns the default settings: the windows of F10, and bounds of our
// own.
func DefaultOptions() Options {
	return Options{
		WinSeconds: 64, ShiftSeconds: 32, FewestShiftSteps: 2, KWindows: 3, CrowdRatio: 0.5, CrowdServers: 2, HogRatio: 1,
		Peers: defaultWindowOptions(), Disk: defaultDiskOptions(), Network: defaultNetworkOptions(), Loss: defaultLossOptions(),
		Onset: onset.DefaultOptions(),
	}
}

// longestStep, a day, keeps the length of a window within an int64.
const longestStep = 86400

// Fit changes the windows so that they consist of whole steps, with lengths as close as
// possible to the old ones.
func (o *Options) Fit(stepSeconds int64) {
	step := min(max(stepSeconds, 1), longestStep)
	shifts := o.WinSeconds / max(1, o.ShiftSeconds)
	o.ShiftSeconds = step * max(o.FewestShiftSteps, o.ShiftSeconds/step)
	o.WinSeconds = shifts * o.ShiftSeconds
}

// LeastSeconds returns the least length of data that gives a finding.
func (o *Options) LeastSeconds() int64 { return o.WinSeconds + int64(o.KWindows-1)*o.ShiftSeconds }

// memory returns the number of windows that the filter holds.
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
