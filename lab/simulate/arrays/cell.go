package arrays

import (
	"time"
)

// A cell is a lunCell with the events of the scenario.
type cell struct {
	*lunCell
	scenario  *Scenario
	now       time.Time
	events    agenda[*aimed]
	disksOnly bool // only the counters of disks are needed
}

// begin sets everything to its state at the first record.
func (c *cell) begin() {
	c.strike(c.now)
	c.Begin()
}

// step simulates an interval with this demand of the clients.
func (c *cell) step(d demand) {
	next := c.now.Add(c.scenario.Interval)
	c.strike(next)
	c.Step(d, c.scenario.Interval.Seconds(), c.disksOnly)
	c.now = next
}

// strike applies the events of the interval from now to next.
func (c *cell) strike(next time.Time) {
	for _, e := range c.events.now {
		e.heal()
	}
	now := c.events.during(c.now, next)
	for _, e := range now {
		e.strike(c.now, next)
		for _, a := range e.hit {
			c.Touch(a)
		}
	}
	for _, e := range now {
		e.reroute(c.now, next)
	}
	c.Follow(c.now, next)
}
