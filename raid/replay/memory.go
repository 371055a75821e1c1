package replay

import (
	"errors"
	"fmt"
	"io"
)

// Memory of a request, in bytes.
const (
	requestBytes = 64      // its record, and a copy when the slice grows or requests are moved
	latencyBytes = 24      // for each run: its latency by record, its latency in order, and its slowdown
	flyingBytes  = 4 << 10 // while it is in flight: its parts, and the state of the policy for each
)

// MaxRequests returns the largest number of requests of a trace. All requests are in memory, with
// their latencies in each run.
func (o *Options) MaxRequests() int {
	return int(o.MemoryBytes / int64(requestBytes+latencyBytes*o.runs()))
}

// runs returns the number of runs: one for each policy, and two without slow drives.
func (o *Options) runs() int { return len(o.Policies) + 2 }

// maxFlying returns the largest number of simulated requests in flight.
func (o *Options) maxFlying() int { return max(1, int(o.MemoryBytes/4/flyingBytes)) }

// ErrMemory is returned if the replay does not fit into the memory limit.
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
