package raid

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/policy"
)

// What becomes of an array.
var (
	ErrClosed  = errors.New("the array is already closed")
	ErrStopped = errors.New("the array has stopped: more members failed than the parity can replace")
)

// An Array is an open array. It is safe for concurrent use.
type Array struct {
	options  Options
	geometry Geometry
	coder    *coder
	pool     *member.Buffers
	locks    stripeLocks
	began    time.Time

	roster   atomic.Pointer[roster]
	rosterMu sync.Mutex // held while the roster changes

	reader     *Reader
	background governor // of what is read to write, rebuild or recover

	journal journal
	rotten  chan int64    // stripes to be mended
	mended  chan struct{} // closed when nobody mends any more
	rebuild sync.Mutex    // one at a time
	gate    gate
}

// A governor is a policy and the lock that its calls need.
type governor struct {
	mu         sync.Mutex
	policy     *policy.Policy
	probe      *policy.MaskOptions // nil: masked members are not probed
	masksEvent uint64              // the event whose masks the policy has
}

// Open opens the array that members are, each in its place: data in order, P,
// Q; nil for one that is missing, if o.Degraded. It finishes or drops what a
// crash interrupted; if o.ReadOnly, it only reads as if it had. The array
// closes the members; if Open fails, the caller does.
func Open(members []Member, o Options) (*Array, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	pool := &member.Buffers{}
	last, present, err := assemble(members, pool, o.Deadline)
	if err != nil {
		return nil, err
	}
	now, err := last.without(members, present, o.Degraded)
	if err != nil {
		return nil, err
	}
	a, err := newArray(members, now, o, pool)
	if err != nil {
		return nil, err
	}
	begin := a.recover
	if o.ReadOnly {
		begin = a.overlay
	}
	if err := begin(last); err != nil {
		return nil, err
	}
	go a.writeBatches()
	go a.mendRotten()
	return a, nil
}

func newArray(members []Member, s state, o Options, pool *member.Buffers) (*Array, error) {
	o.Report = oneAtATime(o.Report)
	a := &Array{options: o, geometry: s.geometry, pool: pool, began: time.Now()} //nolint:forbidigo // latencies are real
	a.journal.intents = make(chan *intent)
	a.journal.ended = make(chan struct{})
	a.gate.init()
	r := newRoster(s, members, o.Report)
	for i, m := range r.members {
		if m != nil {
			r.tables[i] = a.newTable(m)
		}
	}
	a.roster.Store(r)
	a.rotten, a.mended = make(chan int64, mendQueue), make(chan struct{})
	var err error
	if a.coder, err = newCoder(a.geometry.Data); err != nil {
		return nil, err
	}
	if a.reader, err = a.NewReader(o.Policy); err != nil {
		return nil, err
	}
	a.background.policy, err = policy.New(policy.Default(policy.Reactive), a.geometry.Data, parities)
	return a, err
}

func (a *Array) now() time.Duration { return time.Since(a.began) }

// Geometry is how the array lies on its members.
func (a *Array) Geometry() Geometry { return a.geometry }

// Size is how many bytes the array holds.
func (a *Array) Size() int64 { return a.geometry.Size() }

// ID names the array.
func (a *Array) ID() ID { return a.roster.Load().array }

// Policy is that of the array's own reads.
func (a *Array) Policy() policy.Options { return a.options.Policy }

// Counters count what the array's own reads asked of members, and around whom
// they went.
func (a *Array) Counters() policy.Counters { return a.reader.Counters() }

// PassedOver are the members that the policy does not rely on at present.
func (a *Array) PassedOver() []int { return a.reader.PassedOver() }

// Counters count what this reader's reads asked.
func (g *governor) Counters() policy.Counters {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.policy.Counters()
}

// PassedOver are the members that the policy does not rely on at present.
func (g *governor) PassedOver() []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.policy.PassedOver()
}

// Sync returns when all writes that have returned are durable. They are when
// they return; so it only says whether the array still stands.
func (a *Array) Sync() error {
	if err := a.gate.enter(); err != nil {
		return err
	}
	defer a.gate.leave()
	return a.roster.Load().stopped
}

// Close waits for requests under way, marks the array clean and closes its
// members. Answers that are still owed are not waited for. A stopped array is
// left as it is, to be recovered when it is opened.
func (a *Array) Close() error {
	if !a.gate.close() {
		return ErrClosed
	}
	close(a.rotten)
	<-a.mended
	close(a.journal.intents)
	<-a.journal.ended
	err := a.settle()
	for _, m := range a.roster.Load().members {
		if m != nil {
			err = errors.Join(err, m.Close())
		}
	}
	a.pool.Close()
	return err
}

// settle makes what is in place durable, and the journal void.
func (a *Array) settle() error {
	if a.options.ReadOnly {
		return nil
	}
	if err := a.onWritten(func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.change(func(s *state) { s.clean, s.floor = true, a.journal.next })
}

// check refuses requests beyond the end.
func (a *Array) check(n int, off int64) error { return a.check64(int64(n), off) }

func (a *Array) check64(n, off int64) error {
	if n < 0 || off < 0 || off > a.Size() || n > a.Size()-off {
		return fmt.Errorf("the request for %d bytes at byte %d is outside of the array, which has %d bytes", n, off, a.Size())
	}
	return nil
}
