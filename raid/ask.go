package raid

import (
	"errors"
	"fmt"
	"time"
)

// ErrHung is the error of a member that has not answered by the deadline.
var ErrHung = errors.New("the member does not answer")

// A patience limits the time for the replies of members. At the deadline, giveUp reports whether
// the caller can continue without the members that have not answered. If it returns false, ask
// waits for another deadline.
type patience struct {
	deadline time.Duration // 0: no limit
	giveUp   func(hung set) bool
}

// A reply is the result of one member.
type reply[T any] struct {
	member int
	value  T
	err    error
}

// ask calls do for some members in parallel. It returns the results, by member, when all members
// have answered or were given up. It passes late values to drop.
func ask[T any](members []Member, which set, p patience, drop func(T), do func(i int, m Member) (T, error)) ([]T, []error) {
	values, errs := make([]T, len(members)), make([]error, len(members))
	replies := make(chan reply[T], which.count())
	for _, i := range which.members() {
		go func() {
			v, err := do(i, members[i])
			replies <- reply[T]{i, v, err}
		}()
	}
	var due <-chan time.Time
	if p.deadline > 0 {
		timer := time.NewTicker(p.deadline)
		defer timer.Stop()
		due = timer.C
	}
	for out := which; out != 0; {
		select {
		case r := <-replies:
			values[r.member], errs[r.member], out = r.value, r.err, out.minus(r.member)
		case <-due:
			if !p.giveUp(out) {
				continue
			}
			for _, i := range out.members() {
				errs[i] = hung(p.deadline)
			}
			go dropLate(replies, out.count(), drop)
			return values, errs
		}
	}
	return values, errs
}

func hung(deadline time.Duration) error { return fmt.Errorf("%w for %v", ErrHung, deadline) }

// dropLate waits for members that were given up, and passes their values to drop.
func dropLate[T any](replies <-chan reply[T], n int, drop func(T)) {
	for range n {
		if r := <-replies; drop != nil {
			drop(r.value)
		}
	}
}

// askAll is ask for calls without a value. do must not use memory of the caller, because do may
// still run after askAll has returned.
func askAll(members []Member, which set, p patience, do func(i int, m Member) error) []error {
	_, errs := ask(members, which, p, nil, func(i int, m Member) (struct{}, error) { return struct{}{}, do(i, m) })
	return errs
}

// untilCondemned returns the patience of an open array: members that parity can replace are lost
// at the deadline. The loss is recorded on the other members before ask returns.
func (a *Array) untilCondemned() patience { return patience{a.options.Deadline, a.condemn} }

// orFail returns a patience that gives up every member at the deadline.
func orFail(deadline time.Duration) patience {
	return patience{deadline, func(set) bool { return true }}
}

// condemn marks hanging members as lost. It returns false if parity cannot replace them, or if
// the loss cannot be recorded.
func (a *Array) condemn(hanging set) bool {
	a.rosterMu.Lock()
	defer a.rosterMu.Unlock()
	r := a.roster.Load()
	switch {
	case r.stopped != nil || hanging&r.written() == 0:
		return true
	case (r.lost | hanging).count() > parities:
		return false
	}
	next := r.with(r.state)
	next.lost |= hanging
	next.rebuilding &^= hanging
	for _, i := range hanging.members() {
		next.errs[i] = hung(a.options.Deadline)
	}
	if a.options.ReadOnly {
		next.dropMasksOfLost()
		a.roster.Store(next)
		a.tellLosses(r)
		return true
	}
	return a.record(next) == nil
}
