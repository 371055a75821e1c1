package replay

import "time"

// A Record is one request to a block device.
type Record struct {
	At     time.Duration // since the first record, never less than that of the one before
	Offset int64         // bytes
	Length int64         // bytes, above 0
	Write  bool
}

// A Source gives records in order of time, and io.EOF after the last.
type Source interface {
	Next() (Record, error)
}
