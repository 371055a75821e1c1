package raid

import "github.com/limpet-storage/limpet/raid/member"

// upToDate refuses members that lost data: an old copy that was put back, or a drive that lost its
// cache. A batch begins when all members hold the batch before it. So if a member holds batch M,
// every member must hold M or M-1. A member that missed the last event because of a crash must hold
// the batch that the event names, or a later batch.
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
			a.refuse(i, err, "%s", HintWithout(a.degraded))
		}
		if n := newest[i]; n > last.floor && !last.clean {
			need = max(need, n-1)
		}
	}
	for _, i := range taken.members() {
		if need >= a.blocks[i].floor && newest[i] < need && errs[i] == nil {
			a.refuse(i, ErrStale, "the last write in the journal of this member has the number %d, but the array has a write with the number %d or a later write; "+openWithout(a.degraded), newest[i], need)
		}
	}
}

// allAt reports whether all members of a set have taken an event.
func (a *assembly) allAt(event uint64, members set) bool {
	for _, i := range members.members() {
		if a.blocks[i].event != event {
			return false
		}
	}
	return true
}

// newestBatch returns the last batch of which a member holds a complete record; 0: none.
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
