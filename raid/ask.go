package raid

import (
	"errors"
	"fmt"
	"time"
)

// ErrHung is of a member that has not answered by the deadline.
var ErrHung = errors.New("the member does not answer")

// A patience is how long members are waited for. At the deadline giveUp is
// asked whether those that are out can be done without; where they cannot, they
// are waited for.
type patience struct {
	deadline time.Duration // 0: for ever
	giveUp   func(hung set) bool
}

// A reply is what a member came to.
type reply[T any] struct {
	member int
	value  T
	err    error
}

// ask does the same with some members at once, and returns what they came to
// when all have answered or been given up. What comes later is dropped.
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

// dropLate waits for members that were given up.
func dropLate[T any](replies <-chan reply[T], n int, drop func(T)) {
	for range n {
		if r := <-replies; drop != nil {
			drop(r.value)
		}
	}
}

// askAll is ask of what has no value. What it does must own its memory.
func askAll(members []Member, which set, p patience, do func(i int, m Member) error) []error {
	_, errs := ask(members, which, p, nil, func(i int, m Member) (struct{}, error) { return struct{}{}, do(i, m) })
	return errs
}

// untilCondemned waits for members that parity covers until the deadline. Then
// they are lost, and that is recorded before anything else happens.
func (a *Array) untilCondemned() patience { return patience{a.options.Deadline, a.condemn} }

// orFail gives up a member that does not answer within the deadline.
func orFail(deadline time.Duration) patience {
	return patience{deadline, func(set) bool { return true }}
}

// condemn loses members that hang, unless they are more than parity covers.
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
