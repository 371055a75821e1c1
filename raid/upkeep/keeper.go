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

// Options decide how an array is maintained.
type Options struct {
	// BytesPerSecond is the rate at which a job reads or writes each member; 0: no limit.
	BytesPerSecond int64
	// ScrubEvery is the time between two scrubs; 0: scrubs run only on a command.
	ScrubEvery time.Duration
	// Spares replace lost members, the first spare first.
	Spares []raid.Member
	// Report is called with a text when a job begins or ends, when a spare is used, and when a mask
	// begins or ends; nil: no reports.
	Report func(text string)
}

// DefaultOptions returns a rate that leaves most of a disk to readers, and no scrubs without a
// command.
func DefaultOptions() Options { return Options{BytesPerSecond: 50 << 20} }

// Validate returns an error if an option is out of range.
func (o *Options) Validate() error {
	errs := bounds.Errors{bounds.Check(*o)}
	errs.Need(o.ScrubEvery <= 0 || o.ScrubEvery >= time.Minute, "the time between scrubs is %v: give a minute or more, or 0 for no scrubs", o.ScrubEvery)
	return errs.Join()
}

// Times of a keeper.
const (
	look  = time.Second // between two looks at the array
	again = time.Minute // until a failed job is tried again
)

// The kinds of jobs.
const (
	Rebuild = "rebuild"
	Scrub   = "scrub"
)

// A Job is the running job, or the last job.
type Job struct {
	Kind        string // "": no job yet
	Done, Total int64  // stripes
	Began       time.Time
	Ended       time.Time // zero: the job runs
	Found       int64     // faults that a scrub found
	Repaired    int64     // faults that a scrub repaired
	Err         string    // reason why the job ended early
}

// A Keeper maintains one array.
type Keeper struct {
	array   *raid.Array
	options Options
	stop    context.CancelFunc
	ended   chan struct{}
	orders  chan func() // functions to call between two looks at the array

	mu     sync.Mutex
	job    Job
	cancel context.CancelFunc // ends the running job; nil: no job runs
	spares []raid.Member

	toldWell map[raid.Mask]bool // masks that stay, whose members were reported as recovered
}

// New starts to maintain an array, until Close. Close the keeper before the array. The keeper
// closes the spares; if New fails, the caller closes them.
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

// Close ends the running job, and closes the spares that were not needed.
func (k *Keeper) Close() error {
	k.stop()
	<-k.ended
	var err error
	for _, m := range k.spares {
		err = errors.Join(err, m.Close())
	}
	return err
}

// Job returns the running job, or the last job.
func (k *Keeper) Job() Job {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.job
}

// Spares returns the names of the spares that are left.
func (k *Keeper) Spares() (names []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, m := range k.spares {
		names = append(names, m.String())
	}
	return names
}

// run looks at the array from time to time, and starts the jobs that are due.
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

// A task is a job that has not begun.
type task struct {
	kind string
	do   func(ctx context.Context) (raid.Scrub, error)
}

// due returns the job to start now; nil: none.
func (k *Keeper) due() *task {
	s, job := k.array.Status(), k.Job()
	if s.Stopped != nil || k.running() && job.Kind == Rebuild {
		return nil
	}
	failed := job.Err != "" && time.Since(job.Ended) < again
	if need := k.fillPlaces(s); need && (!failed || job.Kind != Rebuild) {
		k.Cancel() // a rebuild comes before a scrub
		if k.running() {
			return nil // start at the next look
		}
		return &task{Rebuild, k.rebuild}
	}
	if !k.running() && !failed && k.scrubDue(s) {
		return &task{Scrub, k.scrub(true)}
	}
	return nil
}

// fillPlaces puts spares in the places of lost members, and reports whether a member must be
// filled.
func (k *Keeper) fillPlaces(s raid.Status) (need bool) {
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

// fillIn puts a spare in the place of a lost member, and reports whether it did.
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

// scrubDue reports whether a scrub was interrupted, or is due again.
func (k *Keeper) scrubDue(s raid.Status) bool {
	if k.options.ScrubEvery == 0 {
		return false
	}
	return s.Scrubbed > 0 || time.Since(s.ScrubEnd) >= k.options.ScrubEvery
}
