package raid

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// checkpoint is the number of stripes between two events that record the progress of a rebuild. A
// crash loses the progress of at most this many stripes, some seconds of work.
const checkpoint = 1 << 14

// RebuildOptions are the options of Rebuild.
type RebuildOptions struct {
	// BytesPerSecond is the rate at which each member is read or written; 0: no limit.
	BytesPerSecond int64
	// Progress, if not nil, is called with the number of stripes done and in all.
	Progress func(done, total int64)
	// Skip decides what happens if a stripe cannot be computed, because too few of its chunks can
	// be read. nil: the rebuild stops. Otherwise Skip is called with the lost bytes, and the
	// rebuild goes on.
	Skip func(Hole)
}

// Rebuild fills the members that replaced lost members, from the recorded progress on. Reads and
// writes of the array go on. When ctx ends, Rebuild stops. It can be called again later, even after
// the array was closed and opened again.
func (a *Array) Rebuild(ctx context.Context, o RebuildOptions) error {
	if err := a.enterToWrite(); err != nil {
		return err
	}
	defer a.gate.leave()
	a.rebuild.Lock()
	defer a.rebuild.Unlock()
	places := a.roster.Load().rebuilding
	done := a.roster.Load().rebuilt
	pace := newPace(o.BytesPerSecond)
	for places != 0 && done < a.geometry.Stripes {
		to := min(done+int64(a.options.Window), a.geometry.Stripes)
		if err := a.rebuildWindow(places, done, to, o.Skip); err != nil {
			return err
		}
		if to/checkpoint > done/checkpoint {
			if err := a.remember(places, to); err != nil {
				return err
			}
		}
		stripes := to - done
		done = to
		if o.Progress != nil {
			o.Progress(done, a.geometry.Stripes)
		}
		if done == a.geometry.Stripes {
			break
		}
		if err := pace.rest(ctx, a, stripes*ChunkSize); err != nil {
			return errors.Join(err, a.remember(places, done))
		}
	}
	return a.readmit(places)
}

// rebuildStripes computes all chunks of some stripes and writes the chunks of the members being
// rebuilt. It needs no journal, because these members are not yet read.
func (a *Array) rebuildStripes(places set, from, to int64) error {
	lock := a.locks.write(from, to)
	defer a.locks.release(lock)
	f, err := a.fetch(&a.background, from, int(to-from), firstMembers(a.geometry.Data).members(), nil)
	if err != nil {
		return err
	}
	defer f.drop()
	chunks := slices.Clone(f.bufs)
	for m := a.geometry.Data; m < len(chunks); m++ {
		chunks[m] = a.pool.Get(f.size)
		defer a.pool.Put(chunks[m])
	}
	if err := a.coder.encode(chunks); err != nil {
		return err
	}
	own := a.copies(chunks, places)
	return a.onRebuilding(places, func(i int, m Member) error {
		defer a.pool.Put(own[i])
		if _, err := m.WriteAt(own[i], a.geometry.offset(from)); err != nil {
			return err
		}
		return a.setSums(i, sumsOf(own[i], from))
	})
}

// copies returns copies of the chunks of some members. The writes own the copies: a write that
// hangs keeps its memory.
func (a *Array) copies(chunks [][]byte, which set) [][]byte {
	own := make([][]byte, len(chunks))
	for _, i := range which.members() {
		own[i] = a.pool.Get(len(chunks[i]))
		copy(own[i], chunks[i])
	}
	return own
}

// onRebuilding calls do for the members being rebuilt. If a member fails, the rebuild ends; a new
// call of Rebuild goes on with the other members.
func (a *Array) onRebuilding(places set, do func(i int, m Member) error) error {
	r := a.roster.Load()
	if r.stopped != nil {
		return r.stopped
	}
	if r.rebuilding != places {
		return fmt.Errorf("member %v failed during its rebuild: %w", places&^r.rebuilding, errors.Join(r.errs...))
	}
	errs := askAll(r.members, places, a.untilCondemned(), do)
	if err := a.lose(errs); err != nil {
		return err
	}
	return errors.Join(errs...)
}

// remember records the progress of the rebuild as an event.
func (a *Array) remember(places set, done int64) error {
	if err := a.onRebuilding(places, func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.change(func(s *state) { s.rebuilt = done })
}

// readmit makes the rebuilt members active.
func (a *Array) readmit(places set) error {
	if places == 0 {
		return nil
	}
	if err := a.onRebuilding(places, func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.change(func(s *state) {
		s.lost &^= places & s.rebuilding
		s.rebuilding, s.rebuilt = 0, 0
	})
}
