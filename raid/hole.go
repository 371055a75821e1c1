package raid

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Hole is a stripe that lost more chunks than parity covers. Its unreadable bytes are zeros from
// now on, and a read cannot distinguish them from written zeros.
type Hole struct {
	Stripe int64
	Lost   []Range // lost bytes of the array
	Err    error   // why the stripe could not be read
}

// A Range is the bytes From … To-1 of an array.
type Range struct{ From, To int64 }

// String returns the stripe, the lost bytes and the reason.
func (h Hole) String() string {
	var lost []string
	for _, r := range h.Lost {
		lost = append(lost, fmt.Sprintf("%d to %d", r.From, r.To-1))
	}
	return fmt.Sprintf("stripe %d cannot be computed, so bytes %s of the array are lost, and reads return zeros: %v",
		h.Stripe, strings.Join(lost, " and "), h.Err)
}

// rebuildWindow rebuilds some stripes at once. If too many members fail, it rebuilds the stripes
// one by one, because each member may have a bad sector in another stripe.
func (a *Array) rebuildWindow(places set, from, to int64, skip func(Hole)) error {
	err := a.rebuildStripes(places, from, to)
	if !errors.Is(err, ErrUnreadable) {
		return err
	}
	for stripe := from; stripe < to; stripe++ {
		err := a.rebuildStripes(places, stripe, stripe+1)
		if skip != nil && errors.Is(err, ErrUnreadable) {
			err = a.giveUp(stripe, err, skip)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// giveUp reports the unreadable part of a stripe to skip, and makes the stripe consistent again.
// Members that could not be read do not take part in the journaled write: if that write failed too,
// a third member would be lost. heal writes them afterwards.
func (a *Array) giveUp(stripe int64, why error, skip func(Hole)) error {
	lock := a.locks.write(stripe, stripe+1)
	defer a.locks.release(lock)
	l := a.newLook(a.roster.Load(), ChunkSize)
	defer l.drop()
	l.read(stripe)
	gone := l.bad.count() > parities
	if gone {
		skip(Hole{stripe, a.geometry.ranges(stripe, l.bad), why})
		l.zero()
	} else { // this time the stripe could be read
		l.rebuild(l.bad)
	}
	ill := l.bad &^ l.roster.lost
	chunks := make([][]byte, len(l.right))
	for _, m := range (l.bad.with(a.geometry.Data).with(a.geometry.Data+1) &^ ill).members() {
		chunks[m] = l.right[m]
	}
	if err := a.commit([]change{{stripe, chunks}}); err != nil {
		return err
	}
	return a.heal(l, stripe, ill)
}

// heal writes the chunks that could not be read, without the journal. The write makes a drive remap
// a bad sector, so that the old data do not return later. If the write fails, nothing is worse than
// before, because the other members cover the chunk. Earlier writes are synced first; otherwise
// their errors could be taken for errors of the bad sector.
func (a *Array) heal(l *look, stripe int64, ill set) error {
	a.journal.mu.Lock()
	defer a.journal.mu.Unlock()
	if err := a.onWritten(func(_ int, m Member) error { return m.Sync() }); err != nil {
		return err
	}
	own := a.copies(l.right, ill)
	askAll(l.roster.members, ill, orFail(a.options.Deadline), func(i int, m Member) error {
		defer a.pool.Put(own[i])
		if _, err := m.WriteAt(own[i], a.geometry.offset(stripe)); err != nil {
			return err
		}
		if err := a.setSums(i, sumsOf(own[i], stripe)); err != nil {
			return err
		}
		return m.Sync()
	})
	return nil
}

// zero sets the unreadable chunks to zeros, and computes P and Q.
func (l *look) zero() {
	chunks := slices.Clone(l.bufs)
	for _, m := range l.bad.members() {
		clear(l.right[m])
		chunks[m] = l.right[m]
	}
	copy(chunks[l.a.geometry.Data:], l.right[l.a.geometry.Data:])
	if err := l.a.coder.encode(chunks); err != nil {
		panic(err) // cannot happen: all chunks are present and equally long
	}
}

// ranges returns the bytes of the array that the data members among members hold of a stripe.
func (g Geometry) ranges(stripe int64, members set) []Range {
	var list []Range
	for _, m := range members.members() {
		if at := g.position(stripe, m); m < g.Data {
			list = append(list, Range{at, at + ChunkSize})
		}
	}
	return list
}
