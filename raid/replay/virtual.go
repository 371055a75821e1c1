package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/policy"
)

// A simulation serves requests from simulated members. Each member serves one read at a time, in
// the order of arrival. No read is cancelled: a read that its request no longer waits for keeps its
// member busy, as on real drives.
type simulation struct {
	layout  Layout
	policy  *policy.Policy
	model   model
	delay   *Distribution
	seed    uint64
	now     time.Duration
	events  events
	members []simulated
	feed    feed
	flying  int // requests in flight
	most    int // largest number of requests in flight
	run     *Run
}

// A feed is a trace, and the way in which its requests arrive.
type feed struct {
	records []Record
	next    int
	depth   int // number of requests in flight; 0: requests arrive at their times
	speed   float64
}

// A simulated member has a queue and, if it is a disk, an arm.
type simulated struct {
	queue  []*part
	served int // number of parts of the queue that were served
	busy   bool
	arm    int64
}

// next takes a part from the queue; nil: the queue is empty.
func (m *simulated) next() *part {
	if m.served == len(m.queue) {
		return nil
	}
	p := m.queue[m.served]
	if m.served++; 2*m.served >= len(m.queue) { // the queue may never become empty, so drop served parts
		m.queue, m.served = m.queue[:copy(m.queue, m.queue[m.served:])], 0
	}
	return p
}

// A request is a read or a write of the array.
type request struct {
	index   int
	at      time.Duration
	write   bool
	steps   [][]raid.Extent // steps that have not begun
	begun   int             // number of parts that have begun
	waiting int             // parts of this step that have not answered; for a write, members
	failed  bool
}

// A part of a request is one request to the policy.
type part struct {
	extent
	*request
	draw int             // number that selects the random draws; for the first part, the index of the request
	r    *policy.Request // for a read
	wake time.Duration   // time of the next wake
	over bool
}

// breath is the number of events after which a simulation checks whether ctx has ended.
const breath = 1 << 14

// play replays the trace until its end, or until ctx ends.
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
			if s.flying++; s.flying > s.most {
				return fmt.Errorf("%w: %d requests are in progress at the same time, because the drives are too slow for this trace", ErrMemory, s.flying)
			}
			s.begin(e.r)
		case answer:
			s.answer(e.p, e.from)
		case wake:
			if !e.p.over && e.p.wake == e.at {
				s.do(e.p, e.p.r.Wake(s.now))
			}
		}
	}
	return ctx.Err()
}

// arrive schedules the arrival of the next request of the trace.
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
	r := &request{index: f.next, write: rec.Write}
	if all := (raid.Extent{Off: rec.Offset, Len: rec.Length}); rec.Write {
		r.steps = [][]raid.Extent{{all}}
	} else {
		r.steps = s.layout.steps(all)
	}
	s.events.push(event{at: at, what: arrival, r: r})
	f.next++
}

func (s *simulation) begin(r *request) {
	r.at = s.now
	if r.write {
		s.beginWrite(s.part(r, r.steps[0][0]))
		return
	}
	s.step(r)
}

// part returns the next part of a request, for an extent.
func (s *simulation) part(r *request, e raid.Extent) *part {
	p := &part{extent: s.layout.extent(e), request: r, draw: r.index + r.begun*len(s.feed.records)}
	r.begun++
	return p
}

// step begins the next step of a read, with all its parts at once. After the last step it ends the
// read.
func (s *simulation) step(r *request) {
	if len(r.steps) == 0 || r.failed {
		s.end(r)
		return
	}
	now := r.steps[0]
	r.steps, r.waiting = r.steps[1:], len(now)
	for _, e := range now {
		p := s.part(r, e)
		var do policy.Do
		p.r, do = s.policy.Begin(s.now, p.want, nil, int(p.bytes))
		s.do(p, do)
	}
}

// beginWrite asks all members of a write, whatever their speed: the members with the data, and all
// parity members.
func (s *simulation) beginWrite(p *part) {
	p.waiting = len(p.want) + s.layout.Parity
	for _, m := range p.want {
		s.ask(p, m)
	}
	for m := s.layout.Data; m < s.layout.members(); m++ {
		s.ask(p, m)
	}
}

// do carries out a decision of the policy.
func (s *simulation) do(p *part, do policy.Do) {
	for _, m := range do.Read {
		s.ask(p, m)
	}
	if p.wake = do.WakeAt; p.wake > 0 {
		p.wake = max(p.wake, s.now)
		s.events.push(event{at: p.wake, what: wake, p: p})
	}
	if do.Done || do.Fail {
		p.r.Release()
		p.over, p.failed = true, p.failed || do.Fail
		if p.waiting--; p.waiting == 0 {
			s.step(p.request)
		}
	}
}

func (s *simulation) end(r *request) {
	s.flying--
	if !r.write && !r.failed {
		s.run.note(r.index, s.now-r.at)
	}
	if s.feed.depth > 0 {
		s.arrive()
	}
}

func (s *simulation) ask(p *part, index int) {
	m := &s.members[index]
	m.queue = append(m.queue, p)
	if !m.busy {
		s.serve(index)
	}
}

// serve begins the next part in a member's queue.
func (s *simulation) serve(index int) {
	m := &s.members[index]
	p := m.next()
	if m.busy = p != nil; !m.busy {
		return
	}
	s.events.push(event{at: s.now + s.service(p, index), what: answer, p: p, from: index})
	m.arm = p.offset + p.bytes
}

// service returns how long a member is busy with a part. A write of a part of a stripe takes twice
// as long, because it reads before it writes.
func (s *simulation) service(p *part, index int) time.Duration {
	u, v := draws(s.seed, index, p.draw)
	t := s.model.service(u, v, s.members[index].arm, p.offset, p.bytes)
	if p.write && len(p.want) < s.layout.Data {
		t *= 2
	}
	return max(scaled(t, s.delay.Factor(index, uint64(p.draw), s.now)), 1)
}

func (s *simulation) answer(p *part, index int) {
	s.serve(index)
	if !p.write {
		s.do(p, p.r.Answer(s.now, index, false))
		return
	}
	if p.waiting--; p.waiting == 0 {
		s.end(p.request)
	}
}
