package fleet

import (
	"math"
	"slices"
)

// slowDown draws the slowdown of each data drive in an hour.
func (g *group) slowDown(hour int) {
	room := most(g.present(hour))
	for i := range g.factors {
		g.factors[i] = 1
	}
	for _, f := range g.faults.all {
		if f.state.slow() {
			room = g.suffer(f, hour, room)
		}
	}
}

// suffer makes the drives of a fault slow, at most room of them, and returns how many more drives
// may become slow.
func (g *group) suffer(f *fault, hour, room int) int {
	for _, i := range f.members {
		p := &g.places[i]
		if p.absent(hour) || p.settled(hour) && !f.relapse {
			continue
		}
		if g.factors[i] == 1 {
			if room == 0 {
				continue
			}
			room--
		}
		factor := g.Memory.factor(g.rng, g.Tail, f.mild, f.run)
		g.factors[i] = max(g.factors[i], factor)
		if f.begun {
			p.decide(g.rng, &g.Plug, hour, factor)
		}
	}
	return room
}

// present counts the data drives that are plugged in.
func (g *group) present(hour int) int {
	n := 0
	for i := range g.data {
		if !g.places[i].absent(hour) {
			n++
		}
	}
	return n
}

func (g *group) slowest() float64 { return slices.Max(g.factors) }

// measure fills in the latencies of stable drives, and then those of slow drives as multiples of
// the median.
func (g *group) measure(hour int, latency []int32) {
	level := g.usual * math.Exp(g.Latency.Load*g.work.level)
	for i := range latency {
		latency[i] = g.steady(level, &g.places[i])
	}
	if g.slowest() == 1 {
		return
	}
	median := g.medianOf(hour, latency)
	for i, factor := range g.factors {
		if factor > 1 {
			latency[i] = g.slowed(median * factor)
		}
	}
}

// medianOf returns the median of all data drives, with the slow drives above it.
func (g *group) medianOf(hour int, latency []int32) float64 {
	g.ordered = g.ordered[:0]
	slow := 0
	for i, factor := range g.factors {
		switch {
		case factor > 1:
			slow++
		case !g.places[i].absent(hour):
			g.ordered = append(g.ordered, latency[i])
		}
	}
	slices.Sort(g.ordered)
	return medianBelow(g.ordered, slow)
}

// medianBelow returns the median of the ordered values and of some larger values. The larger values
// are fewer than half of all.
func medianBelow(ordered []int32, larger int) float64 {
	n := len(ordered) + larger
	return (float64(ordered[(n-1)/2]) + float64(ordered[n/2])) / 2
}

// steady returns the latency that a stable drive reports. Some SSDs report ticks of 250 µs (T16
// §4.1.2); such drives of a group report the same latency while they are stable.
func (g *group) steady(level float64, p *place) int32 {
	if t := g.model.TickUs; t > 0 {
		return int32(t * max(1, math.Round(level/t)))
	}
	return int32(max(1, math.Round(level*p.own*g.noise(g.Latency.Noise))))
}

// slowed returns the latency that a slow drive reports. It is rounded down to a whole tick if the
// drive reports ticks, otherwise up to a whole microsecond, so that a slow drive remains slow.
func (g *group) slowed(us float64) int32 {
	if t := g.model.TickUs; t > 0 {
		return int32(t * math.Floor(us/t))
	}
	return int32(math.Ceil(us))
}
