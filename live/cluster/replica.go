// This file runs something that must go on somewhere, and at one place only.
//
// What runs is a [Machine]: it takes records of a log in order and says something. It
// asks no clock and rolls no dice, so that whoever runs it from the same snapshot over
// the same records says the same, in the same order. On that stands all that is promised:
//
//   - Nothing is lost: who takes over begins with the last snapshot and takes every
//     record since.
//   - Nothing is said twice: what a machine says is numbered, and stands in a log on a
//     subject of its own. Who takes over reads there how far it has come, and skips that.
//   - Nobody speaks out of turn: a record is put behind the last one that its writer
//     knows of. Who takes over begins with a claim; one that was paused meanwhile and
//     does not know of its loss puts its record behind an older one, and is refused.
//
// The lease decides who runs a machine; the log decides whose word counts.

package cluster

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// Task takes records and says something.
type Task interface {
	// Take takes the next record. What it says is handed on in order.
	Take(r bus.Record, say func(Kind, []byte)) error
	// Save writes down all that the machine remembers.
	Save() ([]byte, error)
	// Show is how things stand, for whoever looks; nil where nobody does.
	Show() ([]byte, error)
}

// Spec is what is to be run.
type Spec struct {
	Name string  // of the machine
	In   bus.Log // that it takes records of
	Out  bus.Log // that it speaks in, on the subject of its name
	// Blobs keep snapshots and what is shown.
	Blobs bus.Blobs
	// New returns the machine as it was saved, or a new one where saved is nil.
	New func(saved []byte) (Task, error)
	// SaveEvery and ShowEvery are how often it is saved and shown.
	SaveEvery, ShowEvery time.Duration
	Now                  func() time.Time
	Report               func(sentence string)
}

// stateName and ShownName are the names of the blobs of a machine.
func stateName(machine string) string { return "state." + machine }

// ShownName is the name of what a machine shows.
func ShownName(machine string) string { return "shown." + machine }

// ErrFenced says that another runs the machine by now.
var ErrFenced = errors.New("another node has taken over")

// snapshot is a machine as it was after a record.
type snapshot struct {
	Seq    uint64 // of the last record that it took
	Number uint64 // of the last that it said
	State  []byte
}

// run is a machine under way.
type run struct {
	Spec
	fence   uint64
	machine Task
	at      snapshot // without a state
	torn    bool     // a record was taken, and not all was said that followed from it
	said    uint64   // number of the last record in the log
	last    uint64   // its place there
	saved   time.Time
	savedAt uint64 // record of the last snapshot
	shown   time.Time
	shownAt uint64
}

// RunReplica runs a machine under a lease until the context ends, and saves it then. It returns
// [ErrFenced] where another has taken over.
func RunReplica(ctx context.Context, s Spec, fence uint64) error {
	r := &run{Spec: s, fence: fence}
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

// leaveWithin is how long a machine that is given up is tried to be saved.
const leaveWithin = 3 * time.Second

func (r *run) leave(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, leaveWithin)
	defer stop()
	return r.save(ctx)
}

// claim says in the log that from here on this runner speaks.
func (r *run) claim(ctx context.Context) error {
	for ctx.Err() == nil {
		last, err := r.Out.Last(ctx, r.Name)
		if err != nil && !errors.Is(err, bus.ErrNone) {
			return err
		}
		mine := Said{Number: 0, Fence: r.fence, Kind: Claim, Cause: r.Now()}
		if err == nil {
			before, err := Parse(last)
			if err != nil {
				return err
			}
			if before.Fence > r.fence {
				return ErrFenced
			}
			mine.Number = before.Number
		}
		seq, err := r.Out.Put(ctx, bus.Record{Subject: r.Name, ID: fmt.Sprintf("%s claim %d", r.Name, r.fence), Data: mine.bytes()}, last.Seq)
		if err == nil {
			r.said, r.last = mine.Number, seq
			return nil
		}
		if !errors.Is(err, bus.ErrConflict) {
			return err
		}
	}
	return ctx.Err()
}

