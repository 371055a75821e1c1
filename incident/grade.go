package incident

import (
	"math"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/table"
)

// grade is what the windows say of one component's latency: an accumulator as
// in L13 §4.3, and how many times slower than its peers it was on the way.
type grade struct {
	filter  detect.Filter // of windows that count: detection's has seen those that are excused
	value   int
	logs    float64 // sum of the logarithms of ratios, over anomalous windows
	loads   float64 // and of how much more than its peers it had to do
	odd     int     // anomalous windows since it rose from zero
	suspect bool    // in the last window
	ratio   float64 // in the last anomalous one
	worst   float64
	own     float64 // measured in the worst one, and its peers
	peers   float64
	calm    int   // normal windows in a row
	normal  int64 // begin of the last of them
	last    int64 // end of the last anomalous one
	onset   Onset
	fresh   bool // judged in this window
}

// count takes a verdict. Load is how many times more than its peers the
// component had to do, and queued how many times slower that makes it.
func (g *grade) count(w *detect.Window, v *detect.Verdict, load, queued, noise float64, k int, begin int64) {
	g.fresh = true
	if v.State == detect.Anomalous {
		g.anomaly(w, v, load, queued, noise, begin)
	} else {
		g.calm, g.normal = g.calm+1, w.Start
	}
	if g.suspect = g.filter.Push(v.State == detect.Anomalous, k); g.suspect {
		g.value++
		return
	}
	if g.value > 0 {
		g.value--
	}
	if g.value == 0 && g.calm >= 2*k-1 {
		g.reset()
	}
}

// anomaly takes an odd window. While nothing has come of it, what was odd before
// two normal windows, or before a pause, has nothing to do with it.
func (g *grade) anomaly(w *detect.Window, v *detect.Verdict, load, queued, noise float64, begin int64) {
	if g.odd == 0 || g.value == 0 && (g.calm > 1 || w.Start > g.last) {
		g.reset()
		g.onset = g.began(w, begin)
	}
	g.calm, g.last = 0, w.End
	g.odd++
	g.ratio = max(ratio(v, noise)/queued, 1)
	g.logs += logRatio(g.ratio)
	g.loads += math.Log(load)
	if g.ratio > g.worst {
		g.worst, g.own, g.peers = g.ratio, v.Median, v.Peers
	}
}

// began bounds the onset by the begin of the last window that was normal, in
// which it may have been too short to show, and the end of the first that was
// not. Half of a window has to be odd before it looks odd.
func (g *grade) began(w *detect.Window, begin int64) Onset {
	half := (w.End - w.Start) / 2
	switch {
	case g.normal == 0 && w.Start <= begin+half:
		return Onset{At: begin, Early: begin, Late: begin, Earlier: true}
	case g.normal == 0:
		return Onset{At: w.End - half, Early: begin, Late: w.End}
	}
	return Onset{At: w.End - half, Early: min(g.normal, w.Start), Late: w.End}
}

// rest takes note that a component that ought to be idle is.
func (g *grade) rest() {
	g.fresh, g.suspect, g.filter = true, false, 0
	if g.value = max(g.value-1, 0); g.value == 0 {
		g.reset()
	}
}

// reset forgets what was odd; what was normal stays known.
func (g *grade) reset() { *g = grade{filter: g.filter, normal: g.normal, fresh: g.fresh} }

// evidence is how slow times how long.
func (g *grade) evidence() float64 { return float64(g.value) * g.slowness() }

// slowness is the mean logarithm of the ratio.
func (g *grade) slowness() float64 {
	if g.odd == 0 {
		return 0
	}
	return g.logs / float64(g.odd)
}

// hit says whether what was not even twice as slow as its peers now is twice as
// slow as it was.
func (g *grade) hit() bool {
	return g.slowness() < math.Ln2 && logRatio(g.ratio) >= g.slowness()+math.Ln2
}

// load is how many times more than its peers the component had to do while it
// was slow.
func (g *grade) load() float64 { return math.Exp(g.loads / float64(max(g.odd, 1))) }

// imbalance is how many times its peers' load makes a component slow for its
// load.
const imbalance = 1.5

func (g *grade) loaded() bool { return g.load() >= imbalance }

// mostRatio bounds ratios, so that one window cannot say everything.
const mostRatio = 1000

// ratio is how many times worse than its peers a component is. Beside peers
// that are at zero, noise is what it is measured by, and with trained
// thresholds, which know of no peers, the threshold.
func ratio(v *detect.Verdict, noise float64) float64 {
	switch {
	case v.Reason != detect.Differs || table.IsMissing(v.Median):
		return 1
	case !table.IsMissing(v.Peers) && v.Peers > 0:
		return min(max(v.Median/v.Peers, 1), mostRatio)
	case !table.IsMissing(v.Peers) && noise > 0:
		return min(max(v.Median/noise, 1), mostRatio)
	case v.Threshold > 0:
		return min(max(v.Score/v.Threshold, 1), mostRatio)
	}
	return 1
}
