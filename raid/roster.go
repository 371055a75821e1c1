package raid

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/limpet-storage/limpet/raid/member"
)

// A roster is who is in the array at a moment, and where. It does not change:
// the next one takes its place.
type roster struct {
	state
	members  []Member        // watched; nil where there is none
	failures []*failures     // by member
	tables   []*member.Table // by member: nil without checksums
	errs     []error         // by member: why it is lost
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

// put gives a place to a member.
func (r *roster) put(place int, m Member, report func(error)) {
	r.failures[place] = &failures{place: place, name: m.String(), report: report}
	r.members[place], r.errs[place] = &watched{m, r.failures[place]}, nil
}

// readable are the members that hold their chunks.
func (r *roster) readable() set { return firstMembers(len(r.members)) &^ r.lost }

// written are the members that writes go to.
func (r *roster) written() set { return r.readable() | r.rebuilding }

// with is the roster in another state.
func (r *roster) with(s state) *roster {
	next := *r
	next.state = s
	next.members, next.failures, next.errs = slices.Clone(r.members), slices.Clone(r.failures), slices.Clone(r.errs)
	next.tables = slices.Clone(r.tables)
	return &next
}

// change makes an event: the edited state becomes durable on all members that
// are written to before it holds here. Members that cannot take it are lost by
// another event.
func (a *Array) change(edit func(*state)) error {
	a.rosterMu.Lock()
	defer a.rosterMu.Unlock()
	r := a.roster.Load()
	next := r.with(r.state)
	edit(&next.state)
	return a.record(next)
}

// record writes superblocks until all members that have to take one did.
// Where too many fail, what the last event says stays: the array may come back
// with them.
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

// tellLosses reports who is not written to any more, and that the array has
// stopped.
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

// writeSuperblocks says who failed.
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

// eachOf does the same with some members at once and returns their errors. The
// caller does the last of them: a read of one chunk changes no goroutine.
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

// onWritten does the same with all members that are written to. Those that
// fail or hang are lost; the error is that of an array that has stopped.
func (a *Array) onWritten(do func(i int, m Member) error) error {
	r := a.roster.Load()
	if r.stopped != nil {
		return r.stopped
	}
	return a.lose(askAll(r.members, r.written(), a.untilCondemned(), do))
}

// lose drops the members that have an error.
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
		return nil // lost by somebody else's write
	}
	return a.record(next)
}
