package bus

import (
	"context"
	"errors"
	"time"
)

// Record is one entry of a log.
type Record struct {
	Subject string
	ID      string // a record with an ID that the log has had of late is not appended again
	Data    []byte

	// Seq and Time are those that the log has given the record.
	Seq  uint64
	Time time.Time
}

// Log is records in one order for all.
type Log interface {
	// Append appends records in order, and returns when they are kept. It leaves out
	// those whose ID it has had of late.
	Append(ctx context.Context, records ...Record) error
	// Put appends a record if the last one on its subject has the number last, 0 where
	// there is none; else it returns [ErrConflict]. It returns the number of the record.
	Put(ctx context.Context, r Record, last uint64) (uint64, error)
	// Last is the last record on a subject, or [ErrNone].
	Last(ctx context.Context, subject string) (Record, error)
	// Read reads the records behind a number, for ever.
	Read(ctx context.Context, after uint64) (Reader, error)
}

// Reader yields the records of a log in order.
type Reader interface {
	// Next waits for the next record.
	Next(ctx context.Context) (Record, error)
	Close()
}

// Logs are logs by name.
type Logs interface {
	// Open opens a log, which is made where there is none. Records that are older than
	// keep may be dropped; 0 keeps all.
	Open(ctx context.Context, name string, keep time.Duration) (Log, error)
}

// Lease is the right to do something until it ends.
type Lease struct {
	Key, Owner string
	// Fence grows with every change of any lease: a later holder has a higher one.
	Fence uint64
	// Revision is that of the last renewal.
	Revision uint64
}

// Leases are rights that end by themselves unless they are renewed.
type Leases interface {
	// Take takes a lease that nobody has, or returns [ErrConflict].
	Take(ctx context.Context, key, owner string) (Lease, error)
	// Renew renews a lease, or returns [ErrConflict] where it is another's by now.
	Renew(ctx context.Context, l Lease) (Lease, error)
	// Release gives a lease back.
	Release(ctx context.Context, l Lease) error
	// Held lists the keys that are held, in order.
	Held(ctx context.Context) ([]string, error)
}

// Blobs are large values by name.
type Blobs interface {
	Put(ctx context.Context, name string, data []byte) error
	// Get is the value of a name, or [ErrNone].
	Get(ctx context.Context, name string) ([]byte, error)
	// Mark is a text that changes whenever the value of a name does, or [ErrNone].
	Mark(ctx context.Context, name string) (string, error)
}

// Bus is all of it.
type Bus struct {
	Logs   Logs
	Leases Leases
	Blobs  Blobs
	// LeaseTime is how long a lease lasts after it was taken or renewed.
	LeaseTime time.Duration
}

var (
	// ErrConflict says that somebody else was there before.
	ErrConflict = errors.New("somebody else was there before")
	// ErrNone says that there is no such thing.
	ErrNone = errors.New("there is no such thing")
)
