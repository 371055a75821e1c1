package record

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/record/dayfile"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// A Recorder writes the activity files of one machine.
type Recorder struct {
	opts    Options
	machine Sampler
	log     *slog.Logger
	keeper  *keeper
	claim   *os.File // lock on the directory
	running bool     // the start is over

	out         *output // nil: no file is open
	opened      bool    // a file was open at least once since the start
	changedPath string  // path of a file that another program has changed
	stall       stall
	remarks     remarks

	sample sysstat.Sample
	uptime uint64
	blind  bool // the last sample could not be taken

	inventory []string
	announce  bool          // the inventory must be written with the next sample
	looked    time.Duration // elapsed time of the last check of the file's name
	syncAt    time.Duration // elapsed time from which on a sync is due

	syncData func(*os.File) error
	syncDir  func(string) error
	syncing  atomic.Bool
	unsound  atomic.Bool // the last sync failed
	jobs     sync.WaitGroup
}

// New returns a recorder. It creates the directory if necessary.
func New(o Options, m Sampler) (*Recorder, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := outfile.MakeDirs(o.Dir, 0o755); err != nil {
		return nil, err
	}
	o.orDefaults()
	warnings, err := checkDir(o.Dir)
	if err != nil {
		return nil, err
	}
	for _, text := range warnings {
		o.Log.Warn(text)
	}
	return &Recorder{opts: o, machine: m, log: o.Log, keeper: newKeeper(o), syncData: syncData, syncDir: syncDir}, nil
}

// Run records until ctx is done. It returns an error only if it cannot begin, or if it cannot close
// the last file.
func (r *Recorder) Run(ctx context.Context) error {
	defer func() { _ = r.claim.Close() }()
	if err := r.start(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer r.jobs.Wait()
	defer cancel()
	r.jobs.Go(func() { r.keeper.run(ctx) })
	r.loop(ctx)
	return r.end()
}

// start opens the first file. If the disk is full or the clock is not set, the recorder waits.
// Other errors are for the operator.
func (r *Recorder) start() (err error) {
	now := look(r.opts.Clock)
	if r.uptime, err = r.machine.Uptime(); err != nil {
		return err
	}
	if err := r.stake(); err != nil {
		return err
	}
	switch err := r.open(now.wall); {
	case isFull(err), errors.Is(err, errNoClock):
		r.stop(now, err)
	case err != nil:
		return err
	}
	r.takeInventory()
	r.looked, r.announce, r.running = now.elapsed, true, true
	return nil
}

func (r *Recorder) loop(ctx context.Context) {
	t := newTicker(r.opts.Clock, r.opts.Interval)
	for {
		now, err := t.wait(ctx)
		if err != nil {
			return
		}
		r.remarks.note(now, tolerance(r.opts.Interval))
		r.machine.Late(now.late)
		r.tick(now.moment)
	}
}

// tick takes a sample, writes it, and syncs the file if a sync is due.
func (r *Recorder) tick(now moment) {
	if err := r.take(); err != nil {
		if !r.blind {
			r.log.Error("the recorder could not take a sample", "error", err)
		}
		r.blind = true
		return
	}
	r.blind = false
	r.store(now)
	r.opts.Listener.Hear(now.wall, r.uptime, &r.sample)
	r.takeInventory()
	if now.elapsed >= r.syncAt {
		r.sync(now)
	}
}

func (r *Recorder) take() (err error) {
	if r.uptime, err = r.machine.Uptime(); err != nil {
		return err
	}
	return r.machine.Sample(&r.sample)
}

// write writes the sample, with the inventory and the remarks that wait, into the file of its day.
func (r *Recorder) write(now moment) error {
	if err := r.turn(now.wall); err != nil {
		return err
	}
	var inventory []string
	if r.announce {
		inventory = r.inventory
	}
	if err := r.out.write(now.wall, r.uptime, &r.sample, inventory, r.remarks.waiting); err != nil {
		return err
	}
	r.announce = false
	r.remarks.written()
	return nil
}

// bare returns an error without the name of the file, because the file had another name when the
// error occurred.
func bare(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}

// turn switches r.out to the file for records at t.
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

// finish also writes the first sample of the next file into this file, as sadc does. So no interval
// is lost between the two files.
func (r *Recorder) finish(t time.Time) error {
	if gap := t.Sub(r.out.last); gap < 0 || gap > 2*r.opts.Interval {
		return nil
	}
	return r.out.write(t, r.uptime, &r.sample)
}

// retire closes the file beside the sampling and wakes the keeper.
func (r *Recorder) retire() {
	out := r.out
	r.out = nil
	r.jobs.Go(func() {
		if err := out.close(); err != nil {
			r.log.Error("the recorder could not close the file, so its last records may be missing", "file", out.Path, "error", err)
		}
		r.keeper.wake()
	})
}

// takeInventory reads the inventory. If it has changed, it is written with the next sample.
func (r *Recorder) takeInventory() {
	if inventory := r.machine.Inventory(); !slices.Equal(inventory, r.inventory) {
		r.inventory = slices.Clone(inventory)
		r.announce = true
	}
}

// sync begins to write the file to the disk, unless an earlier sync still runs. So a disk that
// hangs does not delay samples. The next sync is due at the last sample before Options.Sync has
// passed.
func (r *Recorder) sync(now moment) {
	if r.out == nil || !r.syncing.CompareAndSwap(false, true) {
		return
	}
	r.syncAt = now.elapsed + r.opts.Sync - r.opts.Interval + tolerance(r.opts.Interval)
	out := r.out
	r.jobs.Go(func() {
		defer r.syncing.Store(false)
		err := out.Sync(dayfile.Syncs{Data: r.syncData, Dir: r.syncDir})
		failed := err != nil && !errors.Is(err, os.ErrClosed)
		if was := r.unsound.Swap(failed); failed && !was {
			r.log.Error("the recorder could not write the file to the disk (sync): a power failure may lose more data than --sync allows", "file", out.Path, "error", bare(err))
		}
	})
}

// end closes the file, after the remarks that still wait.
func (r *Recorder) end() (err error) {
	if r.out == nil {
		return nil
	}
	r.remarks.sum()
	if last := r.out.last; !last.IsZero() && r.stall.err == nil && len(r.remarks.waiting) > 0 {
		err = r.out.write(last, 0, nil, r.remarks.waiting)
	}
	return errors.Join(err, r.out.close())
}
