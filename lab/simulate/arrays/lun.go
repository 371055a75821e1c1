package arrays

import "time"

// A LUN answers requests, whichever of its attachments they come through.
type LUN struct {
	Name        string
	Attachments []*Attachment // the primary first
	share       Share
	service     Service

	rng, faultRNG dice
	demand        drift // of its share of what clients ask
	stretch       drift // of its service times
	load          []Stream

	Condition Condition // in this interval
}

// Condition is what events have made of a LUN.
type Condition struct {
	Slow   float64 // service times are so many times longer
	Stall  Stall
	Hold   Hold
	Extra  [2]Stream // asked of this LUN alone
	Remote Flow      // that servers which do not have it ask for themselves
}

// healthy is the condition of a LUN that nothing is wrong with.
var healthy = Condition{Slow: 1}

// Stall is errors that the controller overcomes by retrying: one about every
// so often, and what arrives in the meantime waits until it is over.
type Stall struct {
	Every, Retry time.Duration // none where zero
}

// Hold is a LUN that answers nothing: what was asked has to wait for so long
// altogether, and so long from the interval's begin.
type Hold struct {
	Wait, Left time.Duration
}

// outstanding is how many requests clients have under way on a LUN before they
// wait: what block devices queue.
const outstanding = 32

// LUNs differ a little in how much they get and in how fast they are, for
// ever (data placement, drives) and for minutes (files, caches). No measured
// values are at hand; these keep healthy peers within about a tenth.
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
		rng:      b.hereafter(machine, "lun "+name),
		faultRNG: b.Source("faults of lun " + name), Condition: healthy,
	}
}

// serving is the attachment that clients use: the one of highest priority
// that is there (L13 §3.3.2). It is nil where the LUN cannot be reached.
func (l *LUN) serving() *Attachment {
	for _, a := range l.Attachments {
		if !a.Gone && !a.Unused {
			return a
		}
	}
	return nil
}

// answer serves the clients' requests of an interval of dt seconds, through
// the attachment that it returns. It draws the same numbers in any condition,
// so that a fault changes nothing else.
func (l *LUN) answer(d demand, dt float64) *Attachment {
	serving := l.serving()
	slow := l.ask(d, dt)
	waitMs := l.service.waitMs(l.load, slow)
	if l.Condition != healthy {
		waitMs = l.unwell(serving, d, slow, dt)
	}
	for _, f := range l.load[:len(d.Streams)] {
		n := l.rng.Poisson(f.PerSecond * dt)
		w := requests(l.rng, f, n, slow*l.service.ms(f)+waitMs)
		w.ms += l.Condition.Stall.ms(l.faultRNG, n, dt)
		serving.serve(w)
	}
	return serving
}

// ask sets the load to what comes of the clients, and returns how slow the LUN
// is.
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

// unwell serves what there is beside clients' striped requests, and returns
// how long those have to queue then.
func (l *LUN) unwell(serving *Attachment, d demand, slow, dt float64) (waitMs float64) {
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

// release answers what waited for the end of a hold.
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

// ms is how long n requests of an interval of dt seconds waited for errors
// to be overcome. Those that arrive during a retry wait for the rest of it.
func (s Stall) ms(rng dice, n int, dt float64) float64 {
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
