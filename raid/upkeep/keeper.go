package upkeep

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/raid"
)

// Options are how an array is kept.
type Options struct {
	// BytesPerSecond is how much of each member a job reads or writes; 0: as
	// much as can be.
	BytesPerSecond int64
	// ScrubEvery is after what time an array is scrubbed again; 0: when told.
	ScrubEvery time.Duration
	// Spares take the place of members that are lost, in order.
	Spares []raid.Member
	// Report is told what was begun and done; nil: nobody.
	Report func(text string)
}

// DefaultOptions leave most of a disk to readers, and do not scrub by
// themselves.
func DefaultOptions() Options { return Options{BytesPerSecond: 50 << 20} }

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.ScrubEvery <= 0 || o.ScrubEvery >= time.Minute, "the time between scrubs is %v: give a minute or more, or 0 for no scrubs", o.ScrubEvery)
	return errs.Join()
}

// Times of a keeper.
const (
	look  = time.Second // between looks at the array
	again = time.Minute // after a job that failed
)

// The kinds of jobs.
const (
	Rebuild = "rebuild"
	Scrub   = "scrub"
)

// A Job is one that runs, or the last that did.
type Job struct {
	Kind        string // none: ""
	Done, Total int64  // stripes
	Began       time.Time
	Ended       time.Time // zero: it runs
	Found       int64     // by a scrub: faults
	Repaired    int64     // of them
	Err         string    // why it ended before it was done
}

// A Keeper keeps one array.
type Keeper struct {
	array   *raid.Array
	options Options
	stop    context.CancelFunc
	ended   chan struct{}
	orders  chan func() // what it is told, between looks

	mu     sync.Mutex
	job    Job
	cancel context.CancelFunc // of the job that runs
	spares []raid.Member

	toldWell map[raid.Mask]bool // masks that stay, whose members were reported as recovered
}

// New has an array kept until the keeper is closed, which is before the array
// is. Spares belong to the keeper; if New fails, the caller closes them.
func New(a *raid.Array, o Options) (*Keeper, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	for _, m := range o.Spares {
		if err := a.Status().FitsAny(m); err != nil {
			return nil, err
		}
	}
	if o.Report == nil {
		o.Report = func(string) {}
	}
	ctx, stop := context.WithCancel(context.Background())
	k := &Keeper{array: a, options: o, stop: stop, ended: make(chan struct{}), orders: make(chan func()), spares: o.Spares, toldWell: map[raid.Mask]bool{}}
	go k.run(ctx)
	return k, nil
}

// Close ends what runs and closes spares that were not needed.
func (k *Keeper) Close() error {
	k.stop()
	<-k.ended
	var err error
	for _, m := range k.spares {
		err = errors.Join(err, m.Close())
	}
	return err
}

// Job is the one that runs, or the last that did.
func (k *Keeper) Job() Job {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.job
}

// Spares are the names of those that are left.
func (k *Keeper) Spares() (names []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, m := range k.spares {
		names = append(names, m.String())
	}
	return names
}

// run looks at the array, and does what is due.
func (k *Keeper) run(ctx context.Context) {
	defer close(k.ended)
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for ctx.Err() == nil {
		k.endMasks()
		if job := k.due(); job != nil {
			k.start(ctx, job)
		}
		select {
		case <-ctx.Done():
		case order := <-k.orders:
			order()
		case <-ticker.C:
		}
	}
	k.Cancel()
	for k.running() {
		time.Sleep(time.Millisecond)
	}
}

// A task is a job that can be done.
type task struct {
	kind string
	do   func(ctx context.Context) (raid.Scrub, error)
}

// due is what is to be done now, nil if nothing.
func (k *Keeper) due() *task {
	s, job := k.array.Status(), k.Job()
	if s.Stopped != nil || k.running() && job.Kind == Rebuild {
		return nil
	}
	failed := job.Err != "" && time.Since(job.Ended) < again
	if need := k.places(s); need && (!failed || job.Kind != Rebuild) {
		k.Cancel() // a scrub
		if k.running() {
			return nil // at the next look
		}
		return &task{Rebuild, k.rebuild}
	}
	if !k.running() && !failed && k.scrubDue(s) {
		return &task{Scrub, k.scrub(true)}
	}
	return nil
}

// places is whether a member is to be filled, after spares took their places.
func (k *Keeper) places(s raid.Status) (need bool) {
	for _, m := range s.Members {
		switch m.State {
		case raid.Rebuilding:
			need = true
		case raid.Lost:
			need = k.fillIn(m) || need
		}
	}
	return need
}

// fillIn puts a spare in the place of a lost member.
func (k *Keeper) fillIn(m raid.MemberStatus) bool {
	spare := k.nextSpare()
	if spare == nil {
		return false
	}
	if err := k.array.Replace(m.Place, spare, false); err != nil {
		k.options.Report(fmt.Sprintf("spare %s cannot be used: %v", spare, err))
		spare.Close()
		return false
	}
	k.options.Report(fmt.Sprintf("spare %s replaces member %s: when you open the array again, name the spare instead of this member", spare, m.Role))
	return true
}

func (k *Keeper) nextSpare() raid.Member {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.spares) == 0 {
		return nil
	}
	spare := k.spares[0]
	k.spares = k.spares[1:]
	return spare
}

// scrubDue is whether a scrub was broken off, or is due again.
func (k *Keeper) scrubDue(s raid.Status) bool {
	if k.options.ScrubEvery == 0 {
		return false
	}
	return s.Scrubbed > 0 || time.Since(s.ScrubEnd) >= k.options.ScrubEvery
}
