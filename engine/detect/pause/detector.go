package pause

import (
	"iter"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// Options are the settings of this detector.
type Options struct {
	// UsualPerDay is the number of pauses per day that a healthy server has.
	UsualPerDay float64 `json:"usual_per_day" above:"0"`
}

// DefaultOptions returns the default settings. docs/method.md gives the reasons.
func DefaultOptions() Options { return Options{UsualPerDay: 1} }

// Validate returns an error that names every setting outside its valid range.
func (o *Options) Validate() error { return bounds.Check(*o) }

// TickSeconds is the shortest time between two ticks, in seconds. Pauses that begin in the same
// tick count as one pause.
const TickSeconds = 15

// minuteSeconds is the length of a minute, in seconds. No pause of a healthy server lasts a minute.
const minuteSeconds = 60

// maxPauses is the greatest number of pauses that the detector remembers for a server.
const maxPauses = 300

// Detector finds servers that pause.
type Detector struct {
	opts     Options
	criteria criteria.Options
	places   *blame.Map
	step     int64 // length of a row, in s
	servers  []server
}

// server holds the recent pauses of one server.
type server struct {
	since  int64   // Unix time at which its data begin
	last   int64   // Unix time of the end of its last row
	pauses []pause // pauses of the last BurstSeconds, oldest first
	own    []pause // the server's own pauses, which most other servers did not have at the same time; computed at each tick
	onset  int64   // Unix time at which the present series of own pauses began, even if the first pause of the series is too old to be in own; 0 if own is empty
	judged bool    // the server had data in the last tick
}

// pause is the record of one pause, or of several pauses that began in the same row.
type pause struct {
	began          int64 // Unix time of the end of the row in which the pause began
	last           int64 // Unix time of the end of the last row in which the pause continued
	count          int64
	secondsByCause [table.NumCauses]float64 // total length for each cause, in seconds
}

func (p *pause) seconds() float64 {
	sum := 0.0
	for _, x := range p.secondsByCause {
		sum += x
	}
	return sum
}

// New returns a detector for the rows of a schema.
func New(o Options, c criteria.Options, m *blame.Map, schema table.Schema) *Detector {
	return &Detector{opts: o, criteria: c, places: m, step: schema.StepSeconds, servers: make([]server, len(m.System.Servers))}
}

// Row adds the pauses in the next row to the record of each server.
func (d *Detector) Row(row *table.Row) {
	for s := range row.Gauges {
		if x := &row.Gauges[s]; x.Known {
			d.servers[s].addRow(x, row.End, d.step)
		}
	}
}

func (s *server) addRow(x *table.ServerGauges, end, step int64) {
	if s.since == 0 {
		s.since = end - step
	}
	s.last = end
	if x.Seconds() == 0 {
		return
	}
	if x.PausesBegan > 0 || len(s.pauses) == 0 {
		s.pauses = append(s.pauses, pause{began: end, last: end, count: int64(max(x.PausesBegan, 1))})
	}
	p := &s.pauses[len(s.pauses)-1]
	p.last = end
	for c, seconds := range x.PauseSeconds {
		p.secondsByCause[c] += float64(seconds)
	}
	if n := len(s.pauses) - maxPauses; n > 0 {
		s.pauses = slices.Delete(s.pauses, 0, n)
	}
}

// Tick returns the findings of a tick, the strongest first, and forgets pauses that are older than
// BurstSeconds. The parameter `now` is the present Unix time, and `seconds` is the number of
// seconds since the previous tick.
func (d *Detector) Tick(now, seconds int64) []finding.Finding {
	for i := range d.servers {
		s := &d.servers[i]
		s.judged = s.last > now-max(seconds, d.step)
		old := func(p pause) bool { return p.last <= now-d.criteria.BurstSeconds }
		s.pauses = slices.DeleteFunc(s.pauses, old)
	}
	d.findOwn(now)
	counts := make([]float64, len(d.servers)) // by server: result of server.countPauses
	for i := range d.servers {
		counts[i] = d.servers[i].countPauses()
	}
	var found []finding.Finding
	for i := range d.servers {
		if f, ok := d.finding(i, counts, now, seconds); ok {
			found = append(found, f)
		}
	}
	finding.StrongestFirst(found)
	return found
}

// findOwn sets server.own and server.onset of each server. A pause is not the server's own if more
// than half of all servers paused during at least half of the rows of this pause. In this case the
// pauses of all these servers have one cause, for example a client, a switch or a host of virtual
// machines.
func (d *Detector) findOwn(now int64) {
	pausing := map[int64]int{} // by the end of a row: number of servers that paused in this row
	for i := range d.servers {
		s := &d.servers[i]
		last := int64(0) // end of the last row that was counted: a row that has the end of one pause and the start of the next pause counts once
		for k := range s.pauses {
			for end := range d.rows(&s.pauses[k], now) {
				if end > last {
					pausing[end]++
					last = end
				}
			}
		}
	}
	for i := range d.servers {
		s := &d.servers[i]
		s.own = s.own[:0]
		for k := range s.pauses {
			all, shared := 0, 0
			for end := range d.rows(&s.pauses[k], now) {
				if all++; pausing[end] > 1 && 2*pausing[end] > d.withData(end) {
					shared++
				}
			}
			if 2*shared < all {
				s.own = append(s.own, s.pauses[k])
			}
		}
		if len(s.own) == 0 {
			s.onset = 0
		} else if s.onset == 0 {
			s.onset = s.own[0].began - d.step
		}
	}
}

// withData returns the number of servers that had data in the row that ends at the Unix time `end`.
func (d *Detector) withData(end int64) (n int) {
	for i := range d.servers {
		if s := &d.servers[i]; s.since < end && end <= s.last {
			n++
		}
	}
	return n
}

// rows yields the Unix time of the end of each row of a pause. It skips rows that are more than
// BurstSeconds old.
func (d *Detector) rows(p *pause, now int64) iter.Seq[int64] {
	skipped := max(0, (now-d.criteria.BurstSeconds-p.began)/d.step)
	return func(yield func(end int64) bool) {
		for end := p.began + skipped*d.step; end <= p.last && yield(end); end += d.step {
		}
	}
}

// countPauses counts the server's own pauses (findOwn). Pauses that began in the same tick count as
// one pause, because they have one cause. For example, a disk that hangs for ten seconds may
// complete a request now and then. Then one hang looks like several pauses. Each whole minute of a
// pause counts as one more pause, because a healthy server never pauses for a minute.
func (s *server) countPauses() float64 {
	n, last := 0.0, int64(0)
	for i := range s.own {
		p := &s.own[i]
		if at := p.began / TickSeconds; at != last {
			n, last = n+1, at
		}
		n += math.Floor(p.seconds() / minuteSeconds)
	}
	return n
}

// finding returns the finding about a server. It returns false if the server pauses no more often
// than a healthy server, or if its series of pauses has ended.
func (d *Detector) finding(i int, counts []float64, now, seconds int64) (f finding.Finding, ok bool) {
	s := &d.servers[i]
	if !s.judged || len(s.own) == 0 {
		return f, false
	}
	window := float64(min(d.criteria.BurstSeconds, s.last-s.since))
	first, last := s.own[0].began, s.own[len(s.own)-1].last
	between := float64(last-first) / max(counts[i]-1, 1)
	if float64(now-last) > float64(seconds)+d.criteria.LargeTimes*between {
		return f, false // the series has ended: the time since the last pause is much longer than the usual time between pauses of this server
	}
	peers := d.medianOfOthers(i, counts)
	nats := rarity(counts[i], max(d.opts.UsualPerDay/86400*float64(d.criteria.BurstSeconds), peers))
	suspect, incident := d.criteria.Evidence(len(d.servers), max(TickSeconds, d.step))
	component := d.representative(i)
	if nats < suspect || component < 0 {
		return f, false
	}
	f = finding.Finding{
		Class: finding.Pause, Kind: finding.Pauses, Place: blame.Place{Tier: blame.Server, Name: d.places.System.Servers[i]},
		Onset: d.onset(s), Nats: nats, Sure: nats >= incident, Certain: nats >= incident, Amount: nats / incident, Judged: 1,
		Evidence: d.evidence(s, component, peers, nats, incident, window, now),
	}
	f.Members = []finding.Member{{
		Component: component, Role: finding.AtFault, Odd: true, Windows: int(counts[i]), Worst: nats / incident, Own: counts[i], Peers: peers, Since: f.Onset.At,
	}}
	return f, true
}

// onset returns the time at which the present series of the server's own pauses (findOwn) began.
func (d *Detector) onset(s *server) finding.Onset {
	if s.onset <= s.since {
		return finding.OnsetBefore(s.since)
	}
	return finding.Onset{At: s.onset, Early: s.onset - d.step, Late: s.onset + d.step}
}

// medianOfOthers returns the median number of pauses of the other servers. It returns 0 if there
// are no other servers.
func (d *Detector) medianOfOthers(i int, counts []float64) float64 {
	var others []float64
	for j := range d.servers {
		if j != i && d.servers[j].judged {
			others = append(others, counts[j])
		}
	}
	if len(others) == 0 {
		return 0
	}
	return quantile.Median(others)
}

// representative returns the component that represents a server in a finding: its host, or the
// first component of the server. It returns -1 if the server has no component.
func (d *Detector) representative(server int) int {
	at := -1
	for c, of := range d.places.ServerOf {
		if of != server {
			continue
		}
		if d.places.Component(c).Kind == topology.Host {
			return c
		}
		if at < 0 {
			at = c
		}
	}
	return at
}

// evidence returns measurements of the server's own pauses: their number, their mean length, the
// greatest length, and for each cause the sum of their lengths. The cause with the greatest sum is
// first.
func (d *Detector) evidence(s *server, c int, peers, nats, incident, window float64, now int64) []finding.Evidence {
	total, worst, all := 0.0, 0.0, int64(0)
	var by [table.NumCauses]float64
	for i := range s.own {
		p := &s.own[i]
		total += p.seconds()
		all += p.count
		worst = max(worst, p.seconds()/float64(p.count))
		for cause, x := range p.secondsByCause {
			by[cause] += x
		}
	}
	from := s.own[0].began - d.step
	entry := func(name, unit string, own, peers float64) finding.Evidence {
		return finding.Evidence{Metric: name, Component: c, Unit: unit, Own: own, Peers: peers, From: from, To: now}
	}
	pauses := entry(finding.PauseCount, "", float64(all), peers)
	pauses.Decides, pauses.Score, pauses.Threshold, pauses.Scale = true, nats, incident, finding.EvidenceUnits
	list := []finding.Evidence{
		pauses, entry(finding.PauseWindow, "s", window, table.Missing),
		entry(finding.PauseLength, "s", total/float64(max(all, 1)), table.Missing), entry(finding.PauseWorst, "s", worst, table.Missing),
	}
	causes := make([]table.Cause, 0, table.NumCauses)
	for cause := range table.NumCauses {
		if by[cause] > 0 {
			causes = append(causes, cause)
		}
	}
	slices.SortStableFunc(causes, func(a, b table.Cause) int { return int(math.Copysign(1, by[b]-by[a])) })
	for _, cause := range causes {
		list = append(list, entry(finding.PauseMeasurement(cause), "s", by[cause], table.Missing))
	}
	return list
}

// rarity returns −ln p, where p is the probability that a Poisson variable with the given mean is n
// or more.
func rarity(n, mean float64) float64 {
	if n <= 0 {
		return 0
	}
	// If n is above the mean, the first term of the sum is the largest. The other terms are summed
	// as multiples of the first term.
	gamma, _ := math.Lgamma(n + 1)
	first := n*math.Log(mean) - mean - gamma
	sum, term := 0.0, 1.0
	for k := n; term > 1e-12*sum && k < n+1e4; k++ {
		sum += term
		term *= mean / (k + 1)
	}
	return max(0, -(first + math.Log(sum)))
}

// Judged reports whether a server had data in the last tick.
func (d *Detector) Judged(server int) bool { return d.servers[server].judged }

// Forget drops the pauses of a server.
func (d *Detector) Forget(server int) {
	d.servers[server].pauses, d.servers[server].own, d.servers[server].onset = nil, nil, 0
}

// State writes or reads the recent pauses of all servers.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Servers, d.servers, func(c *state.Codec, s *server) {
		state.Int(c, &s.since)
		state.Int(c, &s.last)
		state.Int(c, &s.onset)
		c.Bool(&s.judged)
		state.List(c, &s.pauses, func(c *state.Codec, p *pause) {
			state.Int(c, &p.began)
			state.Int(c, &p.last)
			state.Int(c, &p.count)
			for cause := range p.secondsByCause {
				c.Float(&p.secondsByCause[cause])
			}
		})
	})
}
