package raid

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/raid/member"
)

// recover prepares an array for use, from the state in which the last process left it:
//   - Members that missed the last event because of a crash get it.
//   - If the array was not closed, an event records the members that are missing now.
//   - If the array was not closed, complete batches are written in place.
//   - An event makes the journal void.
//
// If recover is interrupted at any point, it can be run again.
func (a *Array) recover(last state) error {
	if err := a.level(last); err != nil {
		return err
	}
	a.journal.next = last.floor
	a.journal.last.Store(last.last)
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

// level writes the last event to the members that lack it. Otherwise a member could fall two events
// behind.
func (a *Array) level(last state) error {
	return a.onPresent(func(i int, m Member) error {
		b, err := readSuperblock(m, a.pool)
		if err != nil || b.event == last.event {
			return err
		}
		return writeSuperblock(m, superblock{last, i}, a.pool)
	})
}

// leaveOut records the members that were present at the last event and are missing now. A batch
// that only they lack then counts as complete, and is written in place. So if such a member returns
// after a crash, it must count as stale.
func (a *Array) leaveOut(last state) error {
	if now := a.roster.Load(); now.lost == last.lost && now.rebuilding == last.rebuilding {
		return nil
	}
	return a.change(func(*state) {})
}

// onPresent calls do for all members that are written to. Unlike after Open, a member that fails is
// not lost: the caller of Open may leave it out.
func (a *Array) onPresent(do func(i int, m Member) error) error {
	r := a.roster.Load()
	return named(r.members, askAll(r.members, r.written(), orFail(a.options.Deadline), do), HintWithout(a.options.Degraded))
}

// A slot is the content of one journal slot on all members.
type slot struct {
	records   []*record // by member; nil: no complete record
	completed set       // members whose record was missing and was computed
}

// replay writes the complete batches in place again. Before that, it writes the record of each
// batch to the present members that lack it. Otherwise, if another member were missing after a
// further crash, too few members would hold the batch.
func (a *Array) replay(floor uint64) error {
	whole, drop, err := a.wholeBatches(floor)
	defer drop()
	if err != nil {
		return err
	}
	for _, s := range whole {
		if err := a.handOut(s); err != nil {
			return err
		}
	}
	for _, s := range whole {
		if err := a.onPresent(func(i int, m Member) error { return s.records[i].inPlace(m, a.geometry) }); err != nil {
			return err
		}
	}
	for _, s := range whole { // after all chunks are in place
		if err := a.onPresent(func(i int, _ Member) error { return a.setRecordSums(i, s.records[i]) }); err != nil {
			return err
		}
	}
	return a.onPresent(func(_ int, m Member) error { return m.Sync() })
}

func (a *Array) setRecordSums(i int, r *record) error {
	if !a.geometry.Checksums || !r.use() {
		return nil
	}
	defer r.done()
	return a.setSums(i, r.sums())
}

// handOut writes the record of a batch to the journals of the members that lack it.
func (a *Array) handOut(s slot) error {
	if s.completed == 0 {
		return nil
	}
	return a.onPresent(func(i int, m Member) error {
		if !s.completed.has(i) {
			return nil
		}
		if !s.records[i].use() {
			return ErrHung
		}
		defer s.records[i].done()
		if _, err := m.WriteAt(s.records[i].bytes(), a.geometry.slot(s.seq())); err != nil {
			return err
		}
		return m.Sync()
	})
}

// wholeBatches returns the complete batches from floor on, in order. They are valid until drop is
// called. It also sets the number of the next batch: higher than all numbers in the journals.
func (a *Array) wholeBatches(floor uint64) (whole []slot, drop func(), err error) {
	var slots [2]slot
	drop = func() {
		for _, s := range slots {
			dropRecords(s.records)
		}
	}
	for parity := range slots {
		s, err := a.readSlot(uint64(parity), floor)
		if slots[parity] = s; err != nil {
			return nil, drop, err
		}
		a.journal.next = max(a.journal.next, s.after())
	}
	slices.SortFunc(slots[:], func(x, y slot) int { return cmp.Compare(x.after(), y.after()) })
	written := a.roster.Load().written()
	for i := range slots {
		s := &slots[i]
		if s.after() == 0 {
			continue
		}
		if lacks := s.lacking(written); lacks == 0 || a.complete(s, whole, lacks) {
			whole = append(whole, *s)
			a.journal.last.Store(s.seq())
		}
	}
	return whole, drop, nil
}

// readSlot reads the records of one slot, without batches before floor.
func (a *Array) readSlot(parity, floor uint64) (slot, error) {
	r := a.roster.Load()
	records, errs := ask(r.members, r.written(), orFail(a.options.Deadline), (*record).done, func(i int, m Member) (*record, error) {
		return readRecord(m, i, r.state, parity, a.pool)
	})
	for i, rec := range records {
		if rec != nil && rec.seq() < floor {
			rec.done()
			records[i] = nil
		}
	}
	return slot{records: records}, named(r.members, errs, HintWithout(a.options.Degraded))
}

// readRecord returns the record in a slot of a member; nil: no complete record.
func readRecord(m Member, place int, s state, parity uint64, pool *member.Buffers) (*record, error) {
	buf := pool.Get((1 + s.geometry.Journal) * ChunkSize)
	if _, err := m.ReadAt(buf, s.geometry.slot(parity)); err != nil {
		pool.Put(buf)
		return nil, err
	}
	r, err := parseHeader(buf, s.array, place, s.geometry, pool)
	if err != nil || !r.whole() || r.seq()%2 != parity {
		pool.Put(buf)
		return nil, nil
	}
	return r, nil
}

// after returns the highest sequence number in the slot plus 1; 0: the slot is empty.
func (s slot) after() (next uint64) {
	for _, r := range s.records {
		if r != nil {
			next = max(next, r.seq()+1)
		}
	}
	return next
}

// seq returns the sequence number of the batch. The slot must not be empty.
func (s slot) seq() uint64 { return s.after() - 1 }

// lacking returns the members that do not hold the batch.
func (s slot) lacking(members set) (lacks set) {
	for _, i := range members.members() {
		if s.records[i] == nil || s.records[i].seq() != s.seq() {
			lacks = lacks.with(i)
		}
	}
	return lacks
}
