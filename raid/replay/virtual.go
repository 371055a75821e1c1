package replay

import (
	"context"
	"time"

	"github.com/limpet-storage/limpet/raid/delay"
	"github.com/limpet-storage/limpet/raid/policy"
	"github.com/limpet-storage/limpet/raid/trace"
)

// A simulation serves requests from simulated members. Each member serves one
// read at a time, in the order in which they were asked, and none is taken
// back: what a request no longer waits for keeps its member busy, as it does on
// real drives.
type simulation struct {
	layout  Layout
	policy  *policy.Policy
	model   model
	delay   *delay.Distribution
	seed    uint64
	now     time.Duration
	events  events
	members []member
	feed    feed
	run     *Run
}

// A feed is a trace and how it is fed to the array.
type feed struct {
	records []trace.Record
	next    int
	depth   int // how many requests are kept going, 0: as many as times say
	speed   float64
}

// A member has a queue and, where it is a disk, an arm.
type member struct {
	queue  []*request
	served int // of the queue
	busy   bool
	arm    int64
}

// next takes a request from the queue.
func (m *member) next() *request {
	if m.served == len(m.queue) {
		return nil
	}
	r := m.queue[m.served]
	if m.served++; m.served == len(m.queue) {
		m.queue, m.served = m.queue[:0], 0
	}
	return r
}

// A request is a read or a write of the array.
type request struct {
	extent
	index   int
	at      time.Duration
	write   bool
	r       *policy.Request // of a read
	wake    time.Duration   // when it wants to be woken
	over    bool
	waiting int // of a write: members that have not answered
}

// breath is after how many events a simulation looks whether it is wanted.
const breath = 1 << 14

// play replays the trace, unless ctx ends before.
func (s *simulation) play(ctx context.Context) error {
	for range max(s.feed.depth, 1) {
		s.arrive()
	}
	for e, ok := s.events.pop(); ok; e, ok = s.events.pop() {
		if s.events.pushed%breath == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.now = e.at
		switch e.what {
		case arrival:
			if s.feed.depth == 0 {
				s.arrive()
			}
			s.begin(e.r)
		case answer:
			s.answer(e.r, e.from)
		case wake:
			if !e.r.over && e.r.wake == e.at {
				s.do(e.r, e.r.r.Wake(s.now))
			}
		}
	}
	return ctx.Err()
}

// arrive lets the next request of the trace begin.
func (s *simulation) arrive() {
	f := &s.feed
	if f.next == len(f.records) {
		return
	}
	rec := &f.records[f.next]
	at := s.now
	if f.depth == 0 {
		at = time.Duration(float64(rec.At) / f.speed)
	}
	r := &request{extent: s.layout.extent(rec.Offset, rec.Length), index: f.next, write: rec.Write}
	s.events.push(event{at: at, what: arrival, r: r})
	f.next++
}

func (s *simulation) begin(r *request) {
	r.at = s.now
	if r.write {
		s.beginWrite(r)
		return
	}
	var do policy.Do
	r.r, do = s.policy.Begin(s.now, r.want, nil, int(r.bytes))
	s.do(r, do)
}

// beginWrite asks all members that have a part in a write, whatever their
// speed: those with the data and all with parity.
func (s *simulation) beginWrite(r *request) {
	r.waiting = len(r.want) + s.layout.Parity
	for _, m := range r.want {
		s.ask(r, m)
	}
	for m := s.layout.Data; m < s.layout.members(); m++ {
		s.ask(r, m)
	}
}

// do does what a policy says.
func (s *simulation) do(r *request, do policy.Do) {
	for _, m := range do.Read {
		s.ask(r, m)
	}
	if r.wake = do.WakeAt; r.wake > 0 {
		s.events.push(event{at: max(r.wake, s.now), what: wake, r: r})
		r.wake = max(r.wake, s.now)
	}
	if do.Done || do.Fail {
		r.r.Release()
		s.end(r, do.Fail)
	}
}

func (s *simulation) end(r *request, failed bool) {
	r.over = true
	if !r.write && !failed {
		s.run.note(r.index, s.now-r.at)
	}
	if s.feed.depth > 0 {
		s.arrive()
	}
}

func (s *simulation) ask(r *request, index int) {
	m := &s.members[index]
	m.queue = append(m.queue, r)
	if !m.busy {
		s.serve(index)
	}
}

// serve takes the next of a member's queue.
func (s *simulation) serve(index int) {
	m := &s.members[index]
	r := m.next()
	if m.busy = r != nil; !m.busy {
		return
	}
	s.events.push(event{at: s.now + s.service(r, index), what: answer, r: r, from: index})
	m.arm = r.offset + r.bytes
}

// service is how long a member is busy with a request. A write of a part of a
// stripe reads before it writes, a revolution or so apart.
func (s *simulation) service(r *request, index int) time.Duration {
	u, v := draws(s.seed, index, r.index)
	t := s.model.service(u, v, s.members[index].arm, r.offset, r.bytes)
	if r.write && len(r.want) < s.layout.Data {
		t *= 2
	}
	return max(scaled(t, s.delay.Factor(index, uint64(r.index), s.now)), 1)
}

func (s *simulation) answer(r *request, index int) {
	s.serve(index)
	if !r.write {
		s.do(r, r.r.Answer(s.now, index, false))
		return
	}
	if r.waiting--; r.waiting == 0 {
		s.end(r, false)
	}
}
