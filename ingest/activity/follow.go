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

// FollowOptions set how growing files are followed. Now is required. With the
// other fields at zero, files are followed from their beginning, without end.
type FollowOptions struct {
	// LateSeconds is how long a step stays open for a machine that is late. The
	// time starts two steps after the step's end. A machine without delay has
	// the step by then, because a step is complete when the next step closes. 0
	// stands for two steps.
	LateSeconds int64 `name:"late seconds"`
	// Poll is the time between two looks at the files; 0 stands for one step,
	// at most fifteen seconds.
	Poll time.Duration `name:"poll"`
	// After is the end of the last row that an earlier process returned. Rows
	// begin after that time, and are equal to the rows that the earlier process
	// would have returned. Files that end before After are not opened. 0 begins
	// with the oldest file.
	After int64 `name:"after"`
	// Found is the result of Following.Found in the earlier process. It keeps
	// components in the system whose files are gone by now.
	Found []topology.Seen
	// Now returns the present time. It decides which machines are late.
	Now func() time.Time
	// Until returns a time. Steps after that time are not closed yet, even if
	// all machines have them, because another part of limpet is still writing
	// files of earlier hours. nil means that there is no such bound.
	Until func() time.Time
	// Once reads the files as they are and ends with io.EOF, as Open does. No
	// machine is late then.
	Once bool
}

// Validate reports every setting that cannot work.
func (f *FollowOptions) Validate() error {
	errs := bounds.Errors{bounds.Check(f)}
	errs.Need(f.Now != nil, "following files needs a clock: set FollowOptions.Now")
	return errs.Join()
}

// Following is an ingest.Source of rows from activity files that grow. Its Next
// also returns ingest.ErrChanged whenever the system changes, and for the first
// time when the first system is found. System returns nil until then.
type Following struct {
	opts   Options
	follow FollowOptions
	ctx    context.Context
	stop   context.CancelFunc
	nudge  chan struct{} // wakes the reading goroutine
	ready  chan struct{} // wakes Next
	ended  chan struct{} // closed when all goroutines have ended

	mu       sync.Mutex
	current  *epoch // epoch whose rows Next returns
	err      error  // reason why there are no more rows
	set      *setting
	progress Progress
	found    []topology.Seen
	warned   []ingest.Warning

	work    sync.Mutex // held while files are read; guards all fields below
	told    foundSoFar // sightings that Found has returned
	watch   *fileWatch
	looks   int
	scanErr error
	files   map[string]*file
	hosts   []*host // in natural order
	chosen  []ingest.Warning
	wanted  bool
	system  *topology.System // system that was set; nil: the system that the files show
	latest  *epoch           // epoch that is being filled
	stale   bool             // latest no longer fits the files
	trouble error            // reason why there is no newer epoch
	closed  int64            // number of the last closed step
}

// setting is a topology that SetSystem has set.
type setting struct{ system *topology.System }

// Follow follows the activity files below paths, which may be files and
// directories that do not exist yet. It reads the existing records at full
// speed, and then continues as files grow, appear and disappear. It returns at
// once. Cancelling ctx stops everything, as Close does.
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
		nudge: make(chan struct{}, 1), ready: make(chan struct{}, 1), ended: make(chan struct{}),
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
		if f.turn() {
			continue
		}
		timer.Reset(f.poll())
		select {
		case <-timer.C:
		case <-f.nudge:
		case <-f.ctx.Done():
		}
	}
	f.end(f.ctx.Err())
}

// isOver reports whether all rows have been made.
func (f *Following) isOver() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil
}

// poll returns the time to wait until the next look at the files.
func (f *Following) poll() time.Duration {
	if f.follow.Poll > 0 {
		return f.follow.Poll
	}
	if f.latest == nil {
		return time.Second
	}
	return min(mostPoll, time.Duration(f.latest.Schema.StepSeconds)*time.Second)
}

// mostPoll bounds the time between two looks, however long a step is. Each look
// brings the memory of all machines back into the processor's cache, which
// costs more than reading a record.
const mostPoll = 15 * time.Second

// end stores the reason why there are no more rows.
func (f *Following) end(err error) {
	f.mu.Lock()
	if f.err == nil {
		f.err = err
	}
	f.mu.Unlock()
	signal(f.ready)
}

// signal wakes the goroutine that waits on c, now or later.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// System returns the system that the rows are about. It is nil until Next has
// returned ingest.ErrChanged, and changes only then.
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

// Next waits until the next row is closed and returns it. It returns
// ingest.ErrChanged when the system has changed. It returns io.EOF after Close,
// or at the end of the files where Once is set.
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

// HasNext reports whether Next would return at once. Any goroutine may call it.
func (f *Following) HasNext() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.current
	for !e.HasNext() && e.next != nil && e.next.System == e.System {
		e = e.next
	}
	return e.HasNext() || e.next != nil || f.err != nil
}

// take returns the row or the error that is ready for Next. Both are nil if
// nothing is ready.
func (f *Following) take() (*table.Row, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		row, freed := f.current.Take()
		if freed {
			signal(f.nudge)
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

// SetSystem sets a topology that was read again; nil stands for the system that
// the files show. Any goroutine may call it. Next returns ingest.ErrChanged
// when the new system is in force.
func (f *Following) SetSystem(s *topology.System) {
	f.mu.Lock()
	f.set = &setting{s}
	f.mu.Unlock()
	signal(f.nudge)
}

// takeSet applies the topology that SetSystem has set.
func (f *Following) takeSet() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.set != nil {
		f.system, f.set, f.stale = f.set.system, nil, true
	}
}

// Found returns the devices and interfaces that the files have shown so far,
// for FollowOptions.Found of a later process. Any goroutine may call it.
func (f *Following) Found() []topology.Seen { return slices.Clone(f.sightings()) }

// FoundCount returns the length of the list that Found returns, at a small part
// of the cost.
func (f *Following) FoundCount() int { return len(f.sightings()) }

// sightings returns all sightings so far. It first adds the sightings since the
// last call.
func (f *Following) sightings() []topology.Seen {
	var seen []topology.Seen
	if f.work.TryLock() { // while files are read, the result of a moment ago is good enough
		seen = f.news()
		f.work.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = append(f.found, unknown(seen, f.found)...)
	return f.found // elements are only appended
}

// news returns the sightings of the latest epoch if there are more than at the
// last call.
func (f *Following) news() []topology.Seen {
	if f.latest == nil {
		return nil
	}
	so := foundSoFar{f.latest, f.latest.Sighted()}
	if so == f.told {
		return nil
	}
	f.told = so
	return f.latest.Sightings()
}

// foundSoFar is how much of an epoch's sightings Found has returned.
type foundSoFar struct {
	of      *epoch
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
