// Package symptom looks at a server as a whole: what its disk, its interface
// and its connections show together that none of them shows alone.
//
// F10 compares one metric at a time and therefore takes a server that is asked
// for more than its peers for one that is at fault. Here every metric has to
// answer to the others. Load on a disk is a symptom only where the network did
// not bring it; traffic only where no disk took or gave it, and in frames too
// full for requests; waiting only where the disk is busier for the same work;
// lost segments only where they are lost one by one and windows shrink. What is
// left after that is no workload, however uneven, and needs no fault-free day
// to be told from one.
//
// In the stream it stands beside detect: it takes the same rows, compares the
// same peer groups over the same windows with the same filter, and is as pure.
package symptom

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/metric"
)

// Kind is what can be wrong with a component.
type Kind uint8

// The kinds of symptom.
const (
	Slow     Kind = iota // requests wait longer than at the peers, and the disk is busier
	Loaded               // the disk does work that the network did not bring
	Receives             // the interface receives what no disk takes
	Sends                // the interface sends what no disk gave
	LosesIn              // what clients send to the server is lost
	LosesOut             // what the server sends to clients is lost
	NumKinds
)

var kindNames = [NumKinds]string{
	"longer waits for their drives", "more work on their drives", "more received traffic", "more sent traffic",
	"losses on the way to them", "losses on the way from them",
}

func (k Kind) String() string { return kindNames[k] }

// A Sign is one symptom of one component in one window.
type Sign struct {
	Component int
	Kind      Kind
	Metric    string  // that shows it
	Score     float64 // how far it is from the peers
	Threshold float64 // from which it is odd
	Scale     string  // of the two
	Own       float64 // the metric's mean over the window
	Peers     float64 // the median of the group's means
	Unit      string  // of the two
	Odd       bool    // beyond the threshold, and confirmed by the other metrics
	Doubt     string  // what the other metrics say against it, where it is beyond the threshold
	Suspect   bool    // after the k-of-2k−1 filter
}

// Strength says how many times its threshold a sign reaches.
func (s *Sign) Strength() float64 { return s.Score / s.Threshold }

// A Window is what all components show over one window.
type Window struct {
	Start, End int64
	Signs      []Sign
	// Unlike are the symptoms that half of the servers or more show. They are
	// no peers of each other in that, and nobody is odd.
	Unlike []Kind
}

// Options are the bounds from which something is a symptom. None is trained:
// each says what an operator would care about.
type Options struct {
	WinSeconds   int64 `json:"win_seconds"`
	ShiftSeconds int64 `json:"shift_seconds"`
	K            int   `json:"k"` // odd windows of 2K−1 that make a suspect

	SlowRatio float64 `json:"slow_ratio"` // requests wait so many times as long
	Busier    float64 `json:"busier"`     // and the disk is busier by so many percent of the time,
	BusierBy  float64 `json:"busier_by"`  // or by this part of what the peers are, if that is less;
	FarRatio  float64 `json:"far_ratio"`  // or else they wait so many times as long,
	FarZ      float64 `json:"far_z"`      // and by so many deviations of the peers

	DiskShare float64 `json:"disk_share"` // percent of the disk's time that uncalled-for work takes

	NetRatio float64 `json:"net_ratio"` // traffic beyond the peers', as a part of theirs,
	NetBytes float64 `json:"net_bytes"` // and in bytes a second

	Loss      float64 `json:"loss"`       // percent of the segments lost beyond the peers',
	LossRatio float64 `json:"loss_ratio"` // and so many times theirs,
	LossZ     float64 `json:"loss_z"`     // by so many deviations of the count,
	Bursts    float64 `json:"bursts"`     // varying from step to step no more than so many times as by chance;
	Shrunk    float64 `json:"shrunk"`     // and windows at most this part of the peers',
	LossAlone float64 `json:"loss_alone"` // or so many percent where windows say nothing
}

// DefaultOptions look at F10's windows. Half as long again is the least that
// five minutes tell from the ups and downs of a queue; a twelfth of a disk's time
// or a hundredth of a gigabit link is the least that clients can feel; TCP
// halves its throughput at about one percent of loss.
func DefaultOptions() Options {
	return Options{
		WinSeconds: 64, ShiftSeconds: 32, K: 3,
		SlowRatio: 1.5, Busier: 15, BusierBy: 0.5, FarRatio: 5, FarZ: 4,
		DiskShare: 8,
		NetRatio:  0.2, NetBytes: 1e6,
		Loss: 1, LossRatio: 2, LossZ: 4, Bursts: 6, Shrunk: 0.5, LossAlone: 3,
	}
}

// maxStep is the longest that windows are made of, in seconds: a day.
const maxStep = 86400

// Fit makes the windows fit rows of the given step: as long as they were, as
// nearly as whole steps allow, and of four steps at the least.
func (o *Options) Fit(step int64) {
	step = min(max(step, 1), maxStep)
	shifts := o.WinSeconds / max(1, o.ShiftSeconds)
	o.ShiftSeconds = step * max(2, o.ShiftSeconds/step)
	o.WinSeconds = shifts * o.ShiftSeconds
}

// Validate reports every setting that cannot work.
func (o *Options) Validate() error {
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(o.ShiftSeconds >= 1 && o.WinSeconds >= o.ShiftSeconds && o.WinSeconds%o.ShiftSeconds == 0,
		"windows of %d s every %d s: a window has to be a multiple of its shift", o.WinSeconds, o.ShiftSeconds)
	check(o.K >= 1 && o.K <= 16, "k of %d: 1 to 16 are possible", o.K)
	for _, bound := range []struct {
		name         string
		value, least float64
	}{
		{"slow ratio", o.SlowRatio, 1},
		{"far ratio", o.FarRatio, 1},
		{"loss ratio", o.LossRatio, 1},
		{"busier", o.Busier, 0},
		{"busier by", o.BusierBy, 0},
		{"far z", o.FarZ, 0},
		{"disk share", o.DiskShare, 0},
		{"net ratio", o.NetRatio, 0},
		{"net bytes", o.NetBytes, 0},
		{"loss", o.Loss, 0},
		{"loss z", o.LossZ, 0},
		{"bursts", o.Bursts, 1},
		{"shrunk", o.Shrunk, 0},
		{"loss alone", o.LossAlone, 0},
	} {
		check(bound.value >= bound.least, "%s of %g: at least %g is needed", bound.name, bound.value, bound.least)
	}
	return errors.Join(errs...)
}

// Metrics lists what symptoms are made of. Those that the data have not got
// leave out the symptoms that need them.
func Metrics() []string {
	var names []string
	for _, m := range columns {
		names = append(names, m.Name)
	}
	return names
}

// columns are the metrics that windows sum up, in the order of [column].
var columns = [numColumns]metric.Metric{
	tps: metric.TPS, rd: metric.RdSec, wr: metric.WrSec, wait: metric.Await, util: metric.Util,
	rxByt: metric.RxByt, txByt: metric.TxByt, rxPck: metric.RxPck, txPck: metric.TxPck,
	cwndOut: metric.CwndOut, cwndIn: metric.CwndIn,
	retrOut: metric.RetrOut, retrIn: metric.RetrIn, dlvOut: metric.DlvOut, dlvIn: metric.DlvIn,
}

type column uint8

const (
	tps column = iota
	rd
	wr
	wait
	util
	rxByt
	txByt
	rxPck
	txPck
	cwndOut
	cwndIn
	retrOut
	retrIn
	dlvOut
	dlvIn
	numColumns
)
