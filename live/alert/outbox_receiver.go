package alert

import (
	"context"
	"errors"
	"time"
)

// Batch is what is sent at once.
type Batch struct {
	// New are notifications that the receiver has not acknowledged, in the order in
	// which they were decided.
	New []Notification
	// Firing are all alerts that fire, for receivers who are to be reminded. What
	// New says is later.
	Firing []Notification
}

// Manner is how a receiver wants to be told.
type Manner struct {
	AtOnce int           // at most so many new notifications in a batch
	Remind time.Duration // how often it is told all that fires; 0 where it is told once
}

// OutboxReceiver takes notifications.
type OutboxReceiver interface {
	// Manner says how it wants to be told.
	Manner() Manner
	// Send returns nil when the receiver has the batch for good. An error has no
	// secret in it.
	Send(context.Context, Batch) error
}

// Refusal is an error of a receiver that will never take a batch as it is: it calls
// it malformed or too large.
type Refusal struct{ Err error }

func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

// Address is a receiver with what is put into its outbox.
type Address struct {
	Receiver
	To OutboxReceiver
}

// OutboxOptions are how deliveries are repeated.
type OutboxOptions struct {
	FirstRetry   time.Duration    // after the first failure; it doubles with each
	LongestRetry time.Duration    // and is never more
	SetAside     time.Duration    // for how long what a receiver refuses is tried
	Grace        time.Duration    // for how long Close lets a delivery go on
	Now          func() time.Time // the clock
}

// DefaultOutboxOptions try again after a second, and at last every minute. Close waits for
// three seconds, as a service is to stop within five.
func DefaultOutboxOptions() OutboxOptions {
	return OutboxOptions{FirstRetry: time.Second, LongestRetry: time.Minute, SetAside: time.Hour, Grace: 3 * time.Second, Now: time.Now} //nolint:forbidigo // the clock of deliveries is that of this machine
}

// Validate reports every setting that cannot work.
func (o *OutboxOptions) Validate() error {
	switch {
	case o.FirstRetry <= 0 || o.LongestRetry < o.FirstRetry:
		return errors.New("deliveries have to be tried again after a time, and not later at first than at last")
	case o.Now == nil:
		return errors.New("deliveries need a clock")
	}
	return nil
}

// Status is how a receiver does.
type Status struct {
	Receiver string
	Queued   int       // notifications that it has not acknowledged
	Last     time.Time // when it last acknowledged anything; zero where it never did
	Failures int       // in a row
	Trouble  string    // a sentence; empty where there is none
}
