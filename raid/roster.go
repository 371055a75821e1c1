package raid

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/raid/member"
)

// A roster holds the members of the array at a moment, and their state. A roster is never changed:
// a new roster replaces it.
type roster struct {
	state
	members  []Member        // wrapped in watched; nil: the place is empty
	failures []*failures     // by member
	tables   []*member.Table // by member; nil: the array has no checksums
	errs     []error         // by member: reason of its loss
	stopped  error
}

func newRoster(s state, members []Member, report func(error)) *roster {
	n := len(members)
	r := &roster{state: s, members: make([]Member, n), failures: make([]*failures, n), tables: make([]*member.Table, n), errs: make([]error, n)}
	for i, m := range members {
		r.failures[i] = &failures{}
		if m != nil {
			r.put(i, m, report)
		}
	}
	return r
}

// put puts a member into a place.
func (r *roster) put(place int, m Member, report func(error)) {
	r.failures[place] = &failures{place: place, name: m.String(), report: report}
	r.members[place], r.errs[place] = &watched{m, r.failures[place]}, nil
}

// readable returns the members that are not lost.
func (r *roster) readable() set { return firstMembers(len(r.members)) &^ r.lost }

// written returns the members that writes go to.
func (r *roster) written() set { return r.readable() | r.rebuilding }

// with returns a copy of the roster with another state.
func (r *roster) with(s state) *roster {
	next := *r
	next.state = s
	next.members, next.failures, next.errs = slices.Clone(r.members), slices.Clone(r.failures), slices.Clone(r.errs)
	next.tables = slices.Clone(r.tables)
	return &next
}

// change makes an event: the edited state becomes durable on all written members before it takes
// effect here. Members that cannot store it are declared lost by a further event.
func (a *Array) change(edit func(*state)) error {
	a.rosterMu.Lock()
	defer a.rosterMu.Unlock()
	r := a.roster.Load()
	next := r.with(r.state)
	edit(&next.state)
	return a.record(next)
}

// record writes the superblocks of an event, and of further events until no member fails. If too
// many members fail, the array stops with the state of the last event, so that it can be opened
// again with these members.
func (a *Array) record(next *roster) error {
	last := a.roster.Load().state
	defer a.tellLosses(a.roster.Load())
	for {
		if next.stopped == nil && next.lost.count() > parities {
			next.stopped = fmt.Errorf("%w: failed members: %v: %w", ErrStopped, next.lost, errors.Join(next.errs...))
		}
		if next.stopped != nil {
			a.roster.Store(next.with(last))
			return next.stopped
		}
		next.dropMasksOfLost()
		next.event++
		next.last = a.journal.last.Load()
		next.previous, next.name = next.name, newName()
		last = next.state
		failed := a.writeSuperblocks(next)
		if failed == 0 {
			a.roster.Store(next)
			return nil
		}
		next.lost |= failed
		next.rebuilding &^= failed
	}
}

// tellLosses reports members that are no longer written to, and that the array has stopped.
func (a *Array) tellLosses(before *roster) {
	now := a.roster.Load()
	a.tellEndedMasks(before, now)
	for _, i := range (before.written() &^ now.written()).members() {
		now.failures[i].tell(fmt.Errorf("the member is lost: %w", now.errs[i]), "replace and rebuild the member")
	}
	if report := a.options.Report; report != nil && before.stopped == nil && now.stopped != nil {
		report(now.stopped)
	}
}

// writeSuperblocks writes the superblocks of all written members, and returns the members that
// failed.
func (a *Array) writeSuperblocks(next *roster) (failed set) {
	state := next.state
	covered := func(hung set) bool { return (next.lost | hung).count() <= parities }
	errs := askAll(next.members, next.written(), patience{a.options.Deadline, covered}, func(i int, m Member) error {
		return writeSuperblock(m, superblock{state, i}, a.pool)
	})
	for i, err := range errs {
		if err != nil {
			failed, next.errs[i] = failed.with(i), err
		}
	}
	return failed
}

// eachOf calls do for the members of a set, at the same time, and returns their errors. The last
// call runs in the caller's goroutine, so that a read of one chunk starts no goroutine.
func eachOf(members []Member, which set, do func(i int, m Member) error) []error {
	errs := make([]error, len(members))
	var all sync.WaitGroup
	list := which.members()
	for n, i := range list {
		if n == len(list)-1 {
			errs[i] = do(i, members[i])
			break
		}
		all.Go(func() { errs[i] = do(i, members[i]) })
	}
	all.Wait()
	return errs
}

// onWritten calls do for all members that are written to. Members that fail or hang are lost.
// onWritten returns an error only if the array has stopped.
func (a *Array) onWritten(do func(i int, m Member) error) error {
	r := a.roster.Load()
	if r.stopped != nil {
		return r.stopped
	}
	return a.lose(askAll(r.members, r.written(), a.untilCondemned(), do))
}

// lose declares the members with an error lost.
func (a *Array) lose(errs []error) error {
	if errors.Join(errs...) == nil {
		return nil
	}
	a.rosterMu.Lock()
	defer a.rosterMu.Unlock()
	r := a.roster.Load()
	next := r.with(r.state)
	for i, err := range errs {
		if err != nil {
			next.lost, next.errs[i] = next.lost.with(i), err
			next.rebuilding = next.rebuilding.minus(i)
		}
	}
	if r.stopped == nil && next.lost == r.lost && next.rebuilding == r.rebuilding {
		return nil // another write has already declared them lost
	}
	return a.record(next)
}
