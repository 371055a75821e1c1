package testbench

import "math"

// BBR sets its window to 2 × the highest recent rate × the shortest round trip. A lost segment
// changes neither, so windows do not show loss.
const (
	gainOfBBR    = 2.0
	leastOfBBR   = 4.0 // segments
	memoryOfBBR  = 2.0 // time constant in seconds: after it, 1/e of an old rate is left
	startupOfBBR = 2.9 // factor of the segments in flight that gives the window before a rate is measured
)

// measure updates the highest recent rate with the rate of a tick.
func (f *tcpFlow[T]) measure(segments, dt float64) {
	f.rate = max(f.rate*math.Exp(-dt/memoryOfBBR), segments/dt)
}

// fromRate returns the window that BBR computes.
func (f *tcpFlow[T]) fromRate() float64 {
	return max(gainOfBBR*f.rate*f.net.RoundTrip, min(f.net.InitialCwnd, startupOfBBR*f.inFlight))
}
