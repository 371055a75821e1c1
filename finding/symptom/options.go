package symptom

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/finding"
	"github.com/limpet-storage/limpet/onset"
)

// Options are the bounds from which something is a symptom. None is trained:
// each says what an operator would care about. docs/method.md has the reasons.
type Options struct {
	WinSeconds       int64   `json:"win_seconds"`
	ShiftSeconds     int64   `json:"shift_seconds"`                // between windows
	FewestShiftSteps int64   `json:"fewest_shift_steps" least:"1"` // that Fit makes a shift of
	KWindows         int     `json:"k_windows"`                    // odd windows of 2k−1 that make a suspect
	PresentRatio     float64 `json:"present_ratio"`                // more than this part of a window's steps has values
	CrowdRatio       float64 `json:"crowd_ratio"`                  // what this part of the servers shows is nobody's fault,
	CrowdServers     int     `json:"crowd_servers" least:"1"`      // where it is so many servers

	SlowRatio       float64 `json:"slow_ratio" least:"1"` // requests wait so many times as long,
	FewestRequests  float64 `json:"fewest_requests"`      // of at least so many in a window;
	BusierPercent   float64 `json:"busier_percent"`       // and the disk is busier by so many percent of the time,
	BusierRatio     float64 `json:"busier_ratio"`         // or by this part of what the peers are, if that is less;
	FarRatio        float64 `json:"far_ratio" least:"1"`  // or else they wait so many times as long,
	FarDeviations   float64 `json:"far_deviations"`       // and by so many deviations of the peers,
	LeastSpreadNats float64 `json:"least_spread_nats"`    // each of which is at least this much of a logarithm

	DiskPercent float64 `json:"disk_percent"` // of a drive's time goes to work that nobody called for
	HogRatio    float64 `json:"hog_ratio"`    // mean score against its threshold that makes waiting a hog's

	NetRatio          float64 `json:"net_ratio"`                  // traffic beyond the peers', as a part of theirs,
	NetBytesPerSecond float64 `json:"net_bytes_per_second"`       // and at least so much
	SmallFrameBytes   float64 `json:"small_frame_bytes"`          // mean size up to which a frame is none of a bulk transfer
	FullFrameBytes    float64 `json:"full_frame_bytes" least:"1"` // data that a full frame carries
	RequestBytes      float64 `json:"request_bytes"`              // that a small request may read or write on a disk

	LossPercent        float64 `json:"loss_percent"`          // of the segments are lost beyond the peers',
	LossRatio          float64 `json:"loss_ratio" least:"1"`  // and so many times theirs,
	LossDeviations     float64 `json:"loss_deviations"`       // by so many deviations of the count,
	CommonLossPercent  float64 `json:"common_loss_percent"`   // where the peers lose at least this;
	FewestLostSegments float64 `json:"fewest_lost_segments"`  // and at least so many in a window,
	BurstRatio         float64 `json:"burst_ratio" least:"1"` // which vary no more than so many times as by chance,
	UnsteadyRatio      float64 `json:"unsteady_ratio"`        // or by this part of themselves;
	ShrunkRatio        float64 `json:"shrunk_ratio"`          // and windows are at most this part of the peers',
	OpenWindowSegments float64 `json:"open_window_segments"`  // if the peers' are at least so large,
	LossAlonePercent   float64 `json:"loss_alone_percent"`    // or so much is lost where windows say nothing

	Onset onset.Options `json:"onset"`
}

// DefaultOptions look at F10's windows. Half as long again is the least that
// five minutes tell from the ups and downs of a queue. A twelfth of a disk's
// time, or a hundredth of a gigabit link, is the least that clients can feel.
// TCP halves its throughput at about one percent of loss.
func DefaultOptions() Options {
	return Options{
		WinSeconds: 64, ShiftSeconds: 32, FewestShiftSteps: 2, KWindows: 3,
		PresentRatio: 0.5, CrowdRatio: 0.5, CrowdServers: 2,
		SlowRatio: 1.5, FewestRequests: 5, BusierPercent: 15, BusierRatio: 0.5,
		FarRatio: 5, FarDeviations: 4, LeastSpreadNats: 0.1,
		DiskPercent: 8, HogRatio: 1,
		NetRatio: 0.2, NetBytesPerSecond: 1e6, SmallFrameBytes: 512, FullFrameBytes: 1448, RequestBytes: 4096,
		LossPercent: 1, LossRatio: 2, LossDeviations: 4, CommonLossPercent: 0.1, FewestLostSegments: 16,
		BurstRatio: 6, UnsteadyRatio: 0.1, ShrunkRatio: 0.5, OpenWindowSegments: 6, LossAlonePercent: 3,
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
	errs := []error{finding.CheckBounds(*o), o.Onset.Validate()}
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(o.ShiftSeconds >= 1 && o.WinSeconds >= o.ShiftSeconds && o.WinSeconds%o.ShiftSeconds == 0,
		"windows of %d s every %d s: a window has to be a multiple of its shift", o.WinSeconds, o.ShiftSeconds)
	check(o.KWindows >= 1 && o.KWindows <= 16, "k_windows of %d: 1 to 16 are possible", o.KWindows)
	return errors.Join(errs...)
}
