package nbd

import (
	"sync/atomic"
	"time"
)

// Counters counts events since the server was made.
type Counters struct {
	Connections           int64  // connected clients at present
	Refused               uint64 // clients refused because too many were connected
	Reads, Writes         uint64
	Flushes               uint64
	Trims, Zeroes         uint64
	Statuses              uint64 // BLOCK_STATUS requests
	BytesRead, BytesWrote uint64
	Failed                uint64 // requests that were refused, or that failed on the device
}

type counts struct {
	connections           atomic.Int64
	refused               atomic.Uint64
	reads, writes         atomic.Uint64
	flushes               atomic.Uint64
	trims, zeroes         atomic.Uint64
	statuses              atomic.Uint64
	bytesRead, bytesWrote atomic.Uint64
	failed                atomic.Uint64
	took                  [len(operations)]latencies // latencies of requests that did not fail
}

// Counters returns the present counters.
func (s *Server) Counters() Counters {
	c := &s.counts
	return Counters{
		Connections: c.connections.Load(), Refused: c.refused.Load(),
		Reads: c.reads.Load(), Writes: c.writes.Load(), Flushes: c.flushes.Load(),
		Trims: c.trims.Load(), Zeroes: c.zeroes.Load(), Statuses: c.statuses.Load(),
		BytesRead: c.bytesRead.Load(), BytesWrote: c.bytesWrote.Load(), Failed: c.failed.Load(),
	}
}

// add counts a request after the device has done it or failed.
func (c *counts) add(r request, took time.Duration, err error) {
	if err != nil {
		c.failed.Add(1)
		return
	}
	c.took[r.operation()].add(took)
	switch r.command {
	case cmdRead:
		c.reads.Add(1)
		c.bytesRead.Add(uint64(r.length))
	case cmdWrite:
		c.writes.Add(1)
		c.bytesWrote.Add(uint64(r.length))
	case cmdTrim:
		c.trims.Add(1)
	case cmdWriteZeroes:
		c.zeroes.Add(1)
	case cmdBlockStatus:
		c.statuses.Add(1)
	default:
		c.flushes.Add(1)
	}
}
