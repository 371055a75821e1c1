package fleet

import "slices"

// Counts are the counts of a simulated fleet for one kind of drive: the figures of T16 §4.1, from
// the records as they are written. Hours count if at least three data drives of a group did I/O.
type Counts struct {
	Groups     int64 `yaml:"groups"`
	Drives     int64 `yaml:"drives"`
	DataDrives int64 `yaml:"data_drives"`

	Records    int64 `yaml:"records"`
	Missing    int64 `yaml:"missing"` // hours of drives without a record
	Idle       int64 `yaml:"idle"`    // records without I/O
	GroupHours int64 `yaml:"group_hours"`
	DriveHours int64 `yaml:"drive_hours"` // hours of data drives

	Slow15   int64 `yaml:"slow_1_5"` // drive hours with a slowdown of 1.5 or more
	Slow2    int64 `yaml:"slow_2"`
	Slow9    int64 `yaml:"slow_9"`
	Slow30   int64 `yaml:"slow_30"`
	Slow100  int64 `yaml:"slow_100"`
	Slow1000 int64 `yaml:"slow_1000"`
	Exact    int64 `yaml:"exactly_1_5_2_3"`

	Tail15 int64 `yaml:"tail_1_5"` // group hours in which the slowest drive has a slowdown of 1.5 or more
	Tail1  int64 `yaml:"tail_1"`   // group hours in which the slowest drive has a slowdown of 2 or more
	Tail2  int64 `yaml:"tail_2"`   // the same for the second slowest drive
	Tail3  int64 `yaml:"tail_3"`   // the same for the third slowest drive

	Runs       int64 `yaml:"runs"` // runs of consecutive slow hours
	RunsPast1  int64 `yaml:"runs_past_1h"`
	Runs8      int64 `yaml:"runs_8h"`
	Repeats    int64 `yaml:"repeats"` // slow hours of drives that were slow before
	RepeatsDay int64 `yaml:"repeats_within_a_day"`

	EverSlow int64 `yaml:"ever_slow"` // data drives that were slow at least once
	Ever16   int64 `yaml:"ever_16"`
	Under5   int64 `yaml:"slow_under_5_times"`
	Over100  int64 `yaml:"slow_100_times"`

	Warnings  int64 `yaml:"warnings"` // events: not spinning, not responding
	Unplugged int64 `yaml:"unplugged"`
	Replugged int64 `yaml:"replugged"`
}

// A past has the slow hours of a drive so far.
type past struct {
	slow   int // number of slow hours
	last   int // the last slow hour, if slow > 0
	run    int // number of hours of the last run
	severe bool
}

// tally counts an hour.
func (g *group) tally(hour int, ios, latency []int32) {
	c := &g.counts
	g.ordered = g.ordered[:0]
	for i, n := range ios {
		switch {
		case n == Absent:
			c.Missing++
			continue
		case n == 0:
			c.Idle++
		case i < g.data:
			g.ordered = append(g.ordered, latency[i])
		}
		c.Records++
	}
	if len(g.ordered) < Narrowest {
		return
	}
	c.GroupHours++
	c.DriveHours += int64(len(g.ordered))
	if float64(slices.Max(g.ordered)) < mildAt*float64(slices.Min(g.ordered)) {
		return // no slowdown, with any median
	}
	slices.Sort(g.ordered)
	m := medianBelow(g.ordered, 0)
	g.tallyTails(m)
	for i, us := range latency[:g.data] {
		if us > 0 {
			g.tallySlowdown(float64(us)/m, hour, &g.places[i].past)
		}
	}
}

func (g *group) tallyTails(median float64) {
	c, n := &g.counts, len(g.ordered)
	for k, tail := range []*int64{&c.Tail1, &c.Tail2, &c.Tail3} {
		*tail += count(float64(g.ordered[n-1-k])/median >= slowAt)
	}
	c.Tail15 += count(float64(g.ordered[n-1])/median >= mildAt)
}

func (g *group) tallySlowdown(s float64, hour int, p *past) {
	if s < mildAt {
		return
	}
	c := &g.counts
	c.Slow15++
	c.Exact += count(s == 1.5 || s == 2 || s == 3)
	if s < slowAt {
		return
	}
	c.Slow2++
	c.Slow9 += count(s >= 9)
	c.Slow30 += count(s >= 30)
	c.Slow100 += count(s >= 100)
	c.Slow1000 += count(s >= 1000)
	p.severe = p.severe || s >= 16
	c.tallyRun(hour, p)
}

// tallyRun counts a slow hour, and whether it begins or continues a run.
func (c *Counts) tallyRun(hour int, p *past) {
	if p.slow > 0 {
		c.Repeats++
		c.RepeatsDay += count(hour-p.last <= hoursPerDay)
	}
	if p.slow == 0 || hour-p.last > 1 {
		c.Runs++
		p.run = 0
	}
	p.run++
	c.RunsPast1 += count(p.run == 2)
	c.Runs8 += count(p.run == 8)
	p.slow++
	p.last = hour
}

func count(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (c *Counts) tallyEvent(what What) {
	switch what {
	case Unplugged:
		c.Unplugged++
	case Replugged:
		c.Replugged++
	default:
		c.Warnings++
	}
}

// all returns the counts that are summed over groups.
func (c *Counts) all() []*int64 {
	return []*int64{
		&c.Groups, &c.Drives, &c.DataDrives,
		&c.Records, &c.Missing, &c.Idle, &c.GroupHours, &c.DriveHours,
		&c.Slow15, &c.Slow2, &c.Slow9, &c.Slow30, &c.Slow100, &c.Slow1000, &c.Exact,
		&c.Tail15, &c.Tail1, &c.Tail2, &c.Tail3,
		&c.Runs, &c.RunsPast1, &c.Runs8, &c.Repeats, &c.RepeatsDay,
		&c.EverSlow, &c.Ever16, &c.Under5, &c.Over100,
		&c.Warnings, &c.Unplugged, &c.Replugged,
	}
}

func (c *Counts) add(more *Counts) {
	other := more.all()
	for i, n := range c.all() {
		*n += *other[i]
	}
}
