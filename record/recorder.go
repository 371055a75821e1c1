package record

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/sysstat"
)

// lookEvery is how often is looked whether the file still has its name.
const lookEvery = time.Minute

// A Recorder writes the activity files of one machine.
type Recorder struct {
	opts    Options
	machine Machine
	log     *slog.Logger
	keeper  *keeper
	running bool // past its start

	out     *output // nil: none is open
	opened  bool    // one was, since the start
	stall   stall
	remarks remarks

	sample sysstat.Sample
	uptime uint64
	blind  bool // the last sample could not be taken

	inventory []string
	announce  bool          // the inventory is to be written
	looked    time.Duration // by elapsed time
	synced    time.Duration // likewise

	syncData func(*os.File) error
	syncing  atomic.Bool
	unsound  atomic.Bool // the last sync failed
	jobs     sync.WaitGroup
}

// New makes a recorder, and its directory where there is none.
func New(o Options, m Machine) (*Recorder, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	o.orDefaults()
	return &Recorder{opts: o, machine: m, log: o.Log, keeper: newKeeper(o), syncData: syncData}, nil
}

// Run records until ctx is done. It returns an error only when it cannot
// begin, or when the last file cannot be closed well.
func (r *Recorder) Run(ctx context.Context) error {
	if err := r.start(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer r.jobs.Wait()
	defer cancel()
	r.jobs.Go(func() { r.keeper.run(ctx) })
	r.loop(ctx)
	if r.out == nil {
		return nil
	}
	return r.out.close()
}

// start opens the first file. A disk that is full or a clock that is not set
// may be cured by waiting, other errors are for the operator.
func (r *Recorder) start() error {
	now := look(r.opts.Clock)
	uptime, err := r.machine.Uptime()
	if err != nil {
		return err
	}
	r.uptime = uptime
	switch err := r.open(now.wall); {
	case isFull(err), errors.Is(err, errNoClock):
		r.stop(now, err)
	case err != nil:
		return err
	}
	if err := removeParts(r.opts.Dir, r.opts.File.Hostname); err != nil {
		r.log.Warn("what a crash left is not removed", "error", err)
	}
	r.takeInventory()
	r.looked, r.synced, r.announce, r.running = now.elapsed, now.elapsed, true, true
	return nil
}

func (r *Recorder) loop(ctx context.Context) {
	t := newTicker(r.opts.Clock, r.opts.Interval)
	for {
		now, err := t.wait(ctx)
		if err != nil {
			return
		}
		r.remarks.note(now, t.tolerance())
		r.tick(now.moment)
	}
}

// tick takes a sample and does what is due.
func (r *Recorder) tick(now moment) {
	if err := r.take(); err != nil {
		if !r.blind {
			r.log.Error("no sample could be taken", "error", err)
		}
		r.blind = true
		return
	}
	r.blind = false
	r.store(now)
	r.opts.Listener.Hear(now.wall, r.uptime, &r.sample)
	r.takeInventory()
	if now.elapsed-r.looked >= lookEvery {
		r.look(now)
	}
	if now.elapsed-r.synced >= r.opts.Sync {
		r.sync(now)
	}
}

func (r *Recorder) take() (err error) {
	if r.uptime, err = r.machine.Uptime(); err != nil {
		return err
	}
	return r.machine.Sample(&r.sample)
}

// write writes the sample with all that waits to be said, into the file that
// it belongs to.
func (r *Recorder) write(now moment) error {
	if err := r.turn(now.wall); err != nil {
		return err
	}
	var inventory []string
	if r.announce {
		inventory = r.inventory
	}
	if err := r.out.write(now.wall, r.uptime, &r.sample, inventory, r.remarks.waiting); err != nil {
		return fmt.Errorf("writing %s: %w", r.out.path, bare(err))
	}
	r.announce = false
	r.remarks.written()
	return nil
}

// bare is an error without the name of the file, which was another when that
// was made.
func bare(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}

// turn makes r.out the file for records at t.
func (r *Recorder) turn(t time.Time) error {
	if r.out != nil && r.out.covers(t) {
		return nil
	}
	if r.out != nil {
		if err := r.finish(t); err != nil {
			return err
		}
		r.retire()
	}
	r.announce = true
	return r.open(t)
}

// finish writes the sample that begins the next file into this one too, as
// sadc does, so that no interval is lost between them.
func (r *Recorder) finish(t time.Time) error {
	if gap := t.Sub(r.out.last); gap < 0 || gap > 2*r.opts.Interval {
		return nil
	}
	return r.out.write(t, r.uptime, &r.sample)
}

// retire closes the file beside the sampling and hands it to the keeper.
func (r *Recorder) retire() {
	out := r.out
	r.out = nil
	r.jobs.Go(func() {
		if err := out.close(); err != nil {
			r.log.Error("the file was not closed well", "file", out.path, "error", err)
		}
		r.keeper.wake()
	})
}

// look sees whether the file was taken away.
func (r *Recorder) look(now moment) {
	r.looked = now.elapsed
	if r.out != nil && !stands(r.out.f, r.out.path) {
		r.log.Error("the file was removed, another is begun", "file", r.out.path)
		r.retire()
		r.announce = true
	}
}

// takeInventory has it written with the next sample if it has changed.
func (r *Recorder) takeInventory() {
	if inventory := r.machine.Inventory(); !slices.Equal(inventory, r.inventory) {
		r.inventory = slices.Clone(inventory)
		r.announce = true
	}
}

// sync begins to write the file to the disk, unless that is still going on: a
// disk that hangs does not keep samples from being taken.
func (r *Recorder) sync(now moment) {
	if r.out == nil || !r.syncing.CompareAndSwap(false, true) {
		return
	}
	r.synced = now.elapsed
	f, path := r.out.f, r.out.path
	r.jobs.Go(func() {
		defer r.syncing.Store(false)
		err := r.syncData(f)
		failed := err != nil && !errors.Is(err, os.ErrClosed)
		if was := r.unsound.Swap(failed); failed && !was {
			r.log.Error("the file could not be synced: a loss of power may cost more", "file", path, "error", bare(err))
		}
	})
}
