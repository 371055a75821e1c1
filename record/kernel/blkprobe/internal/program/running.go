package program

import "io"

// Options bound what programs take, and choose for tests.
type Options struct {
	Requests, Blocks int
	Processors       int    // 0: of this machine
	Way              string // "": the first that works
	Deaf             string // a tracepoint that is not heard; "": all are
}

// Memory is the blocks as the kernel counts in them.
type Memory interface {
	io.ReaderAt
	io.WriterAt
}

// Running is programs that are called.
type Running struct {
	Way    string // how requests are heard of
	Memory Memory
	close  func() error
}

// Close ends them.
func (r *Running) Close() error { return r.close() }

// Ways are the names of all ways, the quickest first.
var Ways = []string{typedTracepoints, rawTracepoints, tracefsEvents}

const (
	typedTracepoints = "typed tracepoints" // Linux 5.5 and BTF
	rawTracepoints   = "raw tracepoints"   // Linux 4.17 and BTF
	tracefsEvents    = "tracefs"           // Linux 4.20: queues of free blocks
)
