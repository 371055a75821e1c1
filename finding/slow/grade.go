package slow

import (
	"math"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/finding"
)

// grade is what the windows say of one component's latency: an accumulator as
// in L13 §4.3, and how many times slower than its peers it was on the way.
type grade struct {
	filter   detect.Filter // of the windows that count: detection's has seen those that are excused
	windows  int           // in which it was suspect, less those in which it was not
	logTimes float64       // sum of the logarithms of how many times slower, over odd windows
	logLoads float64       // and of how many times its peers' load it had
	odd      int           // odd windows since it rose from zero
	suspect  bool          // in the last window
	times    float64       // slower than its peers, in the last odd window
	worst    float64       // and in the worst
	own      float64       // measured in the worst one
	peers    float64       // of its peers then
	calm     int           // normal windows in a row
	normal   int64         // begin of the last of them
	lastOdd  int64         // end of the last odd one
	onset    finding.Onset
	isJudged bool // in this window
}

// sample is one window of a component's latency, after what explains it.
type sample struct {
	start, end int64
	odd        bool
	times      float64 // slower than its peers, less what its load explains
	load       float64 // times its peers'
	own, peers float64
}

// count takes a window up.
func (g *grade) count(s *sample, k int, begin int64) {
	g.isJudged = true
	if s.odd {
		g.anomaly(s, begin)
	} else {
		g.calm, g.normal = g.calm+1, s.start
	}
	if g.suspect = g.filter.Push(s.odd, k); g.suspect {
		g.windows++
		return
	}
	if g.windows > 0 {
		g.windows--
	}
	if g.windows == 0 && g.calm >= 2*k-1 {
		g.reset()
	}
}

// anomaly takes an odd window up. While nothing has come of it, what was odd
// before two normal windows, or before a pause, has nothing to do with it.
func (g *grade) anomaly(s *sample, begin int64) {
	if g.odd == 0 || g.windows == 0 && (g.calm > 1 || s.start > g.lastOdd) {
		g.reset()
		g.onset = g.began(s, begin)
	}
	g.calm, g.lastOdd = 0, s.end
	g.odd++
	g.times = s.times
	g.logTimes += math.Log(g.times)
	g.logLoads += math.Log(s.load)
	if g.times > g.worst {
		g.worst, g.own, g.peers = g.times, s.own, s.peers
	}
}

// began bounds the onset by the begin of the last window that was normal, in
// which it may have been too short to show, and the end of the first that was
// not. Half of a window has to be odd before it looks odd.
func (g *grade) began(s *sample, begin int64) finding.Onset {
	half := (s.end - s.start) / 2
	switch {
	case g.normal == 0 && s.start <= begin+half:
		return finding.Before(begin)
	case g.normal == 0:
		return finding.Onset{At: s.end - half, Early: begin, Late: s.end}
	}
	return finding.Onset{At: s.end - half, Early: min(g.normal, s.start), Late: s.end}
}

// rest takes note that a component that ought to be idle is.
func (g *grade) rest() {
	g.isJudged, g.suspect, g.filter = true, false, 0
	if g.windows = max(g.windows-1, 0); g.windows == 0 {
		g.reset()
	}
}

// reset forgets what was odd; what was normal stays known.
func (g *grade) reset() { *g = grade{filter: g.filter, normal: g.normal, isJudged: g.isJudged} }

// slowness is the mean logarithm of how many times slower it is.
func (g *grade) slowness() float64 {
	if g.odd == 0 {
		return 0
	}
	return g.logTimes / float64(g.odd)
}

// load is how many times its peers' load the component had while it was slow.
func (g *grade) load() float64 { return math.Exp(g.logLoads / float64(max(g.odd, 1))) }
