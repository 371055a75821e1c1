package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/activity"
	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/journal"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/topology"
)

// journalDir is the name of the journal's directory in the state directory.
const journalDir = "journal"

const (
	lookEvery = time.Second // interval between calls of lookAround
	healLooks = 10          // number of calls of lookAround between two attempts to repair the journal
	calmLooks = 5           // a new Result is made at every fifth call of lookAround, even without a new row
)

// Watch is a running diagnosis. Its exported methods may be called from any goroutine. All other
// methods are called only from the goroutine of [Watch.Run].
type Watch struct {
	o       Options
	journal *journal.Journal
	store   *announce.Store
	source  atomic.Pointer[activity.Following]
	result  atomic.Pointer[Result]
	calls   chan func()   // functions that other goroutines want to run between two rows
	ended   chan struct{} // closed when Run returns

	d      *diagnosis // diagnosis of the present system; nil until the first system is known
	memory            // state that is saved with the diagnosis

	pending      []func(*ledger.Tx) error // writes that are not in the ledger yet
	anew         bool                     // true if the state could not be used, so that the ledger may have incidents that the engine does not have
	repaired     bool                     // true if files of the state were damaged or belonged to different states; the restored state then differs from the state in the journal
	adopted      bool                     // true if the ledger is new, or is the ledger of another state
	known        *knownEvents             // events that the ledger has and the engine may make again; nil if there are no such events
	unexecuted   []ledger.PlacedCommand   // commands in the ledger that the restored engine has not executed, in order
	live         bool                     // true if the backlog (rows that are older than liveSteps allows) has been read
	rows         int64                    // number of rows since the process started
	wroteFigures bool                     // true if the figures of open incidents were written since the process started
	saved        time.Time                // time of the last snapshot
	unsaved      error                    // error of the last snapshot; nil if it succeeded
	looks        int                      // number of calls of lookAround
	shown        diagnosed                // progress of the diagnosis in the last Result
	warned       []topology.Warning       // warnings in the last Result
	afterRow     func()                   // function for tests, called after each row
	closeOnce    sync.Once
}

// Open opens the state directory and continues from the saved state. It fails if another process
// uses the same state directory.
func Open(ctx context.Context, o Options) (*Watch, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Warn == nil {
		o.Warn = o.Report
	}
	if err := outfile.MakeOwnDir(o.StateDir); err != nil {
		return nil, err
	}
	w := &Watch{o: o, calls: make(chan func()), ended: make(chan struct{}), saved: o.Now(), afterRow: func() {}}
	w.since = cmp.Or(o.Alert.QuietBefore, o.Now().Unix())
	j, recovered, err := journal.Open(filepath.Join(o.StateDir, journalDir), journal.DefaultOptions())
	if err != nil {
		return nil, err
	}
	w.journal = j
	if w.store, err = announce.Open(ctx, announce.Options{Dir: o.StateDir, History: o.History, Retention: o.Retention, Now: o.Now, Report: o.Report, Warn: o.Warn, NewLedger: o.NewLedger}); err != nil {
		return nil, errors.Join(err, w.close())
	}
	for _, text := range o.Damage {
		w.store.Troubles.Damaged(text)
	}
	var f ledger.Followed
	err = w.store.Ledger.Step(ctx, func(tx *ledger.Tx) (err error) { f, err = tx.Follow("", o.Now().Unix()); return err })
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	if err := w.recover(recovered, f.IsNew); err != nil {
		return nil, errors.Join(err, w.close())
	}
	if w.repaired || recovered.Older {
		w.snapshot() // the present state differs from the state in the journal, or the log has the form of an older version
	}
	w.show()
	if err := w.Result().Accepts(o.System); err != nil && !o.ChangeTopology {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// Ledger returns the ledger of events and commands.
func (w *Watch) Ledger() *ledger.Ledger { return w.store.Ledger }

// History returns the store of measured values and scores.
func (w *Watch) History() *history.Store { return w.store.History }

// Run follows the files until the context ends. If Options.Once is set, Run returns at the end of
// the files. It saves the state before it returns.
func (w *Watch) Run(ctx context.Context) error {
	defer close(w.ended)
	src, err := activity.Follow(ctx, w.o.Paths, w.sourceOptions(), activity.FollowOptions{
		LateSeconds: w.o.LateSeconds, Poll: w.o.Poll, After: w.row, Found: w.found, Now: w.o.Now, Until: w.o.Until, Once: w.o.Once,
	})
	if err != nil {
		return err
	}
	defer src.Close()
	w.source.Store(src)
	reading, stop := context.WithCancel(ctx)
	next := read(reading, src)
	err = w.loop(ctx, next)
	stop()
	for range next { // wait until the goroutine that reads the source has ended
	}
	w.found = src.Found()
	if w.o.Once && ctx.Err() == nil {
		w.executeAllUnexecuted()
	}
	w.snapshot()
	w.show()
	return err
}

// sourceOptions returns the options for reading files. If there is already a diagnosis, its step
// length is used, because the step length of a diagnosis never changes.
func (w *Watch) sourceOptions() activity.Options {
	o := activity.ForDiagnosis(&w.o.Diagnose)
	o.StepSeconds, o.System, o.Peers = w.o.StepSeconds, w.o.System, w.o.Peers
	if w.d != nil {
		o.StepSeconds = w.d.Subject.Schema.StepSeconds
	}
	return o
}

// loop processes rows and the requests of other goroutines, one at a time.
func (w *Watch) loop(ctx context.Context, next <-chan arrival) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case a, more := <-next:
			if !more { // the source has ended or the context has ended
				return nil
			}
			err := w.take(a)
			close(a.taken)
			if err != nil {
				return loopError(ctx, err)
			}
		case ask := <-w.calls:
			ask()
		case <-tick.C:
			w.lookAround()
		case <-ctx.Done():
			return nil
		}
	}
}

