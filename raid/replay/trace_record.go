package replay

import "time"

// A Record is one request to a block device.
type Record struct {
	At     time.Duration // time since the first record, never decreasing
	Offset int64         // bytes
	Length int64         // bytes, above 0
	Write  bool
}

// A Source returns records in order of time, and io.EOF after the last record.
type Source interface {
	Next() (Record, error)
}
