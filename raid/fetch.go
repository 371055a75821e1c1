package raid

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// A fetch reads the same stripes of some members. The policy may add other members. The caller
// holds the locks of the stripes.
type fetch struct {
	a       *Array
	g       *governor
	roster  *roster
	from    int64
	size    int // bytes of each member
	deliver func(member int, buf []byte)

	finished chan struct{} // closed when the request is over and no call of deliver runs

	// Under the governor's lock:
	request    *policy.Request
	asked      set      // members that were asked
	answered   set      // members that answered or were given up
	bufs       [][]byte // by member: answers that came in time
	errs       []error
	rebuild    []int
	delivering int
	over       bool
	failed     bool
	timer      *time.Timer
	overdue    *time.Timer // fires at the deadline of the members
}

// fetch reads the chunks of the wanted data members. If deliver is not nil, it is called with the
// chunks of each data member as they arrive, for several members at the same time. All chunks stay
// in bufs until drop.
func (a *Array) fetch(g *governor, from int64, stripes int, want []int, deliver func(int, []byte)) (*fetch, error) {
	n := a.geometry.Members()
	f := &fetch{
		a: a, g: g, roster: a.roster.Load(), from: from, size: stripes * ChunkSize, deliver: deliver,
		finished: make(chan struct{}), bufs: make([][]byte, n), errs: make([]error, n),
	}
	if f.roster.stopped != nil {
		return nil, f.roster.stopped
	}
	f.begin(want)
	<-f.finished
	if err := f.complete(); err != nil {
		f.drop()
		return nil, err
	}
	return f, nil
}

func (f *fetch) begin(want []int) {
	f.g.mu.Lock()
	defer f.g.mu.Unlock()
	if d := f.a.options.Deadline; d > 0 {
		f.overdue = time.AfterFunc(d, f.expire)
	}
	f.g.applyMasks(f.roster)
	r, do := f.g.policy.Begin(f.a.now(), want, f.roster.lost.members(), f.size)
	f.request = r
	f.follow(do)
}

// follow carries out a decision of the policy.
func (f *fetch) follow(do policy.Do) {
	if f.over {
		return
	}
	for _, m := range do.Read {
		f.asked = f.asked.with(m)
		go f.read(m)
	}
	f.over, f.failed = do.Done || do.Fail, do.Fail
	switch {
	case f.over:
		f.rebuild = slices.Clone(do.Rebuild)
		f.request.Release()
		if f.timer != nil {
			f.timer.Stop()
		}
		if f.overdue != nil {
			f.overdue.Stop()
		}
		f.finish()
	case do.WakeAt > 0:
		f.wakeAt(do.WakeAt)
	case f.timer != nil:
		f.timer.Stop()
	}
}

func (f *fetch) wakeAt(at time.Duration) {
	wait := max(0, at-f.a.now())
	if f.timer == nil {
		f.timer = time.AfterFunc(wait, f.wake)
		return
	}
	f.timer.Reset(wait)
}

func (f *fetch) wake() {
	f.g.mu.Lock()
	defer f.g.mu.Unlock()
	if !f.over {
		f.follow(f.request.Wake(f.a.now()))
	}
}

// expire declares hanging members lost, and goes on without them. If more members are lost than
// parity covers, it waits for another deadline instead.
func (f *fetch) expire() {
	f.g.mu.Lock()
	hanging, over := f.asked&^f.answered, f.over
	f.g.mu.Unlock()
	if over || hanging == 0 {
		return
	}
	lost := f.a.condemn(hanging)
	f.g.mu.Lock()
	defer f.g.mu.Unlock()
	if !lost && !f.over {
		f.overdue.Reset(f.a.options.Deadline)
	}
	for _, m := range hanging.members() {
		if lost && !f.answered.has(m) && !f.over {
			f.answered, f.errs[m] = f.answered.with(m), hung(f.a.options.Deadline)
			f.follow(f.request.Answer(f.a.now(), m, true))
		}
	}
}

// finish ends the wait of the requester if the request is over and no call of deliver runs.
func (f *fetch) finish() {
	if f.over && f.delivering == 0 {
		close(f.finished)
	}
}

// read reads from a member. The policy gets late answers too, but their data are dropped.
func (f *fetch) read(member int) {
	buf := f.a.pool.Get(f.size)
	err := f.roster.readChunks(member, buf, f.from)
	f.g.mu.Lock()
	defer f.g.mu.Unlock()
	if f.answered.has(member) { // the member was given up
		f.a.pool.Put(buf)
		return
	}
	f.answered = f.answered.with(member)
	switch {
	case f.over || err != nil:
		f.a.pool.Put(buf)
	default:
		f.bufs[member] = buf
		f.handOver(member)
	}
	if !f.over {
		f.errs[member] = err
		f.a.queueRepair(f.roster, member, err)
	}
	f.follow(f.request.Answer(f.a.now(), member, err != nil))
}

// handOver calls deliver without the lock. The request may end during the call.
func (f *fetch) handOver(member int) {
	if f.deliver == nil || member >= f.a.geometry.Data {
		return
	}
	f.delivering++
	f.g.mu.Unlock()
	f.deliver(member, f.bufs[member])
	f.g.mu.Lock()
	f.delivering--
	f.finish()
}

// complete computes the wanted chunks that did not arrive.
func (f *fetch) complete() error {
	if f.failed {
		return fmt.Errorf("stripe %d of the array cannot be read: %w", f.from, f.why())
	}
	var wanted set
	for _, m := range f.rebuild {
		if f.bufs[m] == nil {
			f.bufs[m] = f.a.pool.Get(f.size)[:0]
			wanted = wanted.with(m)
		}
	}
	if wanted == 0 {
		return nil
	}
	if err := f.a.coder.rebuild(f.bufs, wanted); err != nil {
		return fmt.Errorf("stripe %d of the array cannot be read from members %v: %w", f.from, wanted, err)
	}
	for _, m := range wanted.members() {
		if f.deliver != nil {
			f.deliver(m, f.bufs[m])
		}
	}
	return nil
}

// ErrUnreadable is returned if too many members of a stripe are lost or fail.
var ErrUnreadable = errors.New("too many members are lost or cannot be read")

func (f *fetch) why() error {
	return fmt.Errorf("%w (lost members: %v): %w", ErrUnreadable, f.roster.lost, errors.Join(f.errs...))
}

// drop returns the buffers to the pool.
func (f *fetch) drop() {
	for m, buf := range f.bufs {
		if buf != nil {
			f.a.pool.Put(buf)
			f.bufs[m] = nil
		}
	}
}