// loopError returns the error with which the loop ended. It returns nil if the loop ended because
// the files ended or the context ended.
func loopError(ctx context.Context, err error) error {
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// take processes a row or an error of the source.
func (w *Watch) take(a arrival) error {
	switch {
	case a.err == nil:
		w.executeUnexecuted(a.row.End)
		w.log(a.row, a.more)
		w.push(a.row)
		w.saveInTime()
		w.afterRow()
		return nil
	case errors.Is(a.err, ingest.ErrChanged):
		src := w.source.Load()
		return w.change(src.System(), src)
	}
	return a.err
}

// lookAround does work that is due even without a new row. It executes commands from the ledger,
// repairs the journal, saves the state and makes a new Result.
func (w *Watch) lookAround() {
	w.looks++
	if src := w.source.Load(); src != nil && len(w.unexecuted) > 0 && allRead(&w.Result().Progress) && !src.HasNext() {
		w.executeAllUnexecuted()
	}
	if w.looks%healLooks == 0 && (w.journal.Broken() != nil || w.unsaved != nil || w.foundMore()) {
		w.snapshot()
	}
	w.saveInTime()
	if !w.live || w.looks%calmLooks == 0 || w.Result().Rows != w.rows || !slices.Equal(w.Result().Troubles, w.store.Troubles.All()) {
		w.show()
	}
}

// foundMore reports whether the files have components that are not in the last snapshot.
func (w *Watch) foundMore() bool {
	src := w.source.Load()
	return w.rows > 0 && src != nil && src.FoundCount() > len(w.found)
}

// saveInTime makes a snapshot if the last snapshot is too old or the log is too large.
func (w *Watch) saveInTime() {
	if w.rows > 0 && (w.o.Now().Sub(w.saved) >= w.o.SnapshotEvery || w.journal.LogSize() >= w.o.SnapshotBytes) {
		w.snapshot()
	}
}

// runBetweenRows runs a function between two rows and waits until the function has returned.
func (w *Watch) runBetweenRows(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	select {
	case w.calls <- func() { done <- do() }:
		return <-done
	case <-ctx.Done():
		return ctx.Err()
	case <-w.ended:
		return errors.New("the diagnosis has been stopped")
	}
}

// SetSystem sets a new topology. The caller uses it after the topology file was read again.
func (w *Watch) SetSystem(s *topology.System) {
	if src := w.source.Load(); src != nil {
		src.SetSystem(s)
	}
}

// SetAlerts changes the options of alerts. The new options apply to decisions after this call only.
func (w *Watch) SetAlerts(ctx context.Context, o alert.Options) error {
	return w.runBetweenRows(ctx, func() error {
		w.o.Alert = o
		if w.d == nil {
			return nil
		}
		return w.d.SetAlerts(w.alerts())
	})
}

// alerts returns the options of alerts that the operator has set. It also sets QuietBefore to the time
// at which the diagnosis began. So incidents that were over at this time cause no notification.
func (w *Watch) alerts() alert.Options {
	o := w.o.Alert
	o.QuietBefore = w.since
	return o
}

// Close closes the journal, the ledger and the history. Run must have returned, or never have been
// called.
func (w *Watch) Close() (err error) {
	w.closeOnce.Do(func() { err = w.close() })
	return err
}

func (w *Watch) close() error {
	var err error
	if w.store != nil {
		err = w.store.Close()
	}
	if err := errors.Join(err, w.journal.Close()); err != nil {
		return fmt.Errorf("the saved state cannot be closed: %w", err)
	}
	return nil
}
