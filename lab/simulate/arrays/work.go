package arrays

import "math"

// work is the sum of some answered requests.
type work struct {
	write   bool
	ios     uint64
	sectors uint64
	ms      float64 // sum of the times from request to answer
}

const (
	sectorsPerKiB = 2
	// pageSectors is the unit of the size of requests in the kernel.
	pageSectors = 8
	// sizeSpread is the relative spread of the mean size of requests: some are merged, some are at
	// the end of a file.
	sizeSpread = 0.02
	// steady is the constant part of a request's time; the rest is drawn from an exponential
	// distribution.
	steady = 0.5
)

// requests draws n requests of a flow that take meanMs on average.
func requests(rng random, f Stream, n int, meanMs float64) work {
	size := f.KiB * sectorsPerKiB * (1 + sizeSpread*rng.NormFloat64())
	pages := math.Round(float64(n) * size / pageSectors)
	return work{
		write:   f.Write,
		ios:     uint64(n),
		sectors: uint64(max(pages, float64(n))) * pageSectors,
		ms:      meanMs * (steady*float64(n) + (1-steady)*rng.sumOfExponentials(n)),
	}
}

// counters are the counters of a block device. They are finer than the kernel shows them, so that
// nothing is lost by rounding.
type counters struct {
	ios                       uint64
	readSectors, writeSectors uint64
	readMs, writeMs, busyMs   float64
}

func (c *counters) add(w work) {
	c.ios += w.ios
	if w.write {
		c.writeSectors += w.sectors
		c.writeMs += w.ms
	} else {
		c.readSectors += w.sectors
		c.readMs += w.ms
	}
}

// queueMs returns the time in the queue, weighted by the number of requests there. Kernels compute
// it from the times of answered requests, so Little's law holds exactly.
func (c *counters) queueMs() float64 { return c.readMs + c.writeMs }

// busyFor returns how long at least one request is in flight, if inFlight requests are in flight on
// average and arrive independently.
func busyFor(ms, inFlight float64) float64 {
	return ms * (1 - math.Exp(-inFlight))
}

// ticks returns a time as kernels show it: whole milliseconds in 32 bits.
func ticks(ms float64) uint32 { return uint32(uint64(ms)) }
