package policy

import (
	"slices"
	"testing"
	"time"
)

// A rig answers for members, each read on its own, and holds a policy to its
// promises.
type rig struct {
	t       *testing.T
	p       *Policy
	answers func(member int) (took time.Duration, failed bool)

	now     time.Duration
	pending []*reading
	live    []*reader
	reads   int
	bypass  []uint64
}

// A reading is a read that a member has not answered.
type reading struct {
	at     time.Duration
	r      *reader
	member int
	failed bool
}

// A reader is a request and what it was promised.
type reader struct {
	r                       *Request
	want, lost, asked, came set
	wake                    time.Duration
	over                    bool
	first                   []int
	begun, ended            time.Duration
}

func newRig(t *testing.T, o Options, data, parity int, answers func(int) (time.Duration, bool)) *rig {
	p, err := New(o, data, parity)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, p: p, answers: answers, bypass: make([]uint64, data+parity)}
}

func (g *rig) begin(want, lost set) *reader {
	q := &reader{want: want, lost: lost, begun: g.now}
	var do Do
	q.r, do = g.p.Begin(g.now, want.append(nil), lost.append(nil), 65536)
	q.first = slices.Clone(do.Read)
	g.live = append(g.live, q)
	g.do(q, do)
	return q
}

// do checks what a policy says, and does it.
func (g *rig) do(q *reader, do Do) {
	g.t.Helper()
	if q.over && (len(do.Read) > 0 || do.WakeAt != 0 || do.Done || do.Fail) {
		g.t.Fatalf("%+v after the end", do)
	}
	for _, m := range do.Read {
		g.ask(q, m)
	}
	q.wake = do.WakeAt
	switch {
	case do.Done:
		g.done(q, do)
	case do.Fail:
		g.failed(q)
	case !q.over && q.asked&^q.came&^q.lost == 0:
		g.t.Fatalf("a request for %b waits for ever: asked %b, came %b, lost %b", q.want, q.asked, q.came, q.lost)
	}
	if do.Done || do.Fail {
		q.over, q.ended = true, g.now
		q.r.Release()
	}
}

func (g *rig) ask(q *reader, member int) {
	g.t.Helper()
	if member >= g.p.data+g.p.parity || q.asked.has(member) || q.lost.has(member) {
		g.t.Fatalf("member %d asked, of %b asked and %b lost", member, q.asked, q.lost)
	}
	q.asked |= one(member)
	g.reads++
	took, failed := g.answers(member)
	g.pending = append(g.pending, &reading{g.now + took, q, member, failed})
}

func (g *rig) done(q *reader, do Do) {
	g.t.Helper()
	rebuild := setOf(do.Rebuild, g.p.data)
	if q.want&^q.came != rebuild {
		g.t.Fatalf("rebuild %v, of %b wanted and %b come", do.Rebuild, q.want, q.came)
	}
	if rebuild != 0 && q.came.len() < g.p.data {
		g.t.Fatalf("rebuild %v of %b, which are not enough", do.Rebuild, q.came)
	}
	for m := range (rebuild &^ q.lost).members() {
		g.bypass[m]++
	}
}

func (g *rig) failed(q *reader) {
	g.t.Helper()
	left := g.p.all() &^ q.lost
	if left.len() >= g.p.data || q.want.within(left) {
		g.t.Fatalf("failed, though %b are left and %b wanted", left, q.want)
	}
}

// next is the next that happens, in order of time, those of the same time in
// order of their beginning.
func (g *rig) next() bool {
	var wake *reader
	for _, q := range g.live {
		if !q.over && q.wake > 0 && (wake == nil || q.wake < wake.wake) {
			wake = q
		}
	}
	g.live = slices.DeleteFunc(g.live, func(q *reader) bool { return q.over })
	answer := -1
	for i, a := range g.pending {
		if answer < 0 || a.at < g.pending[answer].at {
			answer = i
		}
	}
	switch {
	case wake != nil && (answer < 0 || wake.wake < g.pending[answer].at):
		g.now = max(g.now, wake.wake)
		g.do(wake, wake.r.Wake(g.now))
	case answer >= 0:
		g.answer(answer)
	default:
		return false
	}
	return true
}

func (g *rig) answer(i int) {
	a := g.pending[i]
	g.pending = slices.Delete(g.pending, i, i+1)
	g.now = max(g.now, a.at)
	if !a.r.over {
		if a.failed {
			a.r.lost |= one(a.member)
		} else {
			a.r.came |= one(a.member)
		}
	}
	g.do(a.r, a.r.r.Answer(g.now, a.member, a.failed))
}

// read waits for the end of a request.
func (g *rig) read(want set) *reader {
	q := g.begin(want, 0)
	for !q.over && g.next() {
	}
	return q
}

// drain lets all answers come.
func (g *rig) drain() {
	for g.next() {
	}
}
