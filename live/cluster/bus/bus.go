package bus

import (
	"context"
	"errors"
	"time"
)

// Record is one entry of a log.
type Record struct {
	Subject string
	ID      string // a log ignores a record if the log has recently stored another record with the same ID
	Data    []byte

	// The log sets Seq and Time.
	Seq  uint64
	Time time.Time
}

// MaxRecordBytes and MaxBlobBytes limit the sizes of the data that are read from a bus. Programs
// other than limpet may also write to the bus, so the readers check all data.
const (
	// MaxRecordBytes is the largest size of a record, in bytes. A step of a server with a thousand
	// drives has 20 kB, and an event with a thousand members has 200 kB. By default, NATS refuses a
	// message of more than 1 MB.
	MaxRecordBytes = 8 << 20
	// MaxBlobBytes is the largest size of a blob, in bytes. The state of a million components has
	// 1.3 GB.
	MaxBlobBytes = 4 << 30
)

// Log is a list of records, in the same order for all readers. Each record has a subject, a text
// that groups the records of a log.
type Log interface {
	// Append appends records in order. It returns when the records are stored. It ignores a record
	// if the log has recently stored a record with the same ID.
	Append(ctx context.Context, records ...Record) error
	// Put appends a record and returns its number. The parameter `last` must be the number of the
	// last record on the subject, or 0 if the subject has no record yet. Otherwise Put appends
	// nothing and returns [ErrConflict].
	Put(ctx context.Context, r Record, last uint64) (uint64, error)
	// Last returns the last record on a subject. It returns [ErrNone] if the subject has no record.
	Last(ctx context.Context, subject string) (Record, error)
	// Read returns a reader for the records with higher numbers than the given number. After the
	// last record, the reader waits for new records.
	Read(ctx context.Context, after uint64) (Reader, error)
}

// Reader returns the records of a log in order.
type Reader interface {
	// Next waits for the next record.
	Next(ctx context.Context) (Record, error)
	Close()
}

// Logs opens logs by their names.
type Logs interface {
	// Open opens a log. It creates the log if there is no log with this name. The log keeps each
	// record for the given time. After this time, the log may drop the record. If the time is 0,
	// the log drops no records.
	Open(ctx context.Context, name string, keep time.Duration) (Log, error)
}

// Lease is the right of one owner to do something, until the lease expires or is released.
type Lease struct {
	Key, Owner string
	// Fence is the revision at which the lease was taken. All leases share one revision number,
	// which increases with each change of a lease. So a later holder of the lease has a higher
	// fence.
	Fence uint64
	// Revision is the revision at which the lease was last renewed.
	Revision uint64
}

// Leases are rights that expire if they are not renewed.
type Leases interface {
	// Acquire takes a lease that no owner holds. If an owner holds the lease, Acquire returns
	// [ErrConflict].
	Acquire(ctx context.Context, key, owner string) (Lease, error)
	// Renew renews a lease. It returns [ErrConflict] if the lease has expired or has another owner.
	Renew(ctx context.Context, l Lease) (Lease, error)
	// Release ends a lease before it expires.
	Release(ctx context.Context, l Lease) error
	// Held returns the keys of all leases that are held, in order.
	Held(ctx context.Context) ([]string, error)
}

// Blobs stores large values by their names.
type Blobs interface {
	Put(ctx context.Context, name string, data []byte) error
	// Get returns the value with the given name. It returns [ErrNone] if there is no such value.
	Get(ctx context.Context, name string) ([]byte, error)
	// Mark returns a text that identifies the version of a value: the text changes whenever the
	// value changes. It returns [ErrNone] if there is no such value.
	Mark(ctx context.Context, name string) (string, error)
}

// Bus combines logs, leases and blobs.
type Bus struct {
	Logs   Logs
	Leases Leases
	Blobs  Blobs
	// LeaseTime is the time after which a lease expires if its owner does not renew it.
	LeaseTime time.Duration
}

var (
	// ErrConflict means that another writer has appended a record first, or that another owner
	// holds the lease.
	ErrConflict = errors.New("another node has already written this record to NATS")
	// ErrNone means that the record or value does not exist.
	ErrNone = errors.New("the record or object does not exist in NATS")
)
