package simulate

import (
	"math"
	"math/rand/v2"
	"time"
)

// A Flow is requests of one kind, as each LUN gets them of a file that is
// striped over all.
type Flow struct {
	PerSecond float64
	KiB       float64 // of a request
}

// A Job reads and writes from some time to another. One with a Pause works in
// bursts, as programs do that compute and then save what they have.
type Job struct {
	Name          string
	From, To      time.Time
	Reads, Writes Flow
	Burst, Pause  time.Duration
}

// active reports whether the job does I/O at t.
func (j *Job) active(t time.Time) bool {
	if t.Before(j.From) || !t.Before(j.To) {
		return false
	}
	return j.Pause == 0 || t.Sub(j.From)%(j.Burst+j.Pause) < j.Burst
}

// flow is a Flow with its direction.
type flow struct {
	Flow
	write bool
}

// of is the part of the flow that a LUN with this share gets.
func (f flow) of(s Share) flow {
	if f.write {
		f.PerSecond *= s.Writes
	} else {
		f.PerSecond *= s.Reads
	}
	return f
}

// schedule draws jobs of the kinds given, as they come to a system that many
// use: independently of each other, each smaller or larger than its kind.
func schedule(rng *rand.Rand, kinds []Job, start, end time.Time, every, shortest, mean time.Duration) []Job {
	var jobs []Job
	for at := start; at.Before(end); at = at.Add(times(every, rng.ExpFloat64())) {
		job := kinds[rng.IntN(len(kinds))]
		size := math.Exp(0.4 * rng.NormFloat64())
		job.Reads.PerSecond *= size
		job.Writes.PerSecond *= size
		job.From = at
		job.To = at.Add(shortest + times(mean-shortest, rng.ExpFloat64()))
		jobs = append(jobs, job)
	}
	return jobs
}

func times(d time.Duration, factor float64) time.Duration {
	return time.Duration(float64(d) * factor)
}

// load is what the jobs ask of a LUN, interval by interval.
type load struct {
	scenario *Scenario
	rng      *rand.Rand
	paces    []drift // by job: programs do not ask steadily
	flows    []flow
	scratch  []flow
}

// Jobs change their pace by about a fifth, within about a minute.
const (
	paceSpread = 0.2
	paceMemory = 60
)

func newLoad(s *Scenario) *load {
	l := &load{scenario: s, rng: source(s.Seed, "load")}
	for range s.Jobs {
		l.paces = append(l.paces, newDrift(l.rng, 0, paceSpread, paceMemory))
	}
	return l
}

// next is the load of the interval of dt seconds from t, valid until the
// next call.
func (l *load) next(t time.Time, dt float64) []flow {
	l.flows = l.flows[:0]
	for i := range l.scenario.Jobs {
		pace := l.paces[i].next(l.rng, dt)
		job := &l.scenario.Jobs[i]
		if !job.active(t) {
			continue
		}
		for _, f := range []flow{{job.Reads, false}, {job.Writes, true}} {
			if f.PerSecond > 0 {
				f.PerSecond *= pace
				l.flows = append(l.flows, f)
			}
		}
	}
	l.throttle()
	return l.flows
}

// saturated is how busy clients can make a healthy LUN: with everything
// striped, they wait for the slowest of many.
const saturated = 0.5

// throttle takes back what would make a LUN of any set busier than that.
func (l *load) throttle() {
	busiest := l.scenario.Service.utilisation(l.flows)
	for _, share := range l.scenario.Shares {
		l.scratch = l.scratch[:0]
		for _, f := range l.flows {
			l.scratch = append(l.scratch, f.of(share))
		}
		busiest = max(busiest, l.scenario.Service.utilisation(l.scratch))
	}
	if busiest > saturated {
		for i := range l.flows {
			l.flows[i].PerSecond *= saturated / busiest
		}
	}
}
