package activity

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/topology"
)

// FollowOptions are the options of [Follow]. The field Now is required. If the
// other fields are zero, Follow begins with the oldest record and never ends.
type FollowOptions struct {
	// LateSeconds is the time, in seconds, for which a step waits for a late machine. The wait
	// begins two steps after the end of the step. A machine that is not late may need these two
	// steps: its step is complete only when it has a record after the end of the next step. The
	// value 0 means the length of two steps.
	LateSeconds int64 `name:"late seconds"`
	// Poll is the time between two checks of the files. The value 0 means the length of a step, but at
	// most 15 s.
	Poll time.Duration `name:"poll"`
	// After is the Unix time at which the last row of an earlier process ended. Rows begin after
	// that time. The rows are the same as if the earlier process had continued. Files that end long
	// before the time After are not opened. If After is 0, rows begin with the oldest record.
	After int64 `name:"after"`
	// Found is the result of Following.Found in the earlier process. With
	// Found, components stay in the system even if their files were removed
	// after the earlier process ended.
	Found []topology.Seen
	// Now returns the present time. Follow uses it to find late machines.
	Now func() time.Time
	// Until returns the time up to which steps may be closed. A closed step takes no more data, and
	// Next returns its row. A step that ends later stays open even if all machines have data for
	// it. The reason is that another part of limpet may still be writing records for this step. If
	// Until is nil, there is no such bound.
	Until func() time.Time
	// Once makes Follow read the present content of the files and end with
	// io.EOF, as Open does. Then no machine counts as late.
	Once bool
}

// Validate returns an error if Now is not set or a time is negative.
func (f *FollowOptions) Validate() error {
	errs := bounds.Errors{bounds.Check(f)}
	errs.Need(f.Now != nil, "internal error: FollowOptions.Now is not set")
	return errs.Join()
}

// Following is an ingest.Source of rows from activity files that grow. Next
// returns ingest.ErrChanged whenever the system changes. Next returns the first
// ErrChanged when the first system was found. Before that, System returns nil.
type Following struct {
	opts   Options
	follow FollowOptions
	ctx    context.Context
	stop   context.CancelFunc
	wake   chan struct{} // wakes the reading goroutine
	ready  chan struct{} // wakes Next
	ended  chan struct{} // closed when all goroutines have ended

	mu       sync.Mutex
	current  *epoch   // epoch (period with one system) whose rows Next returns
	err      error    // error that Next returns after the last row; nil if more rows may follow
	set      *setting // topology that SetSystem has set, and that no epoch uses yet; nil if there is no such topology
	progress Progress
	found    []topology.Seen
	warned   []ingest.Warning

	work      sync.Mutex // held while files are read; guards all fields below
	returned  foundSoFar // identifies the list that the method news has returned last
	watch     *fileWatch
	looks     int // number of checks of the files so far
	scanErr   error
	scanDue   bool          // true if files may have appeared or disappeared since the last scan (fileWatch.Scan)
	scanned   time.Time     // end of the last scan
	scanTook  time.Duration // duration of the last scan
	files     map[string]*file
	hosts     []*host // in natural order of their names
	chosen    []ingest.Warning
	wantsMore bool
	system    *topology.System // topology that the user has set; if it is nil, the system consists of the devices in the files
	latest    *epoch           // epoch that is being filled
	stale     bool             // true if a new epoch must begin
	trouble   error            // reason why the last attempt to begin an epoch failed; nil if it succeeded
	closed    int64            // number of the last closed step; a closed step takes no more data
}

// setting is a topology that SetSystem has set.
type setting struct{ system *topology.System }

// Follow reads the activity files below the given paths. A path is a file or a directory, and need
// not exist yet. Follow returns immediately, and a goroutine reads the files. The goroutine reads
// the existing records at full speed, and then continues as files grow, appear and disappear. It
// stops when ctx is cancelled or Close is called.
func Follow(ctx context.Context, paths []string, o Options, fo FollowOptions) (*Following, error) {
	f, err := newFollowing(ctx, paths, o, fo)
	if err != nil {
		return nil, err
	}
	go f.run()
	return f, nil
}

func newFollowing(ctx context.Context, paths []string, o Options, fo FollowOptions) (*Following, error) {
	var check plan
	if err := errors.Join(o.Validate(), fo.Validate(), check.ChooseMetrics(slices.Concat(o.Metrics, o.Wanted.Metrics))); err != nil {
		return nil, err
	}
	f := &Following{
		opts: o, follow: fo, system: o.System, files: map[string]*file{}, watch: newFileWatch(paths), current: &epoch{},
		wake: make(chan struct{}, 1), ready: make(chan struct{}, 1), ended: make(chan struct{}),
		found: slices.Clone(fo.Found),
	}
	f.ctx, f.stop = context.WithCancel(ctx)
	return f, nil
}

// run reads files until the context ends or all rows have been made.
func (f *Following) run() {
	defer close(f.ended)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for f.ctx.Err() == nil && !f.isOver() {
		if f.checkAndRead() {
			continue
		}
		timer.Reset(f.poll())
		select {
		case <-timer.C:
		case <-f.wake:
		case <-f.ctx.Done():
		}
	}
	f.end(f.ctx.Err())
}

