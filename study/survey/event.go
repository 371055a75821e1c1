package survey

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/study"
)

// dayHours is the length of T16's "same day" and "within a day".
const dayHours = 24

// within reports whether one of the hours begins between begin and end.
func within(slow []study.SlowHour, begin, end float64) bool {
	return slices.ContainsFunc(slow, func(s study.SlowHour) bool {
		return float64(s.Hour) >= begin && float64(s.Hour) <= end
	})
}

// complaints asks whether slowdowns follow events, and whether slow runs have events during the
// run or shortly before it (T16 §4.3.1).
type complaints struct {
	*sheet
	threshold float64
	kinds     map[study.What]int // counts: events, and events with a slow hour within a day
	runs      int                // counts: slow runs, and slow runs with an event
	all       int                // counts as in kinds, for all events
	dead      int                // counts as in kinds, for "not spinning" and "not responding"
}

func newComplaints(s *sheet) *complaints {
	return &complaints{s, s.Main(), map[study.What]int{}, s.Sums.Block(2), s.Sums.Block(2), s.Sums.Block(2)}
}

func (c *complaints) Group(g *study.Group) {
	for i := range g.Members {
		m := &g.Members[i]
		if len(m.Events) == 0 && len(m.Slow) == 0 {
			continue
		}
		slow := study.SlowFrom(m.Slow, c.threshold)
		for _, e := range m.Events {
			if !study.ByHand(e.What) {
				c.event(e, slow)
			}
		}
		for _, run := range study.Runs(slow) {
			c.Sums.Add(c.runs, 1)
			c.Sums.Add(c.runs+1, oneIf(near(run, m.Events)))
		}
	}
}

// event counts an event, and whether the drive is slow in the hour of the event or within a day
// after it.
func (c *complaints) event(e study.Event, slow []study.SlowHour) {
	first, ok := c.kinds[e.What]
	if !ok {
		first = c.Sums.Block(2)
		c.kinds[e.What] = first
	}
	t := study.HoursSinceEpoch(e.Time)
	led := oneIf(within(slow, math.Floor(t), t+dayHours))
	ids := []int{first, c.all}
	if e.What == study.NotSpinning || e.What == study.NotResponding {
		ids = append(ids, c.dead)
	}
	for _, id := range ids {
		c.Sums.Add(id, 1)
		c.Sums.Add(id+1, led)
	}
}

// near reports whether the drive has an error event during the run or in the day before it.
func near(run []study.SlowHour, events []study.Event) bool {
	begin, end := float64(run[0].Hour)-dayHours, float64(run[len(run)-1].Hour)+1
	return slices.ContainsFunc(events, func(e study.Event) bool {
		return !study.ByHand(e.What) && study.HoursSinceEpoch(e.Time) >= begin && study.HoursSinceEpoch(e.Time) < end
	})
}

func (c *complaints) Report() {
	at := short(c.threshold)
	c.Share("complaints-dead-"+at, c.dead+1, c.dead, "of the events \"not spinning\" and \"not responding\" of %s are followed by a slow hour within a day")
	c.Share("complaints-lead-"+at, c.all+1, c.all, "of all error events of %s are followed by a slow hour within a day")
	c.Share("complaints-near-"+at, c.runs+1, c.runs, "of the slow periods of %s have an error event of the drive during the period or in the day before")
	t := study.Table{Name: "complaints", Title: "Events and slowdowns", Source: "T16 §4.3.1", Columns: []string{"event", "events", "slow within a day"}}
	for _, w := range keys(c.kinds) {
		t.Add(string(w), c.Total(c.kinds[w]), c.Ratio(c.kinds[w]+1, c.kinds[w]))
	}
	c.Table(t)
}
