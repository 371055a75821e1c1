package symptom

import "github.com/limpet-storage/limpet/internal/bounds"

// Options are the settings of the detector of symptoms. They decide whether a measurement of a
// disk, an interface or a connection is a symptom, and whether the symptoms of a server are a
// fault. No threshold is learned from data. Each threshold is the smallest difference that matters
// to an operator. docs/method.md gives the reasons.
type Options struct {
	WinSeconds   int64 `json:"win_seconds"`
	ShiftSeconds int64 `json:"shift_seconds"`                 // time between the starts of two windows
	KWindows     int   `json:"k_windows" least:"1" most:"16"` // k: a symptom of a component is suspect if it was anomalous in k of the last 2k−1 windows

	// FewestRequests is the minimum number of requests that a drive must have in a window. With
	// fewer requests its latency is unknown.
	FewestRequests float64 `json:"fewest_requests"`
	// BusierPercent decides whether a drive counts as busier than its peers would be with the same
	// work. The difference of the two busy times must be at least BusierPercent percentage points.
	// If the peers would be busy for only a small part of the time, a smaller difference is enough
	// (busierMargin).
	BusierPercent float64 `json:"busier_percent"`
	// FarTimes is a ratio of a drive's latency to its peers' latency. A drive that is not busier
	// than its peers can have the symptom Waits only if this ratio is at least FarTimes.
	FarTimes float64 `json:"far_times" least:"1"`
	// HogPercent is the smallest share of a drive's time, in percent, that the work of a hog takes.
	// A hog is a process that uses the drive, although no client requested its work.
	HogPercent float64 `json:"hog_percent"`
	// FeltShare is the smallest excess of work or traffic that clients notice, as a share of the
	// work or traffic of the peers.
	FeltShare float64 `json:"felt_share"`
	// LinkPercent is the smallest excess traffic that clients notice, in percent of the link's
	// speed.
	LinkPercent float64 `json:"link_percent"`
	// CommonLossPercent is the share of segments, in percent, that a healthy network may lose. If
	// the peers of a host lose less, the host is compared with CommonLossPercent.
	CommonLossPercent float64 `json:"common_loss_percent"`
}

// DefaultOptions returns the default settings. The lengths of windows come from the
// paper F10 (§10.1). The bounds do not come from a paper.
func DefaultOptions() Options {
	return Options{
		WinSeconds: 64, ShiftSeconds: 32, KWindows: 3,
		FewestRequests: 5, BusierPercent: 15, FarTimes: 5, HogPercent: 8, FeltShare: 0.2, LinkPercent: 1, CommonLossPercent: 0.1,
	}
}

// longestStep is a day, in seconds. Fit treats a longer step as a day, so that the
// length of a window fits into an int64.
const longestStep = 86400

// minShiftSteps is the minimum number of steps in a shift, the time between the starts of two
// windows. A window of two shifts then has at least four steps.
const minShiftSteps = 2

// Fit changes the lengths of windows and shifts to whole numbers of steps. A shift is the time
// between the starts of two windows. Fit rounds the shift down to whole steps, but to no fewer than
// minShiftSteps. A window keeps its number of shifts.
func (o *Options) Fit(stepSeconds int64) {
	step := min(max(stepSeconds, 1), longestStep)
	shifts := o.WinSeconds / max(1, o.ShiftSeconds)
	o.ShiftSeconds = step * max(minShiftSteps, o.ShiftSeconds/step)
	o.WinSeconds = shifts * o.ShiftSeconds
}

// LeastSeconds returns the shortest length of data that can give a finding, in seconds.
func (o *Options) LeastSeconds() int64 { return o.WinSeconds + int64(o.KWindows-1)*o.ShiftSeconds }

// IncidentTimes returns two durations, in seconds, for an incident about a server. When the problem
// has been absent for `recovers` seconds, the incident recovers. This is three times ShiftSeconds.
// When the problem has been absent for `over` seconds, the incident is over. This is 2k−1 times
// ShiftSeconds, because the last 2k−1 windows decide whether a symptom is suspect.
func (o *Options) IncidentTimes() (recovers, over int64) {
	over = int64(o.memory()) * o.ShiftSeconds
	return min(3*o.ShiftSeconds, over), over
}

// memory returns 2k−1, the number of windows that decide whether a symptom is suspect: it is
// suspect if it was anomalous in k of them.
func (o *Options) memory() int { return 2*o.KWindows - 1 }

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.ShiftSeconds >= 1 && o.WinSeconds >= o.ShiftSeconds && o.WinSeconds%o.ShiftSeconds == 0,
		"a window of %d s cannot start every %d s: choose a window that is a multiple of %[2]d s", o.WinSeconds, o.ShiftSeconds)
	return errs.Join()
}
