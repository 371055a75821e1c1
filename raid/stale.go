package raid

import "github.com/limpet-storage/limpet/raid/member"

// upToDate refuses members that lost what they had taken: an old copy that was
// put back, a drive whose cache did not last. A batch is begun when all members
// hold the one before it. So where any holds batch M, all hold M or M-1; and a
// member that a crash kept from the last event holds the batch that the event
// names, or a later one.
func (a *assembly) upToDate(pool *member.Buffers) {
	last := a.newest()
	taken := a.present &^ (last.lost &^ last.rebuilding)
	if last.clean && a.allAt(last.event, taken) {
		return
	}
	newest, errs := ask(a.members, taken, orFail(a.deadline), nil, func(i int, m Member) (uint64, error) {
		return newestBatch(m, i, last.state, pool)
	})
	need := last.last
	for i, err := range errs {
		if err != nil {
			a.refuse(i, err, "leave out this member and open the array degraded")
		}
		if n := newest[i]; n > last.floor && !last.clean {
			need = max(need, n-1)
		}
	}
	for _, i := range taken.members() {
		if need >= a.blocks[i].floor && newest[i] < need && errs[i] == nil {
			a.refuse(i, ErrStale, "this member is at write %d of the journal, but the array is at write %d or later; leave out and rebuild this member", newest[i], need)
		}
	}
}

// allAt is whether some members have all taken an event.
func (a *assembly) allAt(event uint64, members set) bool {
	for _, i := range members.members() {
		if a.blocks[i].event != event {
			return false
		}
	}
	return true
}

// newestBatch is the last batch of which a member holds a whole record, 0 if
// it holds none.
func newestBatch(m Member, place int, s state, pool *member.Buffers) (newest uint64, err error) {
	for parity := range uint64(2) {
		r, err := readRecord(m, place, s, parity, pool)
		if err != nil {
			return 0, err
		}
		if r != nil {
			newest = max(newest, r.seq())
			r.done()
		}
	}
	return newest, nil
}
