package testbench

import "math"

// BBR sets its window by what it has measured: the best rate of late times the
// shortest round trip, twice. A lost segment changes neither, so that windows
// say nothing of loss.
const (
	gainOfBBR    = 2.0
	leastOfBBR   = 4.0 // segments
	memoryOfBBR  = 2.0 // seconds in which a rate is forgotten, to a third
	startupOfBBR = 2.9 // as long as nothing was measured, windows grow by that
)

// measure notes the rate of a tick.
func (f *tcpFlow[T]) measure(segments, dt float64) {
	f.rate = max(f.rate*math.Exp(-dt/memoryOfBBR), segments/dt)
}

// fromRate is the window that BBR wants.
func (f *tcpFlow[T]) fromRate() float64 {
	return max(gainOfBBR*f.rate*f.net.RoundTrip, min(f.net.InitialCwnd, startupOfBBR*f.inFlight))
}
