package agent

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/limpet-storage/limpet/internal/bounded"
)

// cost returns the resources that this process and its BPF programs have used.
func (m *machine) cost() (c Cost) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) == nil {
		c.Processor = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	c.Resident = resident()
	if m.probe != nil {
		c.Programs = m.probe.Spent()
	}
	return c
}

// resident returns the resident memory of this process in bytes. It is the second number, in pages,
// of /proc/self/statm:
//
//	318421 3120 1402 512 0 40512 0
func resident() uint64 {
	text, _ := bounded.ReadFile("/proc/self/statm", 4096, "the memory figures of the kernel")
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(string(fields[1]), 10, 64)
	return pages * uint64(os.Getpagesize())
}
