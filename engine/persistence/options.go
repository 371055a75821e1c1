package persistence

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options are the settings of a [Detector] and of a [Trainer]. The zero value is not valid. Start
// from [DefaultOptions], [L13Options] or [F10Options].
type Options struct {
	Method      string `json:"method"`  // name of the preset from which the options were made
	Measure     string `json:"measure"` // one of [Measures]
	StepSeconds int64  `json:"step_seconds" least:"1"`
	Smooth      int    `json:"smooth" least:"1"`                // width of the moving average, in steps
	WinSize     int    `json:"win_size" least:"2"`              // steps in a window
	WinShift    int    `json:"win_shift" least:"1"`             // steps from the start of a window to the start of the next window
	K           int    `json:"k" least:"1" most:"16"`           // a component with K anomalies in the last 2K−1 windows is a suspect
	MaxBins     int    `json:"max_bins" least:"1" most:"65536"` // largest number of bins in a histogram (L13 §4.2.2)
	Domain      int    `json:"domain"`                          // minimum number of members in a domain; only members of the same domain are compared; 0 means that the whole group is one domain (F10 §11.1)
	Seed        uint64 `json:"seed"`

	// If Literal is set, the comparison follows the papers exactly: members without data take part
	// in it, steps without requests count in averages, and in all groups bins are at least as wide
	// as the metric's noise. If Literal is not set, bins of a busy group may be narrower. Narrow
	// bins matter for flash: nearly every await is below 1 ms. On the disks of Intrepid, the system
	// that L13 studied, an await below 1 ms was noise.
	Literal bool `json:"literal"`

	MinRatio float64 `json:"min_ratio" least:"1"` // effect size: a component is anomalous only if its median is at least MinRatio times worse than the median of its peers
	MinZ     float64 `json:"min_z"`               // significance: a component is anomalous only if its score is more than MinZ standard deviations above the median score of its peers
	MinIOs   float64 `json:"min_ios"`             // a component with fewer requests in a window is not compared

	// MinSamplesShare is a share of the steps in which any member of the group has data. A member
	// is compared only if it has data for at least this share. With less data, a member that should
	// be busy counts as gone.
	MinSamplesShare float64 `json:"min_samples_share" above:"0" most:"1"`
	// BusyPeersShare decides whether an idle member that should be busy is anomalous. The idle
	// member is anomalous if more than this share of the members with data have work.
	BusyPeersShare float64 `json:"busy_peers_share" above:"0" most:"1"`
	// MinStepsShare is a share of the steps of a window. A group is compared in a window only if it
	// has data for more than this share.
	MinStepsShare float64 `json:"min_steps_share" above:"0" most:"1"`
	// ZeroPeersShare decides whether a group is mostly idle: at least this share of its members
	// must have a median of zero. The bins of such a group are at least as wide as the metric's
	// noise.
	ZeroPeersShare float64 `json:"zero_peers_share" above:"0" most:"1"`

	// TrainFactor is a factor for trained thresholds. Training finds the smallest threshold that
	// causes no alarm, and multiplies it by TrainFactor.
	TrainFactor float64 `json:"train_factor" least:"1"`
	// TrainStep is the increment by which the training of F10 raises a threshold until no member is
	// a suspect. If TrainStep is 0, thresholds are trained as in L13: a threshold is the largest
	// score in the training data, and the filter of 2K−1 windows is not used.
	TrainStep float64 `json:"train_step,omitempty" least:"0" most:"1"`
	// TrainCapShare limits the thresholds of L13's training to this share of the largest possible
	// score.
	TrainCapShare float64 `json:"train_cap_share" above:"0" most:"1"`
	// CwndSmooth is the width of the moving average of congestion windows, in steps,
	// before the time-series test of F10 §10.1. If it is 0, congestion windows are
	// compared like any other metric.
	CwndSmooth int `json:"cwnd_smooth,omitempty"`
	// CwndFullShare is a limit for moving averages of congestion windows: such an average needs
	// values for at least this share of its steps. The average over the first seconds of a run has
	// few values and is as noisy as single values. But the share is below 1, because a few lost
	// samples must not exclude a server.
	CwndFullShare float64 `json:"cwnd_full_share" above:"0" most:"1"`
}

// UnmarshalJSON reads options. A setting that is absent, as in files of older versions,
// gets its default value.
func (o *Options) UnmarshalJSON(data []byte) error {
	type plain Options // the same fields as Options, but without the method UnmarshalJSON, because this method would call itself
	p := plain(DefaultOptions())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*o = Options(p)
	return nil
}

// L13Options returns exactly the settings of L13 §4.2.
func L13Options() Options {
	o := DefaultOptions()
	o.Method, o.Literal = "l13", true
	return o
}

// F10Options returns exactly the settings of F10 §10.1. A suspect appears about 90
// seconds after the onset. Thresholds are always trained.
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

// DefaultOptions returns limpet's own settings. Windows, smoothing and filter are the same as in
// L13. With these settings, a component becomes a suspect 22.5 minutes after its onset.
//
//   - MinRatio: the goal is to find a drive that is 1.2 times slower than its peers. MinRatio is
//     about √1.2, the geometric mean of 1 and 1.2.
//   - MinZ is low on purpose. If three of twelve drives are slow at the same time, the healthy
//     drives have slow peers, so their scores are also high. The scores of the slow drives are then
//     only a little higher. MinZ sets the fence: the threshold for scores. With MinZ 0.5, a healthy
//     drive exceeds the fence in three of ten windows. Its accumulator rises only if it exceeds the
//     fence in at least three of the last five windows, which is true in one window of six. In the
//     other windows its accumulator falls. In addition, an anomaly needs a median that is MinRatio
//     times worse.
func DefaultOptions() Options {
	return Options{
		Method: "default", Measure: "cdf",
		StepSeconds: 15, Smooth: 15, WinSize: 60, WinShift: 30, K: 3, MaxBins: 1000,
		Seed: 1, MinRatio: 1.1, MinZ: 0.5, MinIOs: 5,
		MinSamplesShare: 0.5, BusyPeersShare: 0.5, MinStepsShare: 0.5, ZeroPeersShare: 0.5,
		TrainFactor: 2, TrainCapShare: 0.5, CwndFullShare: 0.75,
	}
}

// maxCwndSmooth is the greatest value of CwndSmooth, in steps. It is 64, because [presence] has 64
// bits for each component, one for each of the last steps.
const maxCwndSmooth = 64

// Measures returns the possible values of Options.Measure: the names of the measures of package
// distance.
func Measures() []string { return distance.Names() }

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(slices.Contains(Measures(), o.Measure), "measure %q is unknown: use one of these: %s", o.Measure, strings.Join(Measures(), ", "))
	errs.Need(o.WinSize <= distance.MaxWinSize, "a window of %d time steps is not possible: give 2 to %d", o.WinSize, distance.MaxWinSize)
	errs.Need(o.WinShift <= o.WinSize, "a window shift of %d time steps is not possible: give 1 to %d, the length of the window", o.WinShift, o.WinSize)
	errs.Need(o.Domain == 0 || o.Domain >= 3, "a comparison with %d peers is not possible: give at least 3 peers, or 0 for all peers", o.Domain)
	errs.Need(o.CwndSmooth <= maxCwndSmooth, "a moving average of cwnd over %d time steps is not possible: give 1 to %d, or 0 to judge cwnd like other metrics", o.CwndSmooth, maxCwndSmooth)
	return errs.Join()
}
