package blkprobe

import "io"

// options bound what programs take, and choose for tests.
type options struct {
	Requests, Blocks int
	Processors       int    // 0: of this machine
	Way              string // "": the first that works
	Deaf             string // a tracepoint that gets no program; "": all get one
}

// memory is the blocks as the kernel counts in them.
type memory interface {
	io.ReaderAt
	io.WriterAt
}

// running has the programs that the kernel calls.
type running struct {
	Way    string // the kind of hooks, one of wayNames
	Memory memory
	close  func() error
}

// Close ends them.
func (r *running) Close() error { return r.close() }

// wayNames are the names of all ways, the quickest first.
var wayNames = []string{typedTracepoints, rawTracepoints, tracefsEvents}

const (
	typedTracepoints = "typed tracepoints" // Linux 5.5 and BTF
	rawTracepoints   = "raw tracepoints"   // Linux 4.17 and BTF
	tracefsEvents    = "tracefs"           // Linux 4.20: queues of free blocks
)
