// A replica is one running instance of a task. At any time, only one replica of a task can write
// the output of the task. A replica holds a lease (a lock that expires) while it runs the task.
//
// A [Task] reads the records of a log in order and makes output. It uses no clock and no random
// numbers. So two replicas that begin with the same snapshot and read the same records make the
// same output in the same order. There are three guarantees:
//
//   - Nothing is lost. A new replica begins with the last snapshot and reads every record since
//     that snapshot.
//   - Nothing is written twice. The output of a task is numbered and stored in a log. Each record
//     of the log has a subject: the name of its task. A new replica reads the output that the log
//     has after the snapshot. It makes this output again, but does not write it again.
//   - An old replica cannot write. The log accepts a record only if the replica that writes it has
//     read the last record with this subject. A new replica first writes a claim: a record without
//     output. If the old replica was paused, it may not have noticed the loss of its lease. But it
//     has not read the claim, so the log refuses its next record.
//
// Another version of limpet may make other output of the same records. replica_quiet.go has the
// rules for the records whose output another version has written. With these rules, nothing is
// reported twice, and in the end the log and the task have the same open incidents. If a newer
// version wrote the snapshot, or a record of the input, a node of an older version does not
// continue the task.
//
// So the lease decides which replica runs, and the log decides which replica can write output.

package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// Task is the work of a replica: it takes the records of a log, one after the other, and makes
// output.
type Task interface {
	// Take processes the next record. It passes each output to the given function, in order.
	Take(r bus.Record, write func(Kind, []byte)) error
	// Save encodes the state of the task. A new task can continue from this state.
	Save() ([]byte, error)
	// View returns the present result of the task. Every node of the cluster collects the results
	// of all tasks, to show them (type Gather). View returns nil if there is no result yet.
	View() ([]byte, error)
}

// Replica is a task, together with its input, its output and the storage of its state.
type Replica struct {
	Name string  // name of the task
	In   bus.Log // input
	Out  bus.Log // log of the output; the subject of the task's records is the field Name
	// Blobs stores the snapshots and the views (present results) of tasks.
	Blobs bus.Blobs
	// New returns a task that continues from a saved state. If `saved` is nil, the task begins
	// without a state.
	New func(saved []byte) (Task, error)
	// SaveEvery is the interval between two snapshots. ShowEvery is the interval between two views.
	SaveEvery, ShowEvery time.Duration
	Now                  func() time.Time
	Report               func(sentence string)
}

// stateName returns the name of the blob with the snapshot of a task.
func stateName(task string) string { return "state." + task }

// ViewName returns the name of the blob with the view (the present result) of a task.
func ViewName(task string) string { return "shown." + task }

// ErrFenced means that another replica has taken over the task.
var ErrFenced = errors.New("another node has taken over this partition")

// snapshot is the state of a task after it has processed a record.
type snapshot struct {
	Version int    // version of the form of a snapshot (snapshotVersion); 0 if an earlier limpet wrote the snapshot
	Seq     uint64 // number of the last record that the task has processed
	Number  uint64 // number of the last output of the task
	LogSeq  uint64 // sequence number of the last output of the task in the log; 0 if an earlier limpet wrote the snapshot
	Quiet   *quiet // nil if the replica is not quiet (replica_quiet.go)
	State   []byte
}

// snapshotVersion is the version of the form of snapshots. A snapshot of form 0, which an earlier
// limpet wrote, has no Version, LogSeq and Quiet.
const snapshotVersion = 1

type runningReplica struct {
	Replica
	fence         uint64
	task          Task
	position      snapshot // last processed record, last output and quiet mode; snapshot.State is empty
	partlyWritten bool     // true if some output of the current record is not written yet
	written       uint64   // number of the task's last output in the log
	lastSeq       uint64   // sequence number of the last output or claim of the task in the log
	saved         time.Time
	savedAt       uint64 // number of the last record that the last snapshot includes
	shown         time.Time
	shownAt       uint64

	// tail is the output that an earlier replica wrote after its last snapshot. Then that replica
	// was killed. The task of this replica has not made this output again yet.
	tail []Output
}

// Run runs the task under a lease until the context ends, and then saves the task. The parameter
// `fence` is the fence of the lease (bus.Lease): a later lease has a higher fence. Run returns
// [ErrFenced] if another replica has taken over.
func (o Replica) Run(ctx context.Context, fence uint64) error {
	r := &runningReplica{Replica: o, fence: fence}
	if err := r.claim(ctx); err != nil {
		return err
	}
	if err := r.restore(ctx); err != nil {
		return err
	}
	err := r.loop(ctx)
	if errors.Is(err, ErrFenced) || ctx.Err() == nil {
		return err
	}
	return r.leave(context.WithoutCancel(ctx))
}

