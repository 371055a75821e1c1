package arrays

import "time"

// A LUN answers the requests that come through any of its attachments.
type LUN struct {
	Name        string
	Attachments []*Attachment // the primary first
	share       Share
	service     Service

	rng, faultRNG random
	demand        drift // factor of its share of the clients' requests
	stretch       drift // factor of its service times
	load          []Stream

	Condition Condition // in this interval
}

// Condition has the effects of events on a LUN.
type Condition struct {
	Slow   float64 // factor of the service times
	Stall  Stall
	Hold   Hold
	Extra  [2]Stream // additional requests to this LUN alone
	Remote Flow      // own requests of servers that do not have this LUN
}

// healthy is the condition of a LUN without a fault.
var healthy = Condition{Slow: 1}

// Stall describes errors that the controller retries: the mean time between two errors, and the
// time of a retry. A request that arrives during a retry waits until it is over.
type Stall struct {
	Every, Retry time.Duration // zero: no errors
}

// Hold describes a LUN that answers no requests: the whole length of the hold, and the rest of it
// at the start of the interval.
type Hold struct {
	Wait, Left time.Duration
}

// outstanding is the number of requests that clients have in flight on a LUN before they wait. It
// is the usual queue length of block devices.
const outstanding = 32

// LUNs differ a little in their load and in their speed: permanently (data placement, drives) and
// for minutes (files, caches). No measured values are available; with these values, healthy peers
// differ by about a tenth.
const (
	demandOwn, demandSpread, demandMemory    = 0.02, 0.04, 60
	stretchOwn, stretchSpread, stretchMemory = 0.02, 0.03, 300
)

func newLUN(b *lunBlueprint, name, set string) *LUN {
	share, ok := b.Shares[set]
	if !ok {
		share = Share{Reads: 1, Writes: 1}
	}
	machine := source(b.Seed, "lun "+name)
	return &LUN{
		Name: name, share: share, service: b.Service,
		demand:   newDrift(machine, demandOwn, demandSpread, demandMemory),
		stretch:  newDrift(machine, stretchOwn, stretchSpread, stretchMemory),
		rng:      b.daySource(machine, "lun "+name),
		faultRNG: b.Source("faults of lun " + name), Condition: healthy,
	}
}

// serving returns the attachment that clients use: the attachment of highest priority that is
// present and in use (L13 §3.3.2). It is nil if the LUN cannot be reached.
func (l *LUN) serving() *Attachment {
	for _, a := range l.Attachments {
		if !a.Gone && !a.Unused {
			return a
		}
	}
	return nil
}

// answer serves the clients' requests of an interval of dt seconds, through the attachment that it
// returns. It draws the same random numbers in any condition, so a fault changes nothing else.
func (l *LUN) answer(d demand, dt float64) *Attachment {
	serving := l.serving()
	slow := l.ask(d, dt)
	waitMs := l.service.waitMs(l.load, slow)
	if l.Condition != healthy {
		waitMs = l.serveOthers(serving, d, slow, dt)
	}
	for _, f := range l.load[:len(d.Streams)] {
		n := l.rng.Poisson(f.PerSecond * dt)
		w := requests(l.rng, f, n, slow*l.service.ms(f)+waitMs)
		w.ms += l.Condition.Stall.ms(l.faultRNG, n, dt)
		serving.serve(w)
	}
	return serving
}

// ask sets the load to the requests of the clients, and returns the factor of the service times.
func (l *LUN) ask(d demand, dt float64) (slow float64) {
	l.load = l.load[:0]
	demand, slow := l.demand.Next(l.rng, dt), l.stretch.Next(l.rng, dt)*l.Condition.Slow
	for _, f := range d.Streams {
		f = f.Of(l.share)
		f.PerSecond *= demand * d.Open
		l.load = append(l.load, f)
	}
	return slow
}

// serveOthers serves the requests besides the striped requests of clients, and returns how long the
// striped requests then wait in the queue.
func (l *LUN) serveOthers(serving *Attachment, d demand, slow, dt float64) (waitMs float64) {
	for _, f := range l.Condition.Extra {
		if f.PerSecond > 0 {
			l.load = append(l.load, f)
		}
	}
	waitMs = l.service.waitMs(l.load, slow)
	for _, f := range l.load[len(d.Streams):] {
		n := l.faultRNG.Poisson(f.PerSecond * dt)
		serving.serve(requests(l.faultRNG, f, n, slow*l.service.ms(f)+waitMs))
	}
	if remote := l.Condition.Remote; remote.PerSecond > 0 {
		n := l.faultRNG.Poisson(remote.PerSecond * dt)
		serving.serve(requests(l.faultRNG, Stream{Flow: remote}, n, cachedMs))
	}
	l.release(serving, d, dt)
	return waitMs
}

// release answers the requests that waited for the end of a hold.
func (l *LUN) release(serving *Attachment, d demand, dt float64) {
	h := l.Condition.Hold
	if h.Wait == 0 || h.Left.Seconds() > dt {
		return
	}
	for _, f := range d.Streams {
		f = f.Of(l.share)
		n := min(outstanding/len(d.Streams), l.faultRNG.Poisson(f.PerSecond*h.Wait.Seconds()))
		w := requests(l.faultRNG, f, n, 0)
		w.ms = float64(n) * h.Wait.Seconds() * 1000
		serving.serve(w)
	}
}

// ms returns how long n requests of an interval of dt seconds waited for retries, in total. A
// request that arrives during a retry waits for the rest of the retry.
func (s Stall) ms(rng random, n int, dt float64) float64 {
	if s.Every == 0 || n == 0 {
		return 0
	}
	sum, perSecond, seconds := 0.0, float64(n)/dt, s.Retry.Seconds()
	for range rng.Poisson(dt / s.Every.Seconds()) {
		caught := min(n, 1+rng.Poisson(perSecond*seconds))
		for range caught {
			sum += rng.Float64() * seconds * 1000
		}
	}
	return sum
}
