package blkprobe

import "io"

// options bound the memory of the programs, and choose the kind of hooks for tests.
type options struct {
	Requests, Blocks int
	Processors       int    // 0: the processors of this machine
	HookKind         string // "": the first kind of hooks that works
	Deaf             string // tracepoint without a program; "": each has one
}

// memory is the memory of the blocks in which the kernel counts.
type memory interface {
	io.ReaderAt
	io.WriterAt
}

// attachedPrograms has the programs that the kernel calls.
type attachedPrograms struct {
	HookKind string // the kind of hooks, one of hookKinds
	Memory   memory
	close    func() error
}

// Close detaches the programs.
func (r *attachedPrograms) Close() error { return r.close() }

// hookKinds are all kinds of hooks, the fastest first.
var hookKinds = []string{typedTracepoints, rawTracepoints, tracefsEvents}

const (
	typedTracepoints = "typed tracepoints" // needs Linux 5.5 and BTF
	rawTracepoints   = "raw tracepoints"   // needs Linux 4.17 and BTF
	tracefsEvents    = "tracefs"           // needs Linux 4.20, for the BPF queue of free blocks
)
