package raid

import (
	"cmp"
	"slices"

	"github.com/limpet-storage/limpet/raid/member"
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
// that fails is not lost: the caller of Open may leave it out.
func (a *Array) onPresent(do func(i int, m Member) error) error {
	r := a.roster.Load()
	return named(r.members, askAll(r.members, r.written(), orFail(a.options.Deadline), do), "leave out this member and open the array degraded")
}

// A slot is what one journal slot holds.
type slot struct {
	records   []*record // by member: nil is no whole record
	completed set       // whose record was not there, and was made of the others'
}

// replay writes those batches in place again that count. A batch is on all
// members before it is: were one left out of it that is there, and another
// left out of the array after a crash then, too few would hold it.
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
	for _, s := range whole { // when all chunks are what they are to be
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

// handOut writes a batch into the journals of members that lacked it.
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

// wholeBatches are those from floor on that count, in order, until they are
// dropped. The journal goes on after all that any member holds.
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

// readSlot reads the records of batches from floor on.
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
	return slot{records: records}, named(r.members, errs, "leave out this member and open the array degraded")
}

// readRecord is what a slot of a member holds, nil if it is no whole record.
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

// after is the sequence number that follows all in the slot, 0 if it is empty.
func (s slot) after() (next uint64) {
	for _, r := range s.records {
		if r != nil {
			next = max(next, r.seq()+1)
		}
	}
	return next
}

// seq is the batch that the slot holds, where it holds one.
func (s slot) seq() uint64 { return s.after() - 1 }

// lacking are the members among some that do not hold the batch.
func (s slot) lacking(members set) (lacks set) {
	for _, i := range members.members() {
		if s.records[i] == nil || s.records[i].seq() != s.seq() {
			lacks = lacks.with(i)
		}
	}
	return lacks
}
