package replay

import (
	"errors"
	"fmt"
	"io"
)

// What a request takes of memory, in bytes.
const (
	requestBytes = 64      // its record, and a copy where they grow or are moved
	latencyBytes = 24      // of each run: its latency, by record, in order, and as a slowdown
	flyingBytes  = 4 << 10 // while it is under way: its parts, and what a policy knows of each
)

// MaxRequests is how many a trace may have: all are in memory, with what became
// of them in each run.
func (o *Options) MaxRequests() int {
	return int(o.MemoryBytes / int64(requestBytes+latencyBytes*o.runs()))
}

// runs are those of all policies, and two without slow drives.
func (o *Options) runs() int { return len(o.Policies) + 2 }

// maxFlying is how many simulated requests may be under way.
func (o *Options) maxFlying() int { return max(1, int(o.MemoryBytes/4/flyingBytes)) }

// ErrMemory is of a trace that memory does not hold.
var ErrMemory = errors.New("the replay needs more than the memory limit")

// Load reads a whole trace.
func (o *Options) Load(s Source) ([]Record, error) {
	var records []Record
	for most := o.MaxRequests(); ; {
		r, err := s.Next()
		switch {
		case errors.Is(err, io.EOF):
			return records, nil
		case err != nil:
			return nil, err
		case len(records) == most:
			return nil, fmt.Errorf("%w: the trace has more than %d requests, and limpet replays each request %d times", ErrMemory, most, o.runs())
		}
		records = append(records, r)
	}
}
