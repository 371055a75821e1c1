package sitetest

import (
	"math"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/topology"
)

// Lengths of time in the simulated systems, in seconds.
const (
	stepSeconds   = 15
	windowSeconds = 900
	shiftSeconds  = 450
	hour          = 3600
	day           = 24 * hour
)

// fault makes components slower for a while.
type fault struct {
	components map[int]bool
	from, to   int64 // to = 0: the fault has not ended
	times      float64
}

// gap is a time without data of a server; of all servers if the name is empty.
type gap struct {
	server   string
	from, to int64
}

// world is a system whose values are computed by a formula.
type world struct {
	system *topology.System
	faults []fault
	gaps   []gap
}

// noise returns a number between 0 and 1 that depends only on its arguments.
func noise(a, b, c uint64) float64 {
	x := a*0x9e3779b97f4a7c15 ^ b*0xbf58476d1ce4e5b9 ^ c*0x94d049bb133111eb
	x ^= x >> 31
	x *= 0xd6e8feb86659fd93
	x ^= x >> 29
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	return float64(x>>11) / (1 << 53)
}

// bell returns a nearly normal number with mean 0 and standard deviation 1.
func bell(a, b, c uint64) float64 {
	sum := 0.0
	for i := range uint64(4) {
		sum += noise(a, b, c*4+i)
	}
	return (sum - 2) * math.Sqrt(3)
}

// slowness returns how many times slower the faults make a component at a time.
func (w *world) slowness(component int, at int64) float64 {
	times := 1.0
	for i := range w.faults {
		if f := &w.faults[i]; at > f.from && (f.to == 0 || at <= f.to) && f.components[component] {
			times *= 1 + (f.times-1)*math.Min(1, float64(at-f.from)/1200)
		}
	}
	return times
}

// missing reports whether a component has no data at a time.
func (w *world) missing(component int, at int64) bool {
	for _, g := range w.gaps {
		if at > g.from && at <= g.to && (g.server == "" || g.server == w.system.Components[component].Server) {
			return true
		}
	}
	return false
}

// busy reports whether a component carries load: a primary path, or a drive.
func (w *world) busy(component int) bool { return w.system.Components[component].Priority <= 1 }

// tides returns the load at a time of day, from 0.4 to 1.
func tides(at int64) float64 {
	return 0.7 - 0.3*math.Cos(2*math.Pi*float64(at%day-3*hour)/day)
}

// value returns a metric of a component over the step that ends at a time; NaN: there is no value.
func (w *world) value(component int, name string, at int64) float64 {
	if w.missing(component, at) {
		return math.NaN()
	}
	c, group := uint64(component), uint64(w.system.Components[component].Group)
	busy, load := w.busy(component), tides(at)
	swing := math.Exp(0.12*bell(c, uint64(at/stepSeconds), 1) + 0.08*bell(c, uint64(at/hour), 2))
	if noise(c, uint64(at/stepSeconds), 9) > 0.999 {
		swing *= 6 // a single spike, which must not become an incident
	}
	rate := (60 + 40*noise(group, 3, 3)) * load * math.Exp(0.1*bell(c, uint64(at/600), 4))
	wait := (6 + 6*noise(group, 5, 5)) * (0.8 + 0.4*load) * swing * w.slowness(component, at)
	if !busy {
		rate, wait = 0.4*rate/60, 3*swing*w.slowness(component, at)
		if noise(c, uint64(at/900), 6) < 0.15 {
			wait = math.NaN() // no request in this step
		}
	}
	switch name {
	case metric.TPS.Name:
		return rate
	case metric.RdSec.Name:
		return rate * 180
	case metric.WrSec.Name:
		return rate * 60 * swing
	case metric.AvgRqSz.Name:
		return 240 * math.Exp(0.03*bell(c, uint64(at/stepSeconds), 7))
	case metric.AvgQuSz.Name:
		return rate * wait / 1000
	case metric.SvcTm.Name:
		return wait / 3
	case metric.Util.Name:
		return math.Min(100, rate*wait/30)
	}
	return wait
}

// score returns how far a component is from its peers in the window that ends at a time; NaN: it
// was not judged.
func (w *world) score(component int, name string, at int64) float64 {
	at -= at % shiftSeconds
	if w.missing(component, at) || !w.busy(component) {
		return math.NaN()
	}
	score := 0.25 * math.Exp(0.5*bell(uint64(component), uint64(at/shiftSeconds), 11))
	if name == metric.Await.Name || name == metric.SvcTm.Name || name == metric.AvgQuSz.Name || name == metric.Util.Name {
		score += 2.2 * math.Log(w.slowness(component, at))
	}
	return score
}
