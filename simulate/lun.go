package simulate

import (
	"math/rand/v2"
	"time"
)

// A lun answers requests, whichever of its attachments they come through.
type lun struct {
	name        string
	attachments []*attachment // the primary first
	share       Share
	service     Service

	rng, faultRNG *rand.Rand
	demand        drift // of its share of what clients ask
	stretch       drift // of its service times
	load          []flow

	condition condition // in this interval
}

// condition is what faults have made of a LUN.
type condition struct {
	slow  float64 // service times are so many times longer
	stall stall
}

// healthy is the condition of a LUN that nothing is wrong with.
var healthy = condition{slow: 1}

// stall is errors that the controller overcomes by retrying: one about every
// so often, and what arrives in the meantime waits until it is over.
type stall struct {
	every, retry time.Duration // none where zero
}

// LUNs differ a little in how much they get and in how fast they are, for
// ever (data placement, drives) and for minutes (files, caches). No measured
// values are at hand; these keep healthy peers within about a tenth.
const (
	demandOwn, demandSpread, demandMemory    = 0.02, 0.04, 60
	stretchOwn, stretchSpread, stretchMemory = 0.02, 0.03, 300
)

func newLUN(s *Scenario, name, set string) *lun {
	share, ok := s.Shares[set]
	if !ok {
		share = Share{Reads: 1, Writes: 1}
	}
	rng := source(s.Seed, "lun "+name)
	return &lun{
		name: name, share: share, service: s.Service,
		rng: rng, faultRNG: source(s.Seed, "faults of lun "+name),
		demand:  newDrift(rng, demandOwn, demandSpread, demandMemory),
		stretch: newDrift(rng, stretchOwn, stretchSpread, stretchMemory),
	}
}

// serving is the attachment that clients use: the one of highest priority
// that is there (L13 §3.3.2). It is nil where the LUN cannot be reached.
func (l *lun) serving() *attachment {
	for _, a := range l.attachments {
		if !a.gone {
			return a
		}
	}
	return nil
}

// answer serves the clients' requests of an interval of dt seconds. It draws
// the same numbers in any condition, so that a fault changes nothing else.
func (l *lun) answer(flows []flow, dt float64) {
	l.load = l.load[:0]
	demand, slow := l.demand.next(l.rng, dt), l.stretch.next(l.rng, dt)*l.condition.slow
	for _, f := range flows {
		f = f.of(l.share)
		f.PerSecond *= demand
		l.load = append(l.load, f)
	}
	waitMs := l.service.waitMs(l.load, slow)
	serving := l.serving()
	for _, f := range l.load {
		n := poisson(l.rng, f.PerSecond*dt)
		w := requests(l.rng, f, n, slow*l.service.ms(f)+waitMs)
		w.ms += l.condition.stall.ms(l.faultRNG, n, dt)
		if serving != nil {
			serving.serve(w)
		}
	}
}

// ms is how long n requests of an interval of dt seconds waited for errors
// to be overcome. Those that arrive during a retry wait for the rest of it.
func (s stall) ms(rng *rand.Rand, n int, dt float64) float64 {
	if s.every == 0 || n == 0 {
		return 0
	}
	sum, perSecond, seconds := 0.0, float64(n)/dt, s.retry.Seconds()
	for range poisson(rng, dt/s.every.Seconds()) {
		caught := min(n, 1+poisson(rng, perSecond*seconds))
		for range caught {
			sum += rng.Float64() * seconds * 1000
		}
	}
	return sum
}
