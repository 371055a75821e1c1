package fleet

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

// A group is a RAID group in operation, with its own random numbers.
type group struct {
	*behaviour
	*layout
	rng    *rand.Rand
	start  time.Time
	first  int // index of its first drive in the fleet
	work   workload
	usual  float64 // latency, µs
	places []place
	faults faults
	events []Event // events of the day
	counts Counts

	factors []float64 // slowdown of each data drive in this hour
	ordered []int32   // latencies, to find their median
}

// A place has the state of one drive of a group.
type place struct {
	slot
	past
	own        float64         // latency relative to its peers
	rate, size imbalancePeriod // periods of imbalance
}

// newGroup returns a group of a kind with its number, in the state of a group that has worked for a
// long time.
func newGroup(o *Options, b *behaviour, number, first int) *group {
	name := fmt.Sprintf("%c%05d", b.Kind[0], number)
	rng := source(o.Seed, name)
	g := &group{behaviour: b, layout: newLayout(rng, o, b, name), rng: rng, start: o.Start, first: first}
	g.work = newWorkload(rng, &b.Load)
	g.usual = evenly(rng, b.Latency.Lowest, b.Latency.Highest)
	if g.model.LatencyUs > 0 {
		g.usual = g.model.LatencyUs
	}
	for range g.drives {
		g.places = append(g.places, place{slot: newSlot(), own: g.noise(b.Latency.Own)})
	}
	g.factors = make([]float64, g.data)
	g.faults = newFaults(rng, b, g.layout)
	return g
}

// source returns the random numbers of one group, so that the draws of one group do not change the
// others.
func source(seed uint64, group string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(group))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// noiseLimit is the largest noise in standard deviations. Noise of this size does not look like a
// slowdown.
const noiseLimit = 4

// noise draws a factor near 1.
func (g *group) noise(spread float64) float64 {
	return 1 + spread*min(max(g.rng.NormFloat64(), -noiseLimit), noiseLimit)
}

// day draws the group's part of a day that begins with the given hour.
func (g *group) day(d *day, first int) {
	g.events = g.events[:0]
	for h := range hoursPerDay {
		from := h*d.drives + g.first
		to := from + len(g.drives)
		g.hour(first+h, d.ios[from:to], d.latency[from:to], d.size[from:to])
	}
}

// hour draws one hour and moves the group to the next. While a group is idle, no drive is slow, and
// faults do not change.
func (g *group) hour(hour int, ios, latency, size []int32) {
	g.replug(hour)
	if g.work.idle {
		clear(ios)
		clear(latency)
		clear(size)
	} else {
		g.slowDown(hour)
		g.measure(hour, latency)
		g.serve(hour, ios, size)
		g.turn(hour)
	}
	for i := range g.places {
		if g.places[i].absent(hour) {
			ios[i], latency[i], size[i] = Absent, 0, 0
		}
	}
	g.tally(hour, ios, latency)
	g.work.step(g.rng)
}

// turn moves faults and imbalance to the next hour.
func (g *group) turn(hour int) {
	g.faults.step(g.rng, g.behaviour, hour)
	for _, f := range g.faults.all {
		if f.begun && !f.mild && len(f.members) > 0 && g.rng.Float64() < g.Warned {
			g.warn(hour, f.members[g.rng.IntN(len(f.members))])
		}
	}
	if g.rng.Float64() < g.faults.falseAlarms {
		g.warn(hour, g.rng.IntN(g.data))
	}
	g.unbalance(hour)
}

// parityIOs is the number of I/Os of a parity drive, relative to a data drive. It is our
// assumption: nothing is read from a parity drive (T16 §3.3).
const parityIOs = 0.4

// The spread of I/O counts and sizes between the drives of a group in an hour. It is our
// assumption: the workload is balanced (T16 §3.1).
const (
	iosNoise  = 0.03
	sizeNoise = 0.02
)

// serve fills in I/O counts and sizes.
func (g *group) serve(hour int, ios, size []int32) {
	mean := g.work.ios(g.slowest())
	for i := range ios {
		p := &g.places[i]
		rate, large := p.rate.at(hour), p.size.at(hour)
		switch {
		case i >= g.data:
			rate, large = parityIOs, 1
		case g.factors[i] >= slowAt:
			rate, large = maybeImbalanced(g.rng, g.Imbalance.RateSlow), maybeImbalanced(g.rng, g.Imbalance.SizeSlow)
		}
		ios[i] = int32(max(1, math.Round(mean*rate*g.noise(iosNoise))))
		size[i] = int32(min(largestIO, g.work.size*large*g.noise(sizeNoise)))
	}
}
