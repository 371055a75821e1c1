package raid

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/raid/member"
)

// Reasons why a member cannot take a place.
var (
	ErrNotLost = errors.New("the member is not lost, so limpet does not replace the member")
	ErrSound   = errors.New("the array already uses this drive as this member, and the drive is healthy")
)

// Fits returns the reason why a member cannot take the place of a lost member; nil: it can. The
// member must be long enough. Without force, it must be empty, or a stale former member of this
// place. Nothing is written.
func (s Status) Fits(place int, m Member, force bool) error {
	hint := "give another drive or file"
	err := s.hasRoom(place, m)
	if err == nil && !force {
		if err = s.mayOverwrite(place, m); err != nil {
			hint = forceIt
		}
	}
	if err != nil {
		return &MemberError{place, m.String(), err, hint}
	}
	return nil
}

// FitsAny returns the reason why a member cannot be a spare; nil: it can. A spare must be long
// enough and empty.
func (s Status) FitsAny(m Member) error {
	var pool member.Buffers
	defer pool.Close()
	err := vacant(m, &pool)
	if need := s.Geometry.MemberSize(); m.Size() < need {
		err = fmt.Errorf("%w: the size is %d bytes, but the array needs %d bytes", ErrShort, m.Size(), need)
	}
	if err != nil {
		return fmt.Errorf("spare %s cannot be used: %w: give another drive or file", m, err)
	}
	return nil
}

// hasRoom returns an error if the place is not free, or the member is too short.
func (s Status) hasRoom(place int, m Member) error {
	switch need := s.Geometry.MemberSize(); {
	case place < 0 || place >= len(s.Members):
		return fmt.Errorf("the array does not have this member: give a number from 0 to %d", len(s.Members)-1)
	case s.Members[place].State != Lost:
		return fmt.Errorf("member %s cannot be replaced: %w", s.Members[place].Role, ErrNotLost)
	case m.Size() < need:
		return fmt.Errorf("%w: the size is %d bytes, but the array needs %d bytes", ErrShort, m.Size(), need)
	}
	return nil
}

// mayOverwrite returns an error unless the content of a member is known to be useless.
func (s Status) mayOverwrite(place int, m Member) error {
	var pool member.Buffers
	defer pool.Close()
	if s.marked(place, m, &pool) {
		return nil
	}
	b, err := readSuperblock(m, &pool)
	switch {
	case err != nil:
		return vacant(m, &pool)
	case b.array != s.Array:
		return fmt.Errorf("%w: %v", ErrWrongArray, b.array)
	case b.member != place:
		return fmt.Errorf("%w: this drive was member number %d", ErrSwapped, b.member)
	case !s.last.lost.has(place) && s.last.follows(b.state):
		return ErrSound
	}
	return nil
}

// Replace puts a member that fits in the place of a lost member. Writes go to it from now on; reads
// go to it after Rebuild. After success, Close of the array closes the member; after an error, the
// caller closes it.
func (a *Array) Replace(place int, m Member, force bool) error {
	if err := a.enterToWrite(); err != nil {
		return err
	}
	defer a.gate.leave()
	if !a.rebuild.TryLock() {
		return errors.New("a rebuild is running: wait until the rebuild ends, or cancel the rebuild")
	}
	defer a.rebuild.Unlock()
	if err := a.Status().Fits(place, m, force); err != nil {
		return err
	}
	if err := a.wipe(place, m); err != nil {
		return &MemberError{place, m.String(), err, "give another drive or file"}
	}
	// The new member has no record of earlier batches, so all of them must be synced in place.
	a.journal.mu.Lock()
	defer a.journal.mu.Unlock()
	if err := a.onWritten(func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	return a.admit(place, m)
}

func (a *Array) admit(place int, m Member) error {
	a.rosterMu.Lock()
	defer a.rosterMu.Unlock()
	r := a.roster.Load()
	next := r.with(r.state)
	next.put(place, m, a.options.Report)
	next.tables[place] = a.newTable(next.members[place])
	next.rebuilding, next.rebuilt = next.rebuilding.with(place), 0
	next.floor = a.journal.next
	if err := a.record(next); err != nil {
		return err
	}
	if now := a.roster.Load(); !now.rebuilding.has(place) { // the new member failed at once
		back := now.with(now.state)
		back.members[place], back.failures[place], back.tables[place] = r.members[place], r.failures[place], r.tables[place]
		a.roster.Store(back)
		return &MemberError{place, m.String(), now.errs[place], "give another drive or file"}
	}
	if old := r.members[place]; old != nil {
		return old.Close()
	}
	return nil
}
