package fleet

import (
	"time"
)

// An Event is an event of a drive, as T16 §3.2 logs them.
type Event struct {
	Time  time.Time
	Drive int // index in Drives
	What  What
}

// What is a kind of event of a drive.
type What string

// The events. An SSD does not spin, so it is never "not spinning".
const (
	NotSpinning   What = "not spinning"
	NotResponding What = "not responding"
	Unplugged     What = "unplugged"
	Replugged     What = "replugged"
)

// event logs an event of a drive, to the second.
func (g *group) event(hours float64, drive int, what What) {
	at := g.start.Add(time.Duration(hours * float64(time.Hour))).Truncate(time.Second)
	g.events = append(g.events, Event{at, g.first + drive, what})
	g.counts.tallyEvent(what)
}

// warn logs that a drive did not react, at a random time within the hour. It logs nothing if the
// drive is absent or was put back less than a day ago.
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

// replug pulls the drives, and puts back the drives, that are due in the hour.
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

// putBack puts a drive back, and draws whether it will be slow again within a day.
func (g *group) putBack(hour, drive int) {
	p := &g.places[drive]
	if g.rng.Float64() < g.Plug.Relapse {
		g.faults.plan(g.rng, drive, hour, p.mild)
	}
	quiet := p.back + hoursPerDay
	p.slot = newSlot()
	p.quiet = quiet
}
