package raid

import (
	"cmp"
	"slices"
)

// recover brings an array from where the last process left it to where this
// one goes on: members that a crash kept from the last event take it, an event
// says who is left out, batches that are whole are written in place, and an
// event makes the journal void. Broken off anywhere, it can begin again.
func (a *Array) recover(last state) error {
	if err := a.level(last); err != nil {
		return err
	}
	a.journal.next = last.floor
	if !last.clean {
		if err := a.leaveOut(last); err != nil {
			return err
		}
		if err := a.replay(last.floor); err != nil {
			return err
		}
	}
	return a.change(func(s *state) { s.clean, s.floor = false, a.journal.next })
}

// level writes the last event to those that lack it: otherwise one of them
// could fall two behind.
func (a *Array) level(last state) error {
	return a.onPresent(func(i int, m Member) error {
		b, err := readSuperblock(m, a.pool)
		if err != nil || b.event == last.event {
			return err
		}
		return writeSuperblock(m, superblock{last, i}, a.pool)
	})
}

// leaveOut makes an event of who was there at the last and is not now. What a
// member lacks counts as whole without it, and is written in place: were it to
// come back after a crash then, it would have to be stale.
func (a *Array) leaveOut(last state) error {
	if now := a.roster.Load(); now.lost == last.lost && now.rebuilding == last.rebuilding {
		return nil
	}
	return a.change(func(*state) {})
}

// onPresent does the same with all members that take part. Unlike later, one
// that fails is not lost: whoever opens the array may leave it out.
func (a *Array) onPresent(do func(i int, m Member) error) error {
	r := a.roster.Load()
	return named(r.members, eachOf(r.members, r.written(), do), "leave it out and open the array degraded")
}

// A slot is what one journal slot holds, by member: nil is no whole record.
type slot []*record

// replay writes those batches in place again that all members hold.
func (a *Array) replay(floor uint64) error {
	whole, drop, err := a.wholeBatches(floor)
	defer drop()
	if err != nil {
		return err
	}
	for _, s := range whole {
		if err := a.onPresent(func(i int, m Member) error { return s[i].inPlace(m, a.geometry) }); err != nil {
			return err
		}
	}
	return a.onPresent(func(_ int, m Member) error { return m.Sync() })
}

// wholeBatches are those from floor on that all members hold, in order, until
// they are dropped. The journal goes on after all that any member holds.
func (a *Array) wholeBatches(floor uint64) (whole []slot, drop func(), err error) {
	var slots [2]slot
	drop = func() {
		for _, s := range slots {
			a.dropRecords(s)
		}
	}
	for parity := range slots {
		s, err := a.readSlot(uint64(parity), floor)
		if slots[parity] = s; err != nil {
			return nil, drop, err
		}
		a.journal.next = max(a.journal.next, s.after())
		if s.whole(a.roster.Load().written()) {
			whole = append(whole, s)
		}
	}
	slices.SortFunc(whole, func(x, y slot) int { return cmp.Compare(x.after(), y.after()) })
	return whole, drop, nil
}

// readSlot reads the records of batches from floor on.
func (a *Array) readSlot(parity, floor uint64) (slot, error) {
	s := make(slot, a.geometry.Members())
	err := a.onPresent(func(i int, m Member) error {
		buf := a.pool.Get((1 + a.geometry.Journal) * ChunkSize)
		if _, err := m.ReadAt(buf, a.geometry.slot(parity)); err != nil {
			a.pool.Put(buf)
			return err
		}
		r, err := parseHeader(buf, a.ID(), i, a.geometry)
		if err != nil || !r.whole() || r.seq()%2 != parity || r.seq() < floor {
			a.pool.Put(buf)
			return nil
		}
		s[i] = r
		return nil
	})
	return s, err
}

// after is the sequence number that follows all in the slot, 0 if it is empty.
func (s slot) after() (next uint64) {
	for _, r := range s {
		if r != nil {
			next = max(next, r.seq()+1)
		}
	}
	return next
}

// whole is whether all members hold the same batch.
func (s slot) whole(members set) bool {
	for _, i := range members.members() {
		if s[i] == nil || s[i].seq()+1 != s.after() {
			return false
		}
	}
	return true
}
