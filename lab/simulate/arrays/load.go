package arrays

import (
	"math"
	"time"
)

// A Job reads and writes for some time. A job with a Pause works in bursts, like programs that
// compute and then save their results.
type Job struct {
	Name          string
	From, To      time.Time
	Reads, Writes Flow
	Burst, Pause  time.Duration
}

func (j *Job) lasts() Span { return Span{From: j.From, To: j.To} }

// active reports whether the job does I/O at t.
func (j *Job) active(t time.Time) bool {
	if t.Before(j.From) || !t.Before(j.To) {
		return false
	}
	return j.Pause == 0 || t.Sub(j.From)%(j.Burst+j.Pause) < j.Burst
}

// schedule draws jobs of the given kinds, as on a system with many users: the jobs begin
// independently of each other, and each is smaller or larger than its kind.
func schedule(rng random, kinds []Job, start, end time.Time, every, shortest, mean time.Duration) []Job {
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

// load computes the demand of the jobs on a LUN, interval by interval.
type load struct {
	scenario *Scenario
	rng      random
	jobs     agenda[*running]
	flows    []Stream
	scratch  []Stream
	limiting agenda[Event] // events that slow all clients: SlowLUN and BusyLUN
	held     agenda[Event] // events that stop all clients: LUNResets
}

// running is a job with its pace, which varies.
type running struct {
	*Job
	pace drift
}

// Jobs change their pace by about a fifth, within about a minute.
const (
	paceSpread = 0.2
	paceMemory = 60
)

func newLoad(s *Scenario) *load {
	l := &load{scenario: s, rng: s.source("load")}
	var jobs []*running
	for i := range s.Jobs {
		jobs = append(jobs, &running{&s.Jobs[i], newDrift(l.rng, 0, paceSpread, paceMemory)})
	}
	l.jobs = newAgenda(jobs)
	var limiting, held []Event
	for _, e := range s.Events {
		switch e.Mechanism.(type) {
		case SlowLUN, BusyLUN:
			limiting = append(limiting, e)
		case LUNResets:
			held = append(held, e)
		}
	}
	l.limiting, l.held = newAgenda(limiting), newAgenda(held)
	return l
}

// next returns the load of the interval of dt seconds from t, valid until the next call.
func (l *load) next(t time.Time, dt float64) demand {
	l.flows = l.flows[:0]
	end := t.Add(times(time.Second, dt))
	for _, job := range l.during(t, end) {
		pace := job.pace.Next(l.rng, dt)
		if !job.active(t) {
			continue
		}
		for _, f := range []Stream{{Flow: job.Reads}, {Flow: job.Writes, Write: true}} {
			if f.PerSecond > 0 {
				f.PerSecond *= pace
				l.add(f)
			}
		}
	}
	l.throttle(l.limit(t, end))
	return demand{Streams: l.flows, Open: l.open(t, end)}
}

// during returns the jobs whose pace is drawn for the interval. In an open scenario these are all
// jobs, running or not.
func (l *load) during(t, end time.Time) []*running {
	if l.scenario.Closed {
		return l.jobs.during(t, end)
	}
	return l.jobs.all
}

// add adds a flow. In a closed scenario, flows with the same size and direction become one flow.
func (l *load) add(f Stream) {
	if l.scenario.Closed {
		for i := range l.flows {
			if same := &l.flows[i]; same.Write == f.Write && same.KiB == f.KiB {
				same.PerSecond += f.PerSecond
				return
			}
		}
	}
	l.flows = append(l.flows, f)
}

// limit returns the highest utilisation of healthy LUNs by clients. In a closed scenario, clients
// wait for the slowest LUN: they reach the limit when this LUN is at the scenario's Busiest.
func (l *load) limit(t, end time.Time) float64 {
	limit := l.scenario.Busiest
	if !l.scenario.Closed {
		return limit
	}
	for _, e := range l.limiting.during(t, end) {
		switch m := e.Mechanism.(type) {
		case SlowLUN:
			limit = min(limit, l.scenario.Busiest/m.Factor)
		case BusyLUN:
			limit = min(limit, l.scenario.Busiest-l.scenario.Service.Utilisation(m.streams()))
		}
	}
	return max(limit, leastLimit)
}

// leastLimit is the utilisation of healthy LUNs that clients reach even if another LUN is very
// slow: not all of their requests are striped.
const leastLimit = 0.1

// open returns the share of an interval in which no LUN is held.
func (l *load) open(t, end time.Time) float64 {
	whole := end.Sub(t).Seconds()
	open := whole
	for _, e := range l.held.during(t, end) {
		until := e.From.Add(e.Mechanism.(LUNResets).longest())
		open -= max(0, earlier(until, end).Sub(later(e.From, t)).Seconds())
	}
	return max(0, open) / whole
}

// throttle reduces the load so that no healthy LUN of any set is busier than the limit.
func (l *load) throttle(limit float64) {
	busiest := l.scenario.Service.Utilisation(l.flows)
	for _, share := range l.scenario.Shares {
		l.scratch = l.scratch[:0]
		for _, f := range l.flows {
			l.scratch = append(l.scratch, f.Of(share))
		}
		busiest = max(busiest, l.scenario.Service.Utilisation(l.scratch))
	}
	if busiest > limit {
		for i := range l.flows {
			l.flows[i].PerSecond *= limit / busiest
		}
	}
}