// leaveWithin is the longest time for saving a task that this worker gives up.
const leaveWithin = 3 * time.Second

func (r *runningReplica) leave(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, leaveWithin)
	defer stop()
	return r.save(ctx)
}

// claim writes a claim (a record without output) into the output log. From then on only this
// replica can write output of the task, until another replica writes a claim.
func (r *runningReplica) claim(ctx context.Context) error {
	for ctx.Err() == nil {
		last, err := r.Out.Last(ctx, r.Name)
		if err != nil && !errors.Is(err, bus.ErrNone) {
			return err
		}
		mine := Output{Number: 0, Fence: r.fence, Kind: ClaimKind, Cause: r.Now()}
		if err == nil {
			before, err := ParseOutput(last)
			if isNewer(err) {
				return leftToNewer(err)
			}
			if err != nil {
				return err
			}
			if before.Fence > r.fence {
				return ErrFenced
			}
			mine.Number = before.Number
		}
		seq, err := r.Out.Put(ctx, bus.Record{Subject: r.Name, ID: fmt.Sprintf("%s claim %d", r.Name, r.fence), Data: mine.encode()}, last.Seq)
		if err == nil {
			r.written, r.lastSeq = mine.Number, seq
			return nil
		}
		if !errors.Is(err, bus.ErrConflict) {
			return err
		}
	}
	return ctx.Err()
}

// restore restores the task from its snapshot. If the snapshot cannot be used, the task begins
// without a state.
func (r *runningReplica) restore(ctx context.Context) error {
	data, err := r.Blobs.Get(ctx, stateName(r.Name))
	for tries := 0; err != nil && !errors.Is(err, bus.ErrNone); tries++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if tries == quietTries {
			r.Report(fmt.Sprintf("the saved state of %s cannot be read: %v; limpet tries again, and this partition has no diagnosis until then", r.Name, err))
		}
		pause(ctx)
		data, err = r.Blobs.Get(ctx, stateName(r.Name))
	}
	r.saved = r.Now()
	if err != nil { // the task has no snapshot
		if r.task, err = r.New(nil); err != nil {
			return err
		}
		if err := r.readTail(ctx); err != nil || len(r.tail) == 0 || r.Now().Sub(r.tail[0].Cause) <= lostAfter*r.SaveEvery {
			return err
		}
		r.Report(fmt.Sprintf("the saved state of %s is missing, although this partition has been diagnosed since %s; the diagnosis of this partition starts again with the oldest data in NATS",
			r.Name, r.tail[0].Cause.UTC().Format(time.RFC3339)))
		r.tail = nil
		return r.beginAnew(ctx)
	}
	r.position, err = decodeSnapshot(data)
	if err == nil {
		r.task, err = r.New(r.position.State)
		r.position.State = nil
	}
	if err == nil {
		r.savedAt = r.position.Seq
		return r.readTail(ctx)
	}
	if isNewer(err) {
		return leftToNewer(err)
	}
	r.Report(fmt.Sprintf("the saved state of %s cannot be used: %v; the diagnosis of this partition starts again with the oldest data in NATS", r.Name, err))
	if r.task, err = r.New(nil); err != nil {
		return err
	}
	return r.beginAnew(ctx)
}

// decodeSnapshot decodes a snapshot of the present form, or of form 0, which earlier versions of
// limpet wrote.
func decodeSnapshot(data []byte) (snapshot, error) {
	s, err := Decode[snapshot](data)
	if err == nil && s.Version > snapshotVersion {
		err = fmt.Errorf("%w (format %d of snapshots; this version reads format %d)", engine.ErrNewer, s.Version, snapshotVersion)
	}
	return s, err
}

// isNewer reports whether a newer version of limpet has written a state or a record.
func isNewer(err error) bool {
	return errors.Is(err, engine.ErrNewer) || errors.Is(err, plan.ErrNewer) || errors.Is(err, errNewerOutput)
}

// leftError is the error of a node that leaves a task to nodes with a newer version of limpet. In a
// rolling upgrade, these nodes continue the task.
type leftError struct{ cause error }

func (e leftError) Error() string {
	return fmt.Sprintf("nodes with a newer version of limpet run this partition: %v", e.cause)
}

func (e leftError) Unwrap() error { return e.cause }

func leftToNewer(err error) error { return leftError{err} }

// A running task is saved at the interval SaveEvery. Suppose that a task has no snapshot, but has
// output in the log that is older than lostAfter·SaveEvery. Then its snapshot was lost.
const lostAfter = 3