// restore brings the machine back. A state of no use is no reason to do nothing.
func (r *run) restore(ctx context.Context) error {
	data, err := r.Blobs.Get(ctx, stateName(r.Name))
	for tries := 0; err != nil && !errors.Is(err, bus.ErrNone); tries++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if tries == silentTries {
			r.Report(fmt.Sprintf("%s: its state cannot be read: %v; it is tried again, and nothing is judged meanwhile", r.Name, err))
		}
		pause(ctx)
		data, err = r.Blobs.Get(ctx, stateName(r.Name))
	}
	r.saved = r.Now()
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(data)).Decode(&r.at)
		if err == nil {
			r.machine, err = r.New(r.at.State)
			r.at.State = nil
		}
		if err == nil {
			r.savedAt = r.at.Seq
			return nil
		}
		r.Report(fmt.Sprintf("%s: its state cannot be used: %v; it begins anew with the records that are kept", r.Name, err))
		// What it says now need not be what it said before: it goes on behind that.
		r.at = snapshot{Number: r.said}
	}
	r.machine, err = r.New(nil)
	return err
}

// silentTries is how often a state is tried to be read before anybody hears of it: when a
// server of NATS is lost it takes some.
const silentTries = 3

const pauseFor = 100 * time.Millisecond

func pause(ctx context.Context) {
	select {
	case <-time.After(pauseFor):
	case <-ctx.Done():
	}
}

// loop takes records until the context ends.
func (r *run) loop(ctx context.Context) error {
	in, err := r.In.Read(ctx, r.at.Seq)
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
		r.keep(ctx)
	}
}

// next waits for a record, and not for ever: there is something to show, too.
func (r *run) next(ctx context.Context, in bus.Reader) (bus.Record, error) {
	one, stop := context.WithTimeout(ctx, r.ShowEvery)
	defer stop()
	next, err := in.Next(one)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return bus.Record{}, nil
	}
	return next, err
}

// take lets the machine take a record, and says what it says.
func (r *run) take(ctx context.Context, next bus.Record) error {
	r.torn = true
	var said []Said
	err := r.machine.Take(next, func(k Kind, data []byte) {
		said = append(said, Said{Kind: k, Cause: next.Time, Data: data, Fence: r.fence})
	})
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // it may have been the end that kept the machine from taking it
	}
	if err != nil {
		r.Report(fmt.Sprintf("%s: record %d is left out: %v", r.Name, next.Seq, err))
	}
	for i := range said {
		r.at.Number++
		if r.at.Number <= r.said {
			continue // it was said before
		}
		said[i].Number = r.at.Number
		if err := r.say(ctx, &said[i]); err != nil {
			return err
		}
	}
	r.at.Seq, r.torn = next.Seq, false
	return nil
}

// say puts a record into the log, behind the last one that is known.
func (r *run) say(ctx context.Context, s *Said) error {
	seq, err := r.Out.Put(ctx, bus.Record{Subject: r.Name, ID: fmt.Sprintf("%s %d", r.Name, s.Number), Data: s.bytes()}, r.last)
	if errors.Is(err, bus.ErrConflict) {
		return ErrFenced
	}
	if err != nil {
		return err
	}
	r.said, r.last = s.Number, seq
	return nil
}

// keep saves and shows the machine where that is due. What fails is tried again.
func (r *run) keep(ctx context.Context) {
	now := r.Now()
	if r.at.Seq != r.savedAt && now.Sub(r.saved) >= r.SaveEvery {
		r.saved = now
		r.report("saved", r.save(ctx))
	}
	if r.at.Seq != r.shownAt && now.Sub(r.shown) >= r.ShowEvery {
		r.shown = now
		r.report("shown", r.show(ctx))
	}
}

func (r *run) report(what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		r.Report(fmt.Sprintf("%s cannot be %s: %v; it is tried again", r.Name, what, err))
	}
}

func (r *run) save(ctx context.Context) error {
	if r.at.Seq == r.savedAt || r.torn {
		return nil
	}
	state, err := r.machine.Save()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(snapshot{r.at.Seq, r.at.Number, state}); err != nil {
		return err
	}
	if err := r.Blobs.Put(ctx, stateName(r.Name), b.Bytes()); err != nil {
		return err
	}
	r.savedAt = r.at.Seq
	return nil
}

func (r *run) show(ctx context.Context) error {
	data, err := r.machine.Show()
	if err != nil || data == nil {
		return err
	}
	if err := r.Blobs.Put(ctx, ShownName(r.Name), data); err != nil {
		return err
	}
	r.shownAt = r.at.Seq
	return nil
}
