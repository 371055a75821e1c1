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
	"github.com/limpet-storage/limpet/topology"
)

// FollowOptions say how files that grow are followed. Now is needed; all else
// has a default that follows files from their beginning, for ever.
type FollowOptions struct {
	// LateSeconds is how long a step is kept open for a machine that is behind, counted
	// from when a punctual machine has the step: two steps after its end, as a step is
	// given out when the next one closes. 0 takes two steps.
	LateSeconds int64
	// Poll is how often files are looked at; 0 takes a step, fifteen seconds at most.
	Poll time.Duration
	// After is the end of the last row that an earlier process gave out: rows
	// begin after it, and are those that it would have gone on with. Files
	// that certainly end before are not opened. 0 begins with the oldest file.
	After int64
	// Found is what Found said in the earlier process, so that components
	// whose files are gone by now stay in the system.
	Found []topology.Seen
	// Now is the clock that lateness goes by.
	Now func() time.Time
	// Until is a time after which no step is closed yet, even where all machines have it:
	// files of others are still written of earlier hours. nil: nobody says so.
	Until func() time.Time
	// Once reads what is there and ends with io.EOF, as Open does. Nothing is
	// late then.
	Once bool
}

// Validate reports every setting that cannot work.
func (f *FollowOptions) Validate() error {
	switch {
	case f.Now == nil:
		return errors.New("following files needs a clock: set FollowOptions.Now")
	case f.LateSeconds < 0 || f.Poll < 0 || f.After < 0:
		return errors.New("following files: times are not negative")
	}
	return nil
}

// Following is the rows of activity files that grow. It is a collect.Source
// whose Next also returns collect.ErrChanged, first of all when the first
// system is found: until then System is nil.
type Following struct {
	opts   Options
	follow FollowOptions
	ctx    context.Context
	stop   context.CancelFunc
	nudge  chan struct{} // there may be something to do
	ready  chan struct{} // there may be something for Next
	ended  chan struct{} // closed when nothing runs any more

	mu       sync.Mutex
	current  *epoch // that Next gives rows of
	err      error  // why there are no more rows
	set      *setting
	progress Progress
	found    []topology.Seen
	warned   []ingest.Warning

	work    sync.Mutex // held while files are read; guards all below
	told    soFar      // that Found has told of
	watch   *fileWatch
	looks   int
	scanErr error
	files   map[string]*file
	hosts   []*host // in natural order
	chosen  []ingest.Warning
	wanted  bool
	system  *topology.System // that was set, nil: what the files show
	latest  *epoch           // that is filled
	stale   bool             // the latest does not fit the files any more
	trouble error            // why there is no newer one
	closed  int64            // number of the last step that was closed
}

// setting is a topology that was set.
type setting struct{ system *topology.System }

// Follow follows the activity files among paths, which may be files and directories that
// do not exist yet. It reads what is there at full speed and then goes on as files grow,
// come and go. It returns at once; ctx ends all of it, as Close does.
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

// run reads files until the end.
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

// isOver says whether all rows were made.
func (f *Following) isOver() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil
}

// poll is how long to wait until files are looked at again.
func (f *Following) poll() time.Duration {
	if f.follow.Poll > 0 {
		return f.follow.Poll
	}
	if f.latest == nil {
		return time.Second
	}
	return min(mostPoll, time.Duration(f.latest.Schema.StepSeconds)*time.Second)
}

// mostPoll is until files are looked at again, however long a step is. A look brings the
// memory of all machines back to the processor, which costs more than to read a record.
const mostPoll = 15 * time.Second

// end says why there are no more rows.
func (f *Following) end(err error) {
	f.mu.Lock()
	if f.err == nil {
		f.err = err
	}
	f.mu.Unlock()
	signal(f.ready)
}

// signal wakes whoever waits, now or later.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// System is what the rows are about, nil until Next first returned
// collect.ErrChanged. It changes only when Next returns that.
func (f *Following) System() *topology.System {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current.System
}

// Schema says what the rows hold. Its step and its metrics stay as they were
// at first; the number of components changes with the system.
func (f *Following) Schema() table.Schema {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current.Schema
}

// Next returns the next row once it is closed, and blocks until then. It
// returns collect.ErrChanged when the system has changed, and io.EOF only
// where Once was asked for, or after Close.
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

// HasNext says whether Next would return at once. It may be called from any goroutine.
func (f *Following) HasNext() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.current
	for !e.HasNext() && e.next != nil && e.next.System == e.System {
		e = e.next
	}
	return e.HasNext() || e.next != nil || f.err != nil
}

// take returns what there is for Next, if anything.
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

// SetSystem sets a topology that was read anew; nil takes what the files show. It may be
// called from any goroutine. Next returns collect.ErrChanged when another is in force.
func (f *Following) SetSystem(s *topology.System) {
	f.mu.Lock()
	f.set = &setting{s}
	f.mu.Unlock()
	signal(f.nudge)
}

// takeSet takes a topology that was set since.
func (f *Following) takeSet() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.set != nil {
		f.system, f.set, f.stale = f.set.system, nil, true
	}
}

// Found is what the files have shown so far, to be kept for the Found of a
// process that goes on. It may be called from any goroutine.
func (f *Following) Found() []topology.Seen { return slices.Clone(f.sightings()) }

// FoundCount is how much Found returns, at a small part of its cost.
func (f *Following) FoundCount() int { return len(f.sightings()) }

// sightings takes in what the files have shown since.
func (f *Following) sightings() []topology.Seen {
	var seen []topology.Seen
	if f.work.TryLock() { // else it is what was found a moment ago
		seen = f.news()
		f.work.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = append(f.found, unknown(seen, f.found)...)
	return f.found // more is only appended
}

// news are the sightings of an epoch where it has further ones since they were asked
// for last.
func (f *Following) news() []topology.Seen {
	if f.latest == nil {
		return nil
	}
	so := soFar{f.latest, f.latest.Sighted()}
	if so == f.told {
		return nil
	}
	f.told = so
	return f.latest.Sightings()
}

// soFar is how much an epoch has shown.
type soFar struct {
	of      *epoch
	sighted int
}

// Close ends following and waits for what runs.
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
