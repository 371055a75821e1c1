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

// Errors of an array that no longer serves requests.
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
	background governor // of reads for writes, rebuilds and recovery

	journal journal
	rotten  chan int64    // stripes to mend
	mended  chan struct{} // closed when mendRotten has ended
	rebuild sync.Mutex    // held during a rebuild: only one runs at a time
	gate    gate
}

// A governor is a policy and the lock that its calls need.
type governor struct {
	mu         sync.Mutex
	policy     *policy.Policy
	probe      *policy.MaskOptions // nil: masked members are not probed
	masksEvent uint64              // event counter of the state whose masks the policy has
}

// Open opens the array of these members. They must be in order: the data members, P, Q. If
// o.Degraded, a missing member may be nil. Open completes or discards the writes that a crash
// interrupted; if o.ReadOnly, it writes nothing, but reads return the same data as if it had.
// Array.Close closes the members. If Open fails, the caller must close them.
func Open(members []Member, o Options) (*Array, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	pool := &member.Buffers{}
	last, present, err := assemble(members, pool, o.Deadline, o.Degraded)
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

// Geometry returns the layout of the array on its members.
func (a *Array) Geometry() Geometry { return a.geometry }

// Size returns the capacity of the array in bytes.
func (a *Array) Size() int64 { return a.geometry.Size() }

// ID returns the ID of the array.
func (a *Array) ID() ID { return a.roster.Load().array }

// Policy returns the policy of the array's own reads.
func (a *Array) Policy() policy.Options { return a.options.Policy }

// Counters returns the counters of the array's own reads: requests to members, and members that
// were avoided.
func (a *Array) Counters() policy.Counters { return a.reader.Counters() }

// PassedOver returns the members that the policy avoids at present.
func (a *Array) PassedOver() []int { return a.reader.PassedOver() }

// Counters returns the counters of this governor's reads.
func (g *governor) Counters() policy.Counters {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.policy.Counters()
}

// PassedOver returns the members that the policy avoids at present.
func (g *governor) PassedOver() []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.policy.PassedOver()
}

// Sync returns an error if the array is closed or has stopped. It does not wait: every write is
// durable when it returns.
func (a *Array) Sync() error {
	if err := a.gate.enter(); err != nil {
		return err
	}
	defer a.gate.leave()
	return a.roster.Load().stopped
}

// Close waits for running requests, marks the array clean and closes its members. It does not
// wait for late replies of members that were given up. A stopped array is left as it is, and is
// recovered when it is opened.
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

// settle makes all written data durable, and discards the journal.
func (a *Array) settle() error {
	if a.options.ReadOnly {
		return nil
	}
	if err := a.onWritten(func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.change(func(s *state) { s.clean, s.floor = true, a.journal.next })
}

// check returns an error if a request is outside of the array.
func (a *Array) check(n int, off int64) error { return a.check64(int64(n), off) }

func (a *Array) check64(n, off int64) error {
	if n < 0 || off < 0 || off > a.Size() || n > a.Size()-off {
		return fmt.Errorf("the request for %d bytes at byte %d is outside of the array, which has %d bytes", n, off, a.Size())
	}
	return nil
}