// isOver reports whether the last row was made.
func (f *Following) isOver() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil
}

// poll returns the time to wait until the next check of the files.
func (f *Following) poll() time.Duration {
	if f.follow.Poll > 0 {
		return f.follow.Poll
	}
	if f.latest == nil {
		return time.Second
	}
	return min(mostPoll, time.Duration(f.latest.Schema.StepSeconds)*time.Second)
}

// mostPoll is the longest time between two checks of the files. If a step is shorter, the files are
// checked once in each step. More frequent checks would take too much processor time. A check reads
// the data of all machines from memory, which takes longer than reading a record.
const mostPoll = 15 * time.Second

// end stores the error that Next returns after the last row. Only the first call
// has an effect.
func (f *Following) end(err error) {
	f.mu.Lock()
	if f.err == nil {
		f.err = err
	}
	f.mu.Unlock()
	signal(f.ready)
}

// signal wakes the goroutine that waits on c. If no goroutine waits, the next
// wait on c ends immediately.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// System returns the system that the rows describe. It is nil until Next first
// returns ingest.ErrChanged. It changes only when Next returns
// ingest.ErrChanged.
func (f *Following) System() *topology.System {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current.System
}

// Schema returns the schema of the rows. The step and the metrics never change;
// the number of components changes with the system.
func (f *Following) Schema() table.Schema {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current.Schema
}

// Next waits until the next row is closed (takes no more data), and returns this row. It returns
// ingest.ErrChanged when the system has changed. It returns io.EOF after Close. If
// FollowOptions.Once is set, Next also returns io.EOF at the end of the files.
func (f *Following) Next(ctx context.Context) (*table.Row, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if row, err := f.take(); row != nil || err != nil {
			return row, err
		}
		select {
		case <-f.ready:
		case <-ctx.Done():
		}
	}
}

// HasNext reports whether Next would return without waiting. Any goroutine may
// call it.
func (f *Following) HasNext() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.current
	for !e.HasNext() && e.next != nil && e.next.System == e.System {
		e = e.next
	}
	return e.HasNext() || e.next != nil || f.err != nil
}

// take returns the row or the error that is ready for Next. The row and the
// error are nil if nothing is ready.
func (f *Following) take() (*table.Row, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		row, freed := f.current.Take()
		if freed {
			signal(f.wake)
		}
		if row != nil {
			return row, nil
		}
		if f.current.next == nil {
			return nil, f.err
		}
		was := f.current
		f.current = was.next
		if f.current.System != was.System {
			return nil, ingest.ErrChanged
		}
	}
}

// SetSystem sets the topology. If s is nil, the system consists of the devices
// that the files show. Any goroutine may call SetSystem. Next returns
// ingest.ErrChanged before the first row of the new system.
func (f *Following) SetSystem(s *topology.System) {
	f.mu.Lock()
	f.set = &setting{s}
	f.mu.Unlock()
	signal(f.wake)
}

// takeSet applies the topology that SetSystem has set, so that a new epoch begins with it.
func (f *Following) takeSet() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.set != nil {
		f.system, f.set, f.stale = f.set.system, nil, true
	}
}

// Found returns the devices, interfaces and hosts that the files have shown so far, for
// FollowOptions.Found of a later process. Any goroutine may call it.
func (f *Following) Found() []topology.Seen { return slices.Clone(f.sightings()) }

// FoundCount returns the length of the list that Found returns. FoundCount is
// faster than Found, because it does not copy the list.
func (f *Following) FoundCount() int { return len(f.sightings()) }

// sightings adds to f.found what the files have shown since the last call of sightings. Then it
// returns f.found: the devices, interfaces and hosts that the files have shown so far.
func (f *Following) sightings() []topology.Seen {
	var seen []topology.Seen
	if f.work.TryLock() { // if TryLock fails, files are being read, and the result of the last call is used
		seen = f.news()
		f.work.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = append(f.found, withoutKnown(seen, f.found)...)
	return f.found // safe without the lock, since elements are only appended
}

// news returns the devices, interfaces and hosts that the files have shown since the latest epoch
// began. If the files have shown nothing new since the last call of news, it returns nil.
func (f *Following) news() []topology.Seen {
	if f.latest == nil {
		return nil
	}
	so := foundSoFar{f.latest, f.latest.Sighted()}
	if so == f.returned {
		return nil
	}
	f.returned = so
	return f.latest.Sightings()
}

// foundSoFar identifies a list that the method news has returned. It has the epoch, and the result
// of plan.Sighted at that time: a number that changes with each new device or interface.
type foundSoFar struct {
	epoch   *epoch
	sighted int
}

// Close stops following and waits for all goroutines.
func (f *Following) Close() error {
	f.end(io.EOF)
	f.stop()
	<-f.ended
	f.work.Lock()
	defer f.work.Unlock()
	if f.latest == nil {
		return nil
	}
	return f.latest.Close()
}
