package alert

import (
	"context"
	"errors"
	"time"
)

// Batch holds the notifications that one call of Send delivers.
type Batch struct {
	// New holds notifications that the receiver has not acknowledged, in the order in which they
	// were put into the outbox.
	New []Notification
	// Firing holds all alerts that fire, for receivers that need reminders. If New and Firing both
	// have a notification about an alert, the notification in New is newer.
	Firing []Notification
}

// Policy holds the size of batches and the interval of reminders for one receiver.
type Policy struct {
	MaxBatch    int           // largest number of new notifications in a batch
	RemindEvery time.Duration // interval between reminders of all firing alerts; 0 means no reminders
}

// Sender delivers notifications to one receiver.
type Sender interface {
	// Policy returns the size of batches and the interval of reminders.
	Policy() Policy
	// Send returns nil when the receiver has stored the batch. Errors of Send must not contain
	// secrets.
	Send(context.Context, Batch) error
}

// Refusal is the error that Send returns if the receiver will never accept the batch, for example
// because the batch is malformed or too large.
type Refusal struct{ Err error }

func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the error of the receiver.
func (r *Refusal) Unwrap() error { return r.Err }

// Address is a receiver and the sender that delivers to this receiver.
type Address struct {
	Receiver
	Sender Sender
}

// DeliveryOptions are the settings of deliveries: the intervals of retries, two time limits
// and the clock.
type DeliveryOptions struct {
	FirstRetry   time.Duration    // wait after the first failure; each further failure doubles the wait
	LongestRetry time.Duration    // upper bound of the wait between two attempts
	SetAside     time.Duration    // how long a refused batch is retried; after this time the batch is never sent again
	Grace        time.Duration    // how long Close waits for a delivery that has begun
	Now          func() time.Time // returns the present time
	// Turns decides which node of a cluster delivers to a receiver. It is nil if there is no
	// cluster.
	Turns Turns
}

// DefaultDeliveryOptions returns the default options. The first retry comes after one second. The
// wait before any further retry is at most one minute. A refused batch is set aside after one hour.
// Close waits three seconds, because a service has to stop within five seconds.
func DefaultDeliveryOptions() DeliveryOptions {
	return DeliveryOptions{FirstRetry: time.Second, LongestRetry: time.Minute, SetAside: time.Hour, Grace: 3 * time.Second, Now: time.Now} //nolint:forbidigo // the times of deliveries come from the clock of this machine
}

// Validate returns an error if a waiting time is invalid, or if the clock is missing.
func (o *DeliveryOptions) Validate() error {
	switch {
	case o.FirstRetry <= 0 || o.LongestRetry < o.FirstRetry:
		return errors.New("internal error: the waiting time before a second delivery must be above 0 s, and must not be longer than the longest waiting time")
	case o.Now == nil:
		return errors.New("internal error: the delivery of notifications has no source of the current time")
	}
	return nil
}

// ReceiverStatus is the state of the deliveries to one receiver.
type ReceiverStatus struct {
	Receiver string
	Node     string    // name of the node that delivers to the receiver; empty if there is no cluster
	Queued   int       // number of notifications that the receiver has not acknowledged
	Oldest   int64     // row time of the first notification that was not acknowledged, in Unix seconds; 0 if Queued is 0
	Last     time.Time // time of the receiver's last acknowledgement; zero if there is no acknowledgement yet
	Failures int       // number of consecutive failures
	Trouble  string    // sentence about the failures; empty if the last delivery succeeded
}
