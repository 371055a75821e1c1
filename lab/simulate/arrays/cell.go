package arrays

import (
	"time"
)

// A cell is one whose events come as the scenario has them.
type cell struct {
	*lunCell
	scenario *Scenario
	now      time.Time
	events   agenda[*aimed]
	briefly  bool // nobody looks at the servers' other counters
}

// begin sets everything to how it is at the first record.
func (c *cell) begin() {
	c.strike(c.now)
	c.Begin()
}

// step lets an interval pass in which clients ask so.
func (c *cell) step(d demand) {
	next := c.now.Add(c.scenario.Interval)
	c.strike(next)
	c.Step(d, c.scenario.Interval.Seconds(), c.briefly)
	c.now = next
}

// strike puts everything in the condition in which it is until next.
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