// The first quietTries failed reads of the state are not reported, because a few reads fail
// whenever a NATS server fails.
const quietTries = 3

const pauseFor = 100 * time.Millisecond

func pause(ctx context.Context) {
	select {
	case <-time.After(pauseFor):
	case <-ctx.Done():
	}
}

// loop takes records until the context ends.
func (r *runningReplica) loop(ctx context.Context) error {
	in, err := r.In.Read(ctx, r.position.Seq)
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		next, err := r.next(ctx, in)
		if err != nil {
			return err
		}
		if next.Seq > 0 {
			if err := r.take(ctx, next); err != nil {
				return err
			}
		}
		r.saveAndShow(ctx)
	}
}

// next returns the next record. It waits at most for the time ShowEvery, so that the view (the
// present result of the task) is published in time. If no record comes, the result is empty.
func (r *runningReplica) next(ctx context.Context, in bus.Reader) (bus.Record, error) {
	one, stop := context.WithTimeout(ctx, r.ShowEvery)
	defer stop()
	next, err := in.Next(one)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return bus.Record{}, nil
	}
	return next, err
}

// take passes a record to the task and writes the output.
func (r *runningReplica) take(ctx context.Context, next bus.Record) error {
	r.partlyWritten = true
	if err := r.endQuiet(ctx, &next); err != nil {
		return err
	}
	var outputs []Output
	err := r.task.Take(next, func(k Kind, data []byte) {
		outputs = append(outputs, Output{Kind: k, Cause: next.Time, Data: data, Fence: r.fence})
	})
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // the context has ended, and this may have caused the error
	}
	if isNewer(err) {
		return leftToNewer(err)
	}
	if err != nil {
		r.Report(fmt.Sprintf("%s: data record %d in NATS cannot be used and is left out: %v", r.Name, next.Seq, err))
	}
	for i := range outputs {
		if err := r.emit(ctx, &next, &outputs[i]); err != nil {
			return err
		}
	}
	if len(r.tail) > 0 && !r.tail[0].Cause.After(next.Time) {
		r.leaveTail() // the log has an output of this record that the task has not made
	}
	r.position.Seq, r.partlyWritten = next.Seq, false
	return nil
}

// write puts an output into the log. It returns ErrFenced if another replica of this task has
// written to the log since.
func (r *runningReplica) write(ctx context.Context, s *Output) error {
	// The ID contains the fence. Two replicas may write different output with the same number. With
	// the same ID, NATS would take the second output for a repetition of the first, and report
	// success.
	id := fmt.Sprintf("%s %d %d", r.Name, r.fence, s.Number)
	seq, err := r.Out.Put(ctx, bus.Record{Subject: r.Name, ID: id, Data: s.encode()}, r.lastSeq)
	if errors.Is(err, bus.ErrConflict) {
		return ErrFenced
	}
	if err != nil {
		return err
	}
	r.written, r.lastSeq, r.position.LogSeq = s.Number, seq, seq
	return nil
}

// saveAndShow saves the task when a snapshot is due, and publishes the view when a view is due. If
// saving or publishing fails, saveAndShow tries again after the next interval.
func (r *runningReplica) saveAndShow(ctx context.Context) {
	now := r.Now()
	if r.position.Seq != r.savedAt && now.Sub(r.saved) >= r.SaveEvery {
		r.saved = now
		r.report("saved", r.save(ctx))
	}
	if r.position.Seq != r.shownAt && now.Sub(r.shown) >= r.ShowEvery {
		r.shown = now
		r.report("published", r.show(ctx))
	}
}

func (r *runningReplica) report(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		r.Report(fmt.Sprintf("the saved state of %s cannot be %s: %v; limpet tries again", r.Name, what, err))
	}
}

func (r *runningReplica) save(ctx context.Context) error {
	if r.position.Seq == r.savedAt || r.partlyWritten {
		return nil
	}
	now := r.position
	now.Version = snapshotVersion
	var err error
	if now.State, err = r.task.Save(); err != nil {
		return err
	}
	data, err := Encode(now)
	if err != nil {
		return err
	}
	if err := r.Blobs.Put(ctx, stateName(r.Name), data); err != nil {
		return err
	}
	r.savedAt = r.position.Seq
	return nil
}

func (r *runningReplica) show(ctx context.Context) error {
	data, err := r.task.View()
	if err != nil || data == nil {
		return err
	}
	if err := r.Blobs.Put(ctx, ViewName(r.Name), data); err != nil {
		return err
	}
	r.shownAt = r.position.Seq
	return nil
}
