package raid

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// checkpoint is how many stripes are rebuilt between two events that remember
// it: a crash costs at most so many, seconds of work.
const checkpoint = 1 << 14

// ErrNotLost is of a member whose place is taken.
var ErrNotLost = errors.New("not lost")

// Replace puts a member in the place of a lost one. From now on writes go to it
// too; it is read from when Rebuild is done. It must hold no array, or be an
// earlier member in this place. The array closes it from then on; if Replace
// fails, the caller does.
func (a *Array) Replace(place int, m Member) error {
	if err := a.gate.enter(); err != nil {
		return err
	}
	defer a.gate.leave()
	if !a.rebuild.TryLock() {
		return errors.New("a rebuild is under way: wait for it or break it off")
	}
	defer a.rebuild.Unlock()
	if err := a.fits(place, m); err != nil {
		return &MemberError{place, m.String(), err, "give another"}
	}
	if err := a.wipe(m); err != nil {
		return &MemberError{place, m.String(), err, "give another"}
	}
	// No batch that the member has no record of may count any more.
	a.journal.mu.Lock()
	defer a.journal.mu.Unlock()
	if err := a.onWritten(func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.admit(place, m)
}

// fits says whether a member can take a place.
func (a *Array) fits(place int, m Member) error {
	r := a.roster.Load()
	b, err := readSuperblock(m, a.pool)
	switch {
	case place < 0 || place >= len(r.members):
		return fmt.Errorf("the array has members 0 to %d", len(r.members)-1)
	case !r.lost.has(place) || r.rebuilding.has(place):
		return fmt.Errorf("member %s: %w", a.geometry.name(place), ErrNotLost)
	case m.Size() < a.geometry.MemberSize():
		return fmt.Errorf("%w: %d bytes of %d", ErrShort, m.Size(), a.geometry.MemberSize())
	case err == nil && b.array != r.array:
		return fmt.Errorf("%w: %v", ErrWrongArray, b.array)
	case err == nil && b.member != place:
		return fmt.Errorf("%w: it was number %d", ErrSwapped, b.member)
	case err != nil && !errors.Is(err, ErrNoArray):
		return err
	}
	return nil
}

// wipe forgets what a member was: had it been in an array that went its own
// way, what it says could pass for the last event.
func (a *Array) wipe(m Member) error {
	if err := m.Zero(0, a.geometry.offset(0)); err != nil {
		return err
	}
	return m.Sync()
}

func (a *Array) admit(place int, m Member) error {
	a.rosterMu.Lock()
	defer a.rosterMu.Unlock()
	r := a.roster.Load()
	next := r.with(r.state)
	next.members[place] = m
	next.rebuilding, next.rebuilt = next.rebuilding.with(place), 0
	next.floor = a.journal.next
	if err := a.record(next); err != nil {
		return err
	}
	if now := a.roster.Load(); !now.rebuilding.has(place) { // it failed at once
		back := now.with(now.state)
		back.members[place] = r.members[place]
		a.roster.Store(back)
		return &MemberError{place, m.String(), now.errs[place], "give another"}
	}
	if old := r.members[place]; old != nil {
		return old.Close()
	}
	return nil
}

// Rebuild fills the members that were put in the place of lost ones, from
// where the last rebuild got to. Reads and writes go on beside it. When ctx
// ends it stops, and can be called again, also after the array was opened
// again.
func (a *Array) Rebuild(ctx context.Context, progress func(done, total int64)) error {
	if err := a.gate.enter(); err != nil {
		return err
	}
	defer a.gate.leave()
	a.rebuild.Lock()
	defer a.rebuild.Unlock()
	places := a.roster.Load().rebuilding
	done := a.roster.Load().rebuilt
	for places != 0 && done < a.geometry.Stripes {
		to := min(done+int64(a.options.Window), a.geometry.Stripes)
		if err := a.rebuildStripes(places, done, to); err != nil {
			return err
		}
		if to/checkpoint > done/checkpoint {
			if err := a.remember(places, to); err != nil {
				return err
			}
		}
		done = to
		if progress != nil {
			progress(done, a.geometry.Stripes)
		}
		if err := a.interrupted(ctx); err != nil {
			return errors.Join(err, a.remember(places, done))
		}
	}
	return a.readmit(places)
}

// interrupted is whether to stop what takes long.
func (a *Array) interrupted(ctx context.Context) error {
	if a.gate.closing.Err() != nil {
		return ErrClosed
	}
	return ctx.Err()
}

// rebuildStripes computes all chunks of some stripes and writes those that the
// members lack. They need no journal: nobody reads them yet.
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
		chunks[m] = a.pool.get(f.size)
		defer a.pool.put(chunks[m])
	}
	if err := a.coder.encode(chunks); err != nil {
		return err
	}
	return a.onRebuilding(places, func(i int, m Member) error {
		_, err := m.WriteAt(chunks[i], a.geometry.offset(from))
		return err
	})
}

// onRebuilding does the same with the members being rebuilt. One that fails
// ends the rebuild; the others go on when it is called again.
func (a *Array) onRebuilding(places set, do func(i int, m Member) error) error {
	r := a.roster.Load()
	if r.stopped != nil {
		return r.stopped
	}
	if r.rebuilding != places {
		return fmt.Errorf("member %v failed while it was rebuilt: %w", places&^r.rebuilding, errors.Join(r.errs...))
	}
	errs := eachOf(r.members, places, do)
	if err := a.lose(errs); err != nil {
		return err
	}
	return errors.Join(errs...)
}

// remember makes an event of how far the rebuild got.
func (a *Array) remember(places set, done int64) error {
	if err := a.onRebuilding(places, func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.change(func(s *state) { s.rebuilt = done })
}

// readmit makes members of those that are whole.
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
