package blkprobe

import (
	"errors"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options bound the memory of the programs in the kernel.
type Options struct {
	// Requests is the largest number of requests that the programs can follow at a time, on all
	// devices together. A request takes 128 bytes.
	Requests int
	// Blocks is the largest number of blocks of counters. Each operation of a device has a block
	// for each of up to eight processors, and the device itself has one more. A block takes 4 kB.
	Blocks int

	processors int    // 0: the processors of this machine
	hookKind   string // "": the first kind of hooks that works
	deaf       string // a tracepoint that gets no program, for tests
}

// DefaultOptions are enough for sixty drives with two hundred tags each (2.1 MB), and for three
// operations of sixty drives on eight processors (7.6 MB).
func DefaultOptions() Options { return Options{Requests: 16384, Blocks: 2048} }

// The bounds of Options.
const (
	MinRequests = 64
	MaxRequests = 1 << 20
	MinBlocks   = 8
	MaxBlocks   = 1 << 16
)

// Validate returns an error if an option is out of bounds.
func (o *Options) Validate() error {
	return errors.Join(bounds.Within("requests", o.Requests, MinRequests, MaxRequests), bounds.Within("blocks", o.Blocks, MinBlocks, MaxBlocks))
}

// Open begins to count requests. If that is not possible, the error is one line with the reason and
// the cure.
func Open(o Options) (*Probe, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return open(o)
}
