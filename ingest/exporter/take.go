package exporter

import (
	"math"
	"time"
)

// limits are the limits for the scrapes and subjects of one server.
type limits struct {
	Wait        time.Duration // longest wait for the rest of a scrape, after its last sample
	Ahead       time.Duration // longest time by which samples may be ahead of limpet's clock
	MaxPending  int           // largest number of incomplete scrapes
	MaxSubjects int           // largest number of devices, interfaces and remote hosts
	Full        bool          // true if there is no room for further scrapes or subjects
}

// Counts has the numbers of samples and scrapes that limpet has used, left out or written.
type Counts struct {
	Kept       uint64 // number of samples that are used
	Unused     uint64 // number of samples of series that limpet does not use
	Late       uint64 // number of samples that arrived after their scrape was closed (took no more samples)
	Duplicate  uint64 // number of samples that arrived twice, or came from a second source
	Refused    uint64 // number of samples with an invalid name, time or value
	Incomplete uint64 // number of scrapes with missing samples
	Records    uint64 // number of readings that were written
}

// Add adds the counts o to c.
func (c *Counts) Add(o Counts) {
	c.Kept += o.Kept
	c.Unused += o.Unused
	c.Late += o.Late
	c.Duplicate += o.Duplicate
	c.Refused += o.Refused
	c.Incomplete += o.Incomplete
	c.Records += o.Records
}

// Take adds each sample of a series to the scrape that has the time of the sample. The parameter
// `now` is the time at which the samples arrived from the sender. The parameter `whole` is true if
// the batch of the series has all samples of its scrapes (Batch.Whole).
func (sv *server) Take(s *Series, whole bool, sender string, now time.Time, l *limits) (c Counts) {
	if len(s.Samples) == 0 {
		return c
	}
	defer func() { sv.Counts.Add(c) }()
	most := l.MaxSubjects
	if l.Full {
		most = 0
	}
	if s.Service && s.Info {
		sv.place(s, most)
		c.Kept = uint64(len(s.Samples))
		return c
	}
	heard := sv.accepts(origin{sender, s.Origin}, s, s.Samples[len(s.Samples)-1].Time, now)
	t := sv.subject(s, most)
	if t == nil {
		if sv.isFull(most) {
			sv.trouble.set(now, "the device, interface or remote host %q is left out, because the server has too many devices, interfaces and remote hosts: use a relabel rule that drops devices, interfaces or remote hosts", clip(s.Key))
		} else {
			sv.trouble.set(now, "the device, interface or remote host %q is left out, because its name is too long or has characters that cannot be printed: change the label with a relabel rule", clip(s.Key))
		}
		c.Refused = uint64(len(s.Samples))
		return c
	}
	if last := s.Samples[len(s.Samples)-1]; s.Info && !isStale(last.Value) && last.Time >= t.last[s.Index] {
		sv.readInfo(t, s, !heard)
	}
	if !heard {
		c.Duplicate = uint64(len(s.Samples))
		return c
	}
	p := fieldWriter{server: sv, subject: t, field: s.Field, whole: whole, full: l.Full, limit: now.Add(l.Ahead).UnixMilli(), now: now}
	for _, x := range s.Samples {
		p.sample(x, &c)
	}
	return c
}

// place stores the labels of an info series of a service. These labels show where the service runs.
// They are accepted from any source, and a scrape is complete without them.
func (sv *server) place(s *Series, most int) {
	t := sv.subject(s, most)
	if last := s.Samples[len(s.Samples)-1]; t != nil && !isStale(last.Value) && last.Time >= t.last[s.Index] {
		t.placing.readLabels(s.Labels)
		t.last[s.Index] = last.Time
	}
}

// fieldWriter writes the samples of one series into scrapes.
type fieldWriter struct {
	server  *server
	subject *subject
	field   Field
	whole   bool
	full    bool
	limit   int64 // latest time that a sample may have, ms
	now     time.Time
}

// oldest is the earliest time that a sample may have, in ms since 1970. Package
// sysstat treats older records as damaged.
const oldest = 1_000_000_000_000

func (p *fieldWriter) sample(x Sample, c *Counts) {
	sv, t, f := p.server, p.subject, p.field.Index
	stale := isStale(x.Value)
	switch {
	case x.Time > p.limit:
		sv.trouble.set(p.now, "samples are left out, because their times are %v in the future: synchronise the clocks with NTP", time.UnixMilli(x.Time).Sub(p.now).Round(time.Second))
		c.Refused++
		return
	case x.Time < oldest, !stale && !p.valid(x.Value):
		sv.trouble.set(p.now, "a sample of %q is left out, because its time (%d ms since 1970) or its value (%g) is not possible for a counter: check the exporter", clip([]byte(t.name)), x.Time, x.Value)
		c.Refused++
		return
	case x.Time <= sv.closed && x.Time <= t.last[f]:
		c.Duplicate++
		return
	case x.Time <= sv.closed:
		c.Late++
		return
	}
	if stale {
		t.endField(f, x.Time)
		c.Kept++
		return
	}
	scrape := sv.scrape(x.Time, p.full)
	if scrape == nil {
		sv.trouble.set(p.now, "samples are left out, because too many scrapes are incomplete at the same time: check which sender sends too many names of servers")
		c.Refused++
		return
	}
	scrape.lastArrival, scrape.whole = p.now.UnixNano(), scrape.whole || p.whole
	cell := scrape.cellsOf(t)
	if cell.filled&(1<<f) != 0 {
		c.Duplicate++
		return
	}
	cell.filled |= 1 << f
	cell.values[f] = x.Value
	if p.field.Info {
		cell.control = t.control
	}
	t.note(f, x.Time)
	c.Kept++
}

// valid reports whether a value is possible. A temperature may be negative. The speed of a link is
// negative if the kernel does not report the speed.
func (p *fieldWriter) valid(v float64) bool {
	signed := p.field.Kind == ofInterface && p.field.Index == nicSpeed || p.field.Kind == ofSensor
	return isCountable(v) || signed && !math.IsNaN(v)
}
