package exporter

import (
	"math"
	"time"
)

// limits are what a machine may be and may wait for.
type limits struct {
	Wait       time.Duration // for the rest of a scrape, since the last of it came
	Ahead      time.Duration // that samples may be ahead of our clock
	MaxPending int           // scrapes that wait
	MaxThings  int           // devices, interfaces and remote hosts
	Full       bool          // there is no room for more of either
}

// Counts are what became of samples and scrapes.
type Counts struct {
	Kept       uint64 // samples that are used
	Unused     uint64 // samples of series that are not
	Late       uint64 // samples that came when their time was closed
	Duplicate  uint64 // samples that came again, or from a second source
	Refused    uint64 // samples with a name, a time or a value that cannot be
	Incomplete uint64 // scrapes of which a part never came
	Records    uint64 // readings that were written
}

// Add adds other counts.
func (c *Counts) Add(o Counts) {
	c.Kept += o.Kept
	c.Unused += o.Unused
	c.Late += o.Late
	c.Duplicate += o.Duplicate
	c.Refused += o.Refused
	c.Incomplete += o.Incomplete
	c.Records += o.Records
}

// Take takes the samples of a series that a sender told now. Whole says that
// the request has all samples of its scrapes.
func (m *machineSeries) Take(s *Series, whole bool, sender string, now time.Time, l *limits) (c Counts) {
	if len(s.Samples) == 0 {
		return c
	}
	defer func() { m.Counts.Add(c) }()
	heard := m.hears(origin{sender, s.Origin}, s, s.Samples[len(s.Samples)-1].Time, now)
	most := l.MaxThings
	if l.Full {
		most = 0
	}
	t := m.thing(s, most)
	if t == nil {
		m.trouble.say(now, "there is no room for %q, or it is no name: it is left out", clip(s.Key))
		c.Refused = uint64(len(s.Samples))
		return c
	}
	if last := s.Samples[len(s.Samples)-1]; s.Info && !isStale(last.Value) && last.Time >= t.last[s.Index] {
		m.learn(t, s, !heard)
	}
	if !heard {
		c.Duplicate = uint64(len(s.Samples))
		return c
	}
	p := put{machine: m, thing: t, field: s.Field, whole: whole, full: l.Full, limit: now.Add(l.Ahead).UnixMilli(), now: now}
	for _, x := range s.Samples {
		p.sample(x, &c)
	}
	return c
}

// put puts samples of one series in their places.
type put struct {
	machine *machineSeries
	thing   *thing
	field   Field
	whole   bool
	full    bool
	limit   int64
	now     time.Time
}

// oldest: sysstat takes what is older for damage.
const oldest = 1_000_000_000_000

func (p *put) sample(x Sample, c *Counts) {
	m, t, f := p.machine, p.thing, p.field.Index
	stale := isStale(x.Value)
	switch {
	case x.Time > p.limit:
		m.trouble.say(p.now, "samples are %v ahead of our clock and are left out: keep the clocks together (NTP)", time.UnixMilli(x.Time).Sub(p.now).Round(time.Second))
		c.Refused++
		return
	case x.Time < oldest, !stale && !p.valid(x.Value):
		c.Refused++
		return
	case x.Time <= m.closed && x.Time <= t.last[f]:
		c.Duplicate++
		return
	case x.Time <= m.closed:
		c.Late++
		return
	}
	if stale {
		t.ended(f, x.Time)
		c.Kept++
		return
	}
	scrape := m.scrape(x.Time, p.full)
	if scrape == nil {
		m.trouble.say(p.now, "more waits to be complete than there is room for, and samples are left out: see who sends so many names")
		c.Refused++
		return
	}
	scrape.heard, scrape.whole = p.now.UnixNano(), scrape.whole || p.whole
	cell := scrape.of(t)
	if cell.have&(1<<f) != 0 {
		c.Duplicate++
		return
	}
	cell.have |= 1 << f
	cell.values[f] = x.Value
	if p.field.Info {
		cell.told = t.control
	}
	t.note(f, x.Time)
	c.Kept++
}

// valid says whether a value is one. The speed of a link that the kernel does
// not know is below zero.
func (p *put) valid(v float64) bool {
	return countable(v) || p.field.Kind == ofInterface && p.field.Index == nicSpeed && !math.IsNaN(v)
}
