package alert

import (
	"context"
	"errors"
	"time"
)

// Batch holds what one call of Send delivers.
type Batch struct {
	// New holds the notifications that the receiver has not acknowledged, in the order of
	// their decisions.
	New []Notification
	// Firing holds all alerts that fire, for receivers that want reminders. Where New has
	// a notification of the same alert, New is later.
	Firing []Notification
}

// Policy is how a receiver wants its notifications.
type Policy struct {
	MaxBatch    int           // largest number of new notifications in a batch
	RemindEvery time.Duration // interval between reminders of all firing alerts; 0: no reminders
}

// Sender delivers notifications to one receiver.
type Sender interface {
	// Policy returns how the receiver wants its notifications.
	Policy() Policy
	// Send returns nil when the receiver has stored the batch. Its errors contain no
	// secret.
	Send(context.Context, Batch) error
}

// Refusal is the error of a receiver that will never accept a batch: the receiver calls it
// malformed or too large.
type Refusal struct{ Err error }

func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

// Address is a receiver and the sender that reaches it.
type Address struct {
	Receiver
	Sender Sender
}

// DeliveryOptions are the intervals of retries.
type DeliveryOptions struct {
	FirstRetry   time.Duration    // wait after the first failure; it doubles with each failure
	LongestRetry time.Duration    // upper bound of that wait
	SetAside     time.Duration    // how long a refused batch is retried before it is set aside
	Grace        time.Duration    // how long Close lets a delivery go on
	Now          func() time.Time // the clock
}

// DefaultDeliveryOptions retry after one second at first and after a minute at most. Close
// waits three seconds, because a service has to stop within five.
func DefaultDeliveryOptions() DeliveryOptions {
	return DeliveryOptions{FirstRetry: time.Second, LongestRetry: time.Minute, SetAside: time.Hour, Grace: 3 * time.Second, Now: time.Now} //nolint:forbidigo // the clock of deliveries is that of this machine
}

// Validate reports every setting that cannot work.
func (o *DeliveryOptions) Validate() error {
	switch {
	case o.FirstRetry <= 0 || o.LongestRetry < o.FirstRetry:
		return errors.New("deliveries have to be tried again after a time, and not later at first than at last")
	case o.Now == nil:
		return errors.New("deliveries need a clock")
	}
	return nil
}

// ReceiverStatus is the state of the deliveries to one receiver.
type ReceiverStatus struct {
	Receiver string
	Queued   int       // notifications that it has not acknowledged
	Last     time.Time // time of its last acknowledgement; zero: none yet
	Failures int       // consecutive failures
	Trouble  string    // a sentence about the failure; empty: none
}
