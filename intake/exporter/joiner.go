package exporter

import (
	"math"
	"slices"
	"strings"
	"time"
)

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

// A Joiner joins samples into readings. It is for one goroutine at a time.
type Joiner struct {
	o       Options
	byLabel map[string]*server
	byName  map[string]*server
	touched []*server
	reading Reading            // in use again and again
	files   map[string]*server // by their name in files
	trouble trouble            // of samples that no server can be found for
}

// New makes a Joiner.
func New(o Options) (*Joiner, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return &Joiner{o: o, byLabel: map[string]*server{}, byName: map[string]*server{}, files: map[string]*server{}}, nil
}

// Take takes the samples of a batch that a sender, or the endpoint of that
// name, told now.
func (j *Joiner) Take(b *Batch, sender string, now time.Time) Counts {
	sum := Counts{Unused: uint64(b.Unused)}
	for i := range b.series {
		c := j.takeSeries(b, &b.series[i], sender, now)
		sum.Add(c)
	}
	return sum
}

func (j *Joiner) takeSeries(b *Batch, s *series, sender string, now time.Time) (c Counts) {
	samples := b.samples[s.first:s.end]
	if len(samples) == 0 {
		return c
	}
	srv := j.server(s.server, now)
	if srv == nil {
		c.Refused = uint64(len(samples))
		return c
	}
	defer func() { srv.counts.Add(c) }()
	j.touch(srv)
	heard := srv.hears(origin{sender, s.origin}, s, samples[len(samples)-1].Time, now)
	t := srv.thing(s, j.o.MaxThings)
	if t == nil {
		srv.trouble.say(now, "there is no room for %q, or it is no name: it is left out", clip(s.key))
		c.Refused = uint64(len(samples))
		return c
	}
	if s.info {
		srv.learn(t, s, b.labels[s.told[0]:s.told[1]], !heard)
	}
	if !heard {
		c.Duplicate = uint64(len(samples))
		return c
	}
	p := put{server: srv, thing: t, series: s, batch: b, limit: now.Add(j.o.Ahead).UnixMilli(), now: now}
	for _, x := range samples {
		p.sample(x, &c)
	}
	return c
}

func (j *Joiner) touch(s *server) {
	if !s.touched {
		s.touched = true
		j.touched = append(j.touched, s)
	}
}

// put puts samples of one series in their places.
type put struct {
	server *server
	thing  *thing
	series *series
	batch  *Batch
	limit  int64
	now    time.Time
}

// oldest: sysstat takes what is older for damage.
const oldest = 1_000_000_000_000

func (p *put) sample(x Sample, c *Counts) {
	s, t, f := p.server, p.thing, p.series.index
	stale := isStale(x.Value)
	switch {
	case x.Time > p.limit:
		s.trouble.say(p.now, "samples are %v ahead of our clock and are left out: keep the clocks together (NTP)", time.UnixMilli(x.Time).Sub(p.now).Round(time.Second))
		c.Refused++
		return
	case x.Time < oldest, !stale && !p.valid(x.Value):
		c.Refused++
		return
	case x.Time <= s.closed && x.Time <= t.last[f]:
		c.Duplicate++
		return
	case x.Time <= s.closed:
		c.Late++
		return
	}
	if stale {
		p.ended(x.Time)
		c.Kept++
		return
	}
	scrape := s.scrape(x.Time)
	scrape.heard, scrape.whole = p.now.UnixNano(), scrape.whole || p.batch.Whole
	cell := scrape.of(t)
	if cell.have&(1<<f) != 0 {
		c.Duplicate++
		return
	}
	cell.have |= 1 << f
	cell.values[f] = x.Value
	cell.told = t.control
	t.note(f, x.Time)
	c.Kept++
}

// valid says whether a value is one. The speed of a link that the kernel does
// not know is below zero.
func (p *put) valid(v float64) bool {
	return countable(v) || p.series.kind == ofInterface && p.series.index == nicSpeed && !math.IsNaN(v)
}

// ended notes that a series has none but this at a time. Of series that tell
// by their labels, another may have begun at once.
func (p *put) ended(time int64) {
	t, f := p.thing, p.series.index
	if time <= t.last[f] {
		return
	}
	t.last[f] = time
	t.live &^= 1 << f
	t.had &^= 1 << f
}

// server is the machine that a label names, nil where it cannot be.
func (j *Joiner) server(label []byte, now time.Time) *server {
	if s := j.byLabel[string(label)]; s != nil {
		return s
	}
	name := hostOf(string(label))
	if err := CheckName(name); err != nil {
		j.trouble.say(now, "%v", err)
		return nil
	}
	s := j.byName[name]
	if s == nil {
		if len(j.byName) >= j.o.MaxServers {
			j.trouble.say(now, "there are more than %d servers, and %q is left out: raise the bound, or see who sends so many names", j.o.MaxServers, name)
			return nil
		}
		s = newServer(name)
		j.byName[name] = s
	}
	if len(j.byLabel) < 4*j.o.MaxServers { // ports may change
		j.byLabel[string(label)] = s
	}
	return s
}

// Flush gives out the scrapes that are complete. Where all is set it looks at
// every machine, for scrapes whose rest does not come. It goes on after an
// error and returns the first.
func (j *Joiner) Flush(files Files, now time.Time, all bool) error {
	list := j.touched
	if all {
		list = j.sorted()
	}
	var first error
	for _, s := range list {
		s.touched = false
		if err := j.flush(s, files, now); err != nil && first == nil {
			first = err
		}
	}
	j.touched = j.touched[:0]
	return first
}

func (j *Joiner) flush(s *server, files Files, now time.Time) error {
	for len(s.pending) > 0 && j.ready(s, s.pending[0], now) {
		if err := j.close(s, files, now); err != nil {
			s.failed = true
			return err
		}
		s.failed = false
	}
	s.sweep()
	return nil
}

// ready says whether a scrape is to be closed.
func (j *Joiner) ready(s *server, p *scrape, now time.Time) bool {
	switch {
	case s.failed, p.whole, len(s.pending) > j.o.MaxPending:
		return true
	case now.UnixNano()-p.heard >= j.o.Wait.Nanoseconds():
		return true
	}
	return s.learnt && !slices.ContainsFunc(s.things, func(t *thing) bool { return t != nil && !t.reached(p.time) })
}

// sorted are the machines by name.
func (j *Joiner) sorted() []*server {
	list := make([]*server, 0, len(j.byName))
	for _, s := range j.byName {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *server) int { return strings.Compare(a.name, b.name) })
	return list
}
