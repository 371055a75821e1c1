package kernel

import (
	"bytes"
	"fmt"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// The first lines of /proc/stat are read. They hold, in jiffies: user, nice, system, idle, waiting
// for I/O, interrupts, soft interrupts, stolen, guests, nice guests. Old kernels do not have the
// last columns, and processors that are offline have no line.
//
//	cpu  3212274 155109 225604 1527566 4475 0 4870 25208 0 0
//	cpu0 1597641 82153 110480 769765 2559 0 2143 12934 0 0
//	cpu3 1614632 72955 115123 757800 1915 0 2726 12273 0 0

// maxCPUs is the largest number of processors that a kernel can be built for.
const maxCPUs = 8192

func (k *Kernel) sampleCPUs(s *sysstat.Sample) error {
	s.CPUs = s.CPUs[:0]
	text, err := k.stat.read()
	if err != nil {
		return err
	}
	s.CPUs, k.waits.blocked = appendCPUs(s.CPUs, text), parseBlocked(text)
	if len(s.CPUs) == 0 {
		return fmt.Errorf("file %s lists no processors", k.stat.path)
	}
	return nil
}

// appendCPUs appends the counters of all processors together, and then of each processor. A
// processor that is offline has zeros.
func appendCPUs(cpus []sysstat.CPU, text []byte) []sysstat.CPU {
	for len(text) > 0 {
		var line words
		line, text = cutLine(text)
		name, ok := bytes.CutPrefix(line.next(), []byte("cpu"))
		if !ok {
			break
		}
		place := uint64(0)
		if len(name) > 0 {
			place, ok = number(name)
			place++
		}
		if !ok || place > maxCPUs {
			continue
		}
		for uint64(len(cpus)) <= place {
			cpus = append(cpus, sysstat.CPU{})
		}
		cpus[place] = parseCPU(line)
	}
	return cpus
}

func parseCPU(line words) sysstat.CPU {
	var v [10]uint64
	line.numbers(v[:])
	return sysstat.CPU{
		User: v[0], Nice: v[1], System: v[2], Idle: v[3], IOWait: v[4],
		IRQ: v[5], SoftIRQ: v[6], Steal: v[7], Guest: v[8], GuestNice: v[9],
	}
}

// parseUptime parses seconds with two decimals: 25766.58 15275.66.
func parseUptime(text []byte) (hundredths uint64, ok bool) {
	line := words(text)
	whole, part, _ := bytes.Cut(line.next(), []byte{'.'})
	seconds, ok1 := number(whole)
	rest, ok2 := number(part)
	const most = 1 << 40 // seconds: longer than any machine runs, and small enough to avoid an overflow
	return seconds*100 + rest, ok1 && ok2 && len(part) == 2 && seconds < most
}
