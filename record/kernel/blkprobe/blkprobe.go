package blkprobe

import (
	"errors"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// Options bound the memory of the programs in the kernel.
type Options struct {
	// Requests is how many requests can be told apart at a time, among all that
	// the drivers of all devices have: 128 bytes each.
	Requests int
	// Blocks is how many counts there can be. An operation of a device has one
	// for each of up to eight processors, a device one more: 4 kB each.
	Blocks int

	processors int    // 0: of this machine
	way        string // "": the first that works
	deaf       string // a tracepoint that gets no program, for tests
}

// DefaultOptions suffice for the tags of sixty drives with two hundred each,
// and for three operations of as many drives on eight processors: 2.1 MB and
// 7.6 MB.
func DefaultOptions() Options { return Options{Requests: 16384, Blocks: 2048} }

// The bounds of Options.
const (
	MinRequests = 64
	MaxRequests = 1 << 20
	MinBlocks   = 8
	MaxBlocks   = 1 << 16
)

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	return errors.Join(bounds.Within("requests", o.Requests, MinRequests, MaxRequests), bounds.Within("blocks", o.Blocks, MinBlocks, MaxBlocks))
}

// Open begins to count requests. Its error is one line that says what is
// missing.
func Open(o Options) (*Probe, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return open(o)
}
