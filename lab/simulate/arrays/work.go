package arrays

import "math"

// work is requests that were answered.
type work struct {
	write   bool
	ios     uint64
	sectors uint64
	ms      float64 // from request to answer, summed
}

const (
	sectorsPerKiB = 2
	// pageSectors is what the kernel cuts requests by.
	pageSectors = 8
	// sizeSpread is how much the mean size of requests varies: some are
	// merged, some are the end of a file.
	sizeSpread = 0.02
	// steady is the part of a request's time that all have in common; the
	// rest is exponential.
	steady = 0.5
)

// requests draws n requests of a flow that take meanMs on average.
func requests(rng dice, f Stream, n int, meanMs float64) work {
	size := f.KiB * sectorsPerKiB * (1 + sizeSpread*rng.NormFloat64())
	pages := math.Round(float64(n) * size / pageSectors)
	return work{
		write:   f.Write,
		ios:     uint64(n),
		sectors: uint64(max(pages, float64(n))) * pageSectors,
		ms:      meanMs * (steady*float64(n) + (1-steady)*rng.sumOfExponentials(n)),
	}
}

// counters are a block device's, as the kernel keeps them: finer than it
// shows them, so that nothing is lost by rounding.
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

// queueMs is the time in the queue, weighted by the requests there. Kernels
// take the times of the requests answered, hence Little's law holds exactly.
func (c *counters) queueMs() float64 { return c.readMs + c.writeMs }

// busyFor is how long at least one request is under way where inFlight are on
// average and come independently.
func busyFor(ms, inFlight float64) float64 {
	return ms * (1 - math.Exp(-inFlight))
}

// ticks is a time as kernels show it: whole milliseconds in 32 bits.
func ticks(ms float64) uint32 { return uint32(uint64(ms)) }
