package persistence

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the settings of a detection. The zero value is not valid;
// start from [DefaultOptions], [L13Options] or [F10Options].
type Options struct {
	Method      string `json:"method"`  // the preset that the options began as
	Measure     string `json:"measure"` // one of [Measures]
	StepSeconds int64  `json:"step_seconds" least:"1"`
	Smooth      int    `json:"smooth" least:"1"`                // width of the moving average, in steps
	WinSize     int    `json:"win_size" least:"2"`              // steps in a window
	WinShift    int    `json:"win_shift" least:"1"`             // steps between windows
	K           int    `json:"k" least:"1" most:"16"`           // anomalies in 2K−1 windows that make a suspect
	MaxBins     int    `json:"max_bins" least:"1" most:"65536"` // bound on a histogram's bins (L13 §4.2.2)
	Domain      int    `json:"domain"`                          // peers that a component is compared with; 0: all of them (F10 §11.1)
	Seed        uint64 `json:"seed"`

	// Literal keeps to the letter of the papers: absent members take part in
	// the comparison, steps without requests count for averages, and bins
	// are as wide as the metric's noise in busy groups too. Otherwise the
	// spread of busy peers decides alone: on flash all of await is below the
	// millisecond that was noise on Intrepid's disks.
	Literal bool `json:"literal"`

	// The bounds of a detection without training.
	MinRatio float64 `json:"min_ratio" least:"1"` // effect: a component's median against its group's
	MinZ     float64 `json:"min_z"`               // significance: its score among its peers' scores
	MinIOs   float64 `json:"min_ios"`             // fewer requests in a window are too few to judge

	// MinSamplesShare is the share of its group's steps that a member needs
	// data for. With less it is gone, if it ought to be busy.
	MinSamplesShare float64 `json:"min_samples_share" above:"0" most:"1"`
	// BusyPeersShare is the share of the members with data that have to be
	// exceeded by those at work for an idle one to be odd.
	BusyPeersShare float64 `json:"busy_peers_share" above:"0" most:"1"`
	// MinStepsShare is the share of a window's steps that a group's data have
	// to exceed. A window with less is passed over.
	MinStepsShare float64 `json:"min_steps_share" above:"0" most:"1"`
	// ZeroPeersShare is the share of members at zero that makes a group idle.
	// Bins of an idle group are not narrower than the metric's noise.
	ZeroPeersShare float64 `json:"zero_peers_share" above:"0" most:"1"`

	// TrainFactor multiplies the least threshold that training was quiet at.
	TrainFactor float64 `json:"train_factor" least:"1"`
	// TrainStep is the increment in which F10's training raises a threshold
	// until the filter leaves no suspect. 0 trains as L13 does, whose
	// threshold is the largest score itself, unfiltered.
	TrainStep float64 `json:"train_step,omitempty" least:"0" most:"1"`
	// TrainCapShare is the share of the largest score possible that L13's
	// training stays below.
	TrainCapShare float64 `json:"train_cap_share" above:"0" most:"1"`
	// CwndSmooth is the width of the moving average of congestion windows,
	// in steps, before the time-series test of F10 §10.1 sees them. 0 judges
	// them as any other metric.
	CwndSmooth int `json:"cwnd_smooth,omitempty"`
	// CwndFullShare is the share of that average that must have values. In the
	// first seconds of a run it is the mean of a few values, as noisy as they
	// are; and a sample lost now and then must not keep a server from being
	// judged for ever.
	CwndFullShare float64 `json:"cwnd_full_share" above:"0" most:"1"`
}

// UnmarshalJSON reads options. A setting that is absent, as in files of older
// versions, has its default.
func (o *Options) UnmarshalJSON(data []byte) error {
	type plain Options // without this method
	p := plain(DefaultOptions())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*o = Options(p)
	return nil
}

// L13Options are the settings of L13 §4.2, to the letter.
func L13Options() Options {
	o := DefaultOptions()
	o.Method, o.Literal = "l13", true
	return o
}

// F10Options are the settings of F10 §10.1, to the letter. A verdict comes
// about 90 seconds after the onset; thresholds are always trained.
func F10Options() Options {
	o := DefaultOptions()
	o.Method, o.Literal, o.Measure = "f10", true, "kl"
	o.StepSeconds, o.Smooth, o.WinSize, o.WinShift, o.K = 1, 5, 64, 32, 3
	o.TrainFactor, o.TrainStep, o.CwndSmooth = 2, 0.1, 31
	return o
}

// NeedsModel says whether the options judge by trained thresholds only. F10
// has no others, and what was made for want of training would not be F10.
func (o *Options) NeedsModel() bool { return o.TrainStep > 0 || o.CwndSmooth > 0 }

// DefaultOptions are limpet's own settings. Windows, smoothing and filter are
// L13's: they set the latency of a verdict, 22.5 minutes, which is good.
//
// MinRatio lies halfway, by ratio, between a peer and the 1.2× slow drives
// that must be found. MinZ is low on purpose: where three of twelve are slow
// at once, their scores lie only little above those of the others, which now
// have slow peers. At half a deviation three in ten healthy windows pass, but
// then three of five pass in a sixth, the accumulator falls in the rest, and
// MinRatio has to be met as well.
func DefaultOptions() Options {
	return Options{
		Method: "default", Measure: "cdf",
		StepSeconds: 15, Smooth: 15, WinSize: 60, WinShift: 30, K: 3, MaxBins: 1000,
		Seed: 1, MinRatio: 1.1, MinZ: 0.5, MinIOs: 5,
		MinSamplesShare: 0.5, BusyPeersShare: 0.5, MinStepsShare: 0.5, ZeroPeersShare: 0.5,
		TrainFactor: 2, TrainCapShare: 0.5, CwndFullShare: 0.75,
	}
}

// maxCwndSmooth is the longest span whose values are told from gaps by the bits
// of a word.
const maxCwndSmooth = 64

// Measures lists the distances that options can name.
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
