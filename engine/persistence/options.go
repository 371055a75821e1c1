package persistence

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the settings of the lists. The zero value is not valid; start from
// [DefaultOptions], [L13Options] or [F10Options].
type Options struct {
	Method      string `json:"method"`  // name of the preset from which the options were made
	Measure     string `json:"measure"` // one of [Measures]
	StepSeconds int64  `json:"step_seconds" least:"1"`
	Smooth      int    `json:"smooth" least:"1"`                // width of the moving average, in steps
	WinSize     int    `json:"win_size" least:"2"`              // steps in a window
	WinShift    int    `json:"win_shift" least:"1"`             // steps between windows
	K           int    `json:"k" least:"1" most:"16"`           // anomalies in 2K−1 windows that make a suspect
	MaxBins     int    `json:"max_bins" least:"1" most:"65536"` // largest number of bins in a histogram (L13 §4.2.2)
	Domain      int    `json:"domain"`                          // number of peers with which a component is compared; 0 for all (F10 §11.1)
	Seed        uint64 `json:"seed"`

	// Literal follows the papers to the letter: absent members take part in the
	// comparison, steps without requests count in averages, and bins are at least as
	// wide as the metric's noise in busy groups too. Otherwise only the spread of the
	// busy peers sets the width. On flash nearly every await is below one millisecond,
	// which was noise on Intrepid's disks.
	Literal bool `json:"literal"`

	MinRatio float64 `json:"min_ratio" least:"1"` // effect: least ratio of a component's median to its group's median
	MinZ     float64 `json:"min_z"`               // significance: number of deviations by which its score must lie above its peers' scores
	MinIOs   float64 `json:"min_ios"`             // least number of requests in a window for a comparison

	// MinSamplesShare is the share of its group's steps for which a member needs data. A
	// member that should be busy and has less data counts as gone.
	MinSamplesShare float64 `json:"min_samples_share" above:"0" most:"1"`
	// BusyPeersShare is a share of the members with data. If more members than that have
	// work, an idle member is anomalous.
	BusyPeersShare float64 `json:"busy_peers_share" above:"0" most:"1"`
	// MinStepsShare is a share of a window's steps. If a group has data for no more
	// steps than that, the window is skipped.
	MinStepsShare float64 `json:"min_steps_share" above:"0" most:"1"`
	// ZeroPeersShare is the share of members at zero that makes a group idle. Bins of an
	// idle group are not narrower than the metric's noise.
	ZeroPeersShare float64 `json:"zero_peers_share" above:"0" most:"1"`

	// TrainFactor multiplies a trained threshold, which is the least threshold without
	// an alarm in training.
	TrainFactor float64 `json:"train_factor" least:"1"`
	// TrainStep is the increment by which F10's training raises a threshold until the
	// filter leaves no suspect. If it is 0, the training is that of L13: the threshold
	// is the largest score, without the filter.
	TrainStep float64 `json:"train_step,omitempty" least:"0" most:"1"`
	// TrainCapShare bounds L13's thresholds, as a share of the largest possible score.
	TrainCapShare float64 `json:"train_cap_share" above:"0" most:"1"`
	// CwndSmooth is the width of the moving average of congestion windows, in steps,
	// before the time-series test of F10 §10.1. If it is 0, congestion windows are
	// compared like any other metric.
	CwndSmooth int `json:"cwnd_smooth,omitempty"`
	// CwndFullShare is the share of the steps of that average that must have values. The
	// average over the first seconds of a run has few values and is as noisy as single
	// values. But a lost sample now and then must not exclude a server for ever.
	CwndFullShare float64 `json:"cwnd_full_share" above:"0" most:"1"`
}

// UnmarshalJSON reads options. A setting that is absent, as in files of older versions,
// gets its default value.
func (o *Options) UnmarshalJSON(data []byte) error {
	type plain Options // without this method
	p := plain(DefaultOptions())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*o = Options(p)
	return nil
}

// L13Options returns the settings of L13 §4.2, to the letter.
func L13Options() Options {
	o := DefaultOptions()
	o.Method, o.Literal = "l13", true
	return o
}

// F10Options returns the settings of F10 §10.1, to the letter. A suspect appears about
// 90 seconds after the onset. Thresholds are always trained.
func F10Options() Options {
	o := DefaultOptions()
	o.Method, o.Literal, o.Measure = "f10", true, "kl"
	o.StepSeconds, o.Smooth, o.WinSize, o.WinShift, o.K = 1, 5, 64, 32, 3
	o.TrainFactor, o.TrainStep, o.CwndSmooth = 2, 0.1, 31
	return o
}

// NeedsModel reports whether the options require trained thresholds. F10 has only
// trained thresholds.
func (o *Options) NeedsModel() bool { return o.TrainStep > 0 || o.CwndSmooth > 0 }

// DefaultOptions returns limpet's own settings. Windows, smoothing and filter are L13's:
// they set the delay of a suspect, 22.5 minutes.
//
// MinRatio is about the square root of 1.2, halfway between a peer and the drives that
// must be found, which are 1.2 times slower. MinZ is low on purpose: if three of twelve
// drives are slow at once, their scores lie only a little above the others' scores,
// because the others now have slow peers. At half a deviation three in ten healthy
// windows pass. But three of five windows pass only in a sixth of the cases, the
// accumulator falls in the other cases, and MinRatio must be reached as well.
func DefaultOptions() Options {
	return Options{
		Method: "default", Measure: "cdf",
		StepSeconds: 15, Smooth: 15, WinSize: 60, WinShift: 30, K: 3, MaxBins: 1000,
		Seed: 1, MinRatio: 1.1, MinZ: 0.5, MinIOs: 5,
		MinSamplesShare: 0.5, BusyPeersShare: 0.5, MinStepsShare: 0.5, ZeroPeersShare: 0.5,
		TrainFactor: 2, TrainCapShare: 0.5, CwndFullShare: 0.75,
	}
}

// maxCwndSmooth is the number of bits in a word of presence.
const maxCwndSmooth = 64

// Measures returns the names of the distances.
func Measures() []string { return distance.Names() }

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(slices.Contains(Measures(), o.Measure), "measure %q is unknown: use one of %s", o.Measure, strings.Join(Measures(), ", "))
	errs.Need(o.WinSize <= distance.MaxWinSize, "window of %d steps: 2 to %d are possible", o.WinSize, distance.MaxWinSize)
	errs.Need(o.WinShift <= o.WinSize, "window shift of %d steps: 1 to the window's %d are possible", o.WinShift, o.WinSize)
	errs.Need(o.Domain == 0 || o.Domain >= 3, "domains of %d peers: at least 3 are needed, or 0 for all", o.Domain)
	errs.Need(o.CwndSmooth <= maxCwndSmooth, "moving average of cwnd over %d steps: 1 to %d are possible, or 0 to judge it as other metrics", o.CwndSmooth, maxCwndSmooth)
	return errs.Join()
}
