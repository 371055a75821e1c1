package blkprobe

import (
	"golang.org/x/sys/unix"
)

func open(o Options) (*Probe, error) {
	running, err := start(options{Requests: o.Requests, Blocks: o.Blocks, Processors: o.processors, HookKind: o.hookKind, Deaf: o.deaf})
	if err != nil {
		return nil, err
	}
	p := newReader(running.Memory, o.Blocks)
	p.HookKind, p.run, p.close = running.HookKind, runNumber(), running.Close
	return p, nil
}

// runNumber tells this run from others.
func runNumber() uint64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_REALTIME, &t) != nil {
		return 1
	}
	return uint64(t.Nano())
}
