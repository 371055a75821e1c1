package fleet

import (
	"time"
)

// An Event of a drive, as T16 §3.2 has them logged.
type Event struct {
	Time  time.Time
	Drive int // in the order of Drives
	What  What
}

// What happened to a drive.
type What string

// The events. An SSD has nothing that spins.
const (
	NotSpinning   What = "not spinning"
	NotResponding What = "not responding"
	Unplugged     What = "unplugged"
	Replugged     What = "replugged"
)

// event logs what happened to a drive, to the second.
func (g *group) event(hours float64, drive int, what What) {
	at := g.start.Add(time.Duration(hours * float64(time.Hour))).Truncate(time.Second)
	g.events = append(g.events, Event{at, g.first + drive, what})
	g.counts.tallyEvent(what)
}

// warn logs that a drive did not react, at some time within the hour. One that
// was put back a short while ago does.
func (g *group) warn(hour, drive int) {
	if p := &g.places[drive]; p.absent(hour) || p.settled(hour) {
		return
	}
	what := NotResponding
	if g.Kind == Disk && g.rng.IntN(2) == 0 {
		what = NotSpinning
	}
	g.event(float64(hour)+g.rng.Float64(), drive, what)
}

// replug sees to the drives that are pulled or put back in the hour.
func (g *group) replug(hour int) {
	for i := range g.places {
		p := &g.places[i]
		if within(p.pulled, hour) {
			g.event(p.pulled, i, Unplugged)
		}
		if within(p.back, hour) {
			g.event(p.back, i, Replugged)
			g.putBack(hour, i)
		}
	}
}

// putBack draws whether a drive is soon slow again.
func (g *group) putBack(hour, drive int) {
	p := &g.places[drive]
	if g.rng.Float64() < g.Plug.Relapse {
		g.faults.plan(g.rng, drive, hour, p.mild)
	}
	quiet := p.back + hoursPerDay
	p.plug = newPlug()
	p.quiet = quiet
}
