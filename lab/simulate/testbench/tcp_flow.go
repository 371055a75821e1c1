package testbench

import (
	"math"
	"math/rand/v2"
)

// TCP of Linux.
const (
	segment      = 1448.0 // bytes of data in a frame
	headers      = 66.0   // of Ethernet, IP and TCP with timestamps, as interfaces count
	hogCwnd      = 1000   // a hog's grows; what its machine takes of it is the interface's queue (txqueuelen)
	minTimeout   = 0.2    // seconds
	maxTimeout   = 3.0
	fewestInLoss = 2.0 // with fewer in flight nothing comes back that tells of a loss (limited transmit, FACK)
	unused       = 3.0 // a window counts as used when less than one part in so many is left of it
)

// A message is on its way.
type message[T any] struct {
	what T
	left float64 // bytes to be delivered
}

// A tcpFlow is one direction of a TCP connection, which carries messages.
type tcpFlow[T any] struct {
	net      *network
	from, to *port
	loss     float64

	queue   []message[T]
	head    int
	backlog float64 // bytes
	endless bool    // the backlog never ends
	most    float64 // of cwnd

	cwnd, ssthresh float64
	active         bool
	resume         float64 // time until which a timeout lasts
	timeout        float64
	idleSince      float64
	toLoss         float64 // segments until the next one is lost
	recovering     float64 // segments that are acknowledged one by one, after a loss

	inFlight float64 // segments, of this tick
	inSwitch float64 // of these
	seconds  float64 // of a round trip in this tick
	rate     float64 // segments a second, the best of late: what BBR goes by

	phase phase

	Retransmitted, Delivered float64 // segments
	Bytes                    float64
	CwndDelivered            float64 // windows at samples times segments delivered until then
	sampled                  float64 // of the delivered, in the sample before
}

// newFlow opens one between two ports.
func newFlow[T any](n *network, from, to *port) *tcpFlow[T] {
	return &tcpFlow[T]{net: n, from: from, to: to, loss: n.Loss, most: n.MaxCwnd, cwnd: n.InitialCwnd, ssthresh: math.Inf(1), timeout: minTimeout, toLoss: math.Inf(1)}
}

// Send queues a message.
func (f *tcpFlow[T]) Send(w *tcpNetwork[T], what T, bytes, now float64) {
	f.queue = append(f.queue, message[T]{what, bytes})
	f.backlog += bytes
	f.Wake(w, now)
}

// SendForever sends zeros from now on, as a hog does.
func (f *tcpFlow[T]) SendForever(w *tcpNetwork[T], now float64) {
	f.endless, f.most = true, hogCwnd
	f.Wake(w, now)
}

// Stop ends what was sent forever.
func (f *tcpFlow[T]) Stop() { f.endless, f.backlog = false, 0 }

// RoundTrip is how long one took when the flow was last active.
func (f *tcpFlow[T]) RoundTrip() float64 { return max(f.net.RoundTrip, f.seconds) }

// Wake puts the flow among the active ones. A window that was not used for
// longer than a timeout has decayed.
func (f *tcpFlow[T]) Wake(w *tcpNetwork[T], now float64) {
	if f.active {
		return
	}
	f.active = true
	w.active = append(w.active, f)
	for idle := now - f.idleSince; idle > minTimeout && f.cwnd > f.net.InitialCwnd && !f.net.BBR; idle -= minTimeout {
		f.ssthresh = max(f.ssthresh, 0.75*f.cwnd)
		f.cwnd = max(f.net.InitialCwnd, f.cwnd/2)
	}
}

// Lose adds losses to those that happen by themselves.
func (f *tcpFlow[T]) Lose(rate float64) {
	f.loss = min(0.9, f.net.Loss+rate)
	f.toLoss = math.Inf(1)
}

// Window is cwnd as the kernel shows it.
func (f *tcpFlow[T]) Window() float64 { return math.Floor(f.cwnd) }

// Sample is what a recorder makes of the flow: it sees the window once a second.
func (f *tcpFlow[T]) Sample() {
	f.CwndDelivered += f.Window() * (f.Delivered - f.sampled)
	f.sampled = f.Delivered
}

// waiting is the data that could be in flight, in segments.
func (f *tcpFlow[T]) waiting() float64 {
	if f.endless {
		return f.cwnd
	}
	return min(f.cwnd, math.Ceil(f.backlog/segment))
}

// transfer moves what the flow can in a tick of dt seconds at the given part
// of its rate, and returns the bytes that arrived.
func (f *tcpFlow[T]) transfer(rng *rand.Rand, now, dt, part float64) float64 {
	segments := f.inFlight * dt / f.seconds * part
	if !f.endless {
		segments = min(segments, math.Ceil(f.backlog/segment))
	}
	f.measure(segments, dt)
	return f.lossy(rng, segments, now, dt)
}

// lossy sends segments of which some are lost, window after window.
func (f *tcpFlow[T]) lossy(rng *rand.Rand, segments, now, dt float64) float64 {
	arrived, left := 0.0, dt
	for budget := segments; budget > 0; {
		if math.IsInf(f.toLoss, 1) {
			f.toLoss = nextLoss(rng, f.loss)
		}
		n := min(budget, f.toLoss)
		f.toLoss -= n
		budget -= n
		f.grow(n)
		if f.toLoss > 0 {
			return arrived + f.carry(n, 0)
		}
		arrived += f.carry(max(0, n-1), 1)
		f.toLoss = nextLoss(rng, f.loss)
		before := f.cwnd
		behind := f.backlog / segment
		if f.endless {
			behind = f.cwnd
		}
		if f.cwnd < fewestInLoss || behind < fewestInLoss || !f.net.RACK && rng.Float64() < f.loss {
			f.expire(now)
			return arrived
		}
		f.halve()
		left -= n / max(before, 1) * f.seconds
		budget = min(budget, max(0, left)/f.seconds*f.cwnd)
	}
	return arrived
}

func nextLoss(rng *rand.Rand, p float64) float64 {
	return 1 + math.Floor(math.Log(1-rng.Float64())/math.Log1p(-p))
}

// next is the size of the next segment.
func (f *tcpFlow[T]) next() float64 {
	if f.endless {
		return segment
	}
	return min(segment, f.backlog)
}

// drop counts segments that the switch does not pass on.
func (f *tcpFlow[T]) drop(lost float64) {
	f.from.Sent(lost*(f.next()+headers), lost)
	f.Retransmitted += lost
}

// carry counts n segments that arrive and those lost behind the receiver's
// interface, and returns the bytes that arrived.
func (f *tcpFlow[T]) carry(n, lost float64) float64 {
	bytes := n * segment
	if n >= 1 {
		f.timeout = minTimeout
	}
	wasted := lost * f.next()
	if !f.endless {
		bytes = min(bytes, f.backlog)
		f.backlog -= bytes
	}
	sent := bytes + wasted + (n+lost)*headers
	acks := (n + min(n, f.recovering)) / 2 // every second, but each one while segments are missing (F10 §12)
	f.recovering = max(0, f.recovering-n)
	f.from.Sent(sent, n+lost)
	f.to.Received(sent, n+lost)
	f.to.Sent(acks*headers, acks)
	f.from.Received(acks*headers, acks)
	f.Delivered += n
	f.Retransmitted += lost
	f.Bytes += bytes
	return bytes
}

// grow opens the window by what was acknowledged, where it is in use.
func (f *tcpFlow[T]) grow(segments float64) {
	limit := min(f.most, max(f.inFlight+1, f.inFlight*unused/(unused-1)))
	if f.inFlight < f.cwnd && (f.cwnd-f.inFlight)*unused >= f.cwnd || segments == 0 {
		return
	}
	acks := max(segments/2, min(segments, 1)) // delayed, but for the last of a message
	if f.net.BBR {
		f.cwnd = min(f.cwnd+acks, max(f.fromRate(), leastOfBBR), f.most)
		return
	}
	if f.cwnd < f.ssthresh {
		f.cwnd = min(f.cwnd+acks, max(limit, f.cwnd), max(f.ssthresh, f.cwnd))
		return
	}
	f.cwnd = min(f.cwnd+acks/f.cwnd, max(limit, f.cwnd))
}

// halve is what a loss does that is noticed by what arrives after it.
func (f *tcpFlow[T]) halve() {
	f.recovering = 16 // quick acknowledgments of Linux after a hole
	if f.net.BBR {
		return
	}
	f.ssthresh = max(2, f.cwnd/2)
	f.cwnd = f.ssthresh
}

// expire is what a loss does that only silence tells of.
func (f *tcpFlow[T]) expire(now float64) {
	if !f.net.BBR { // which comes back with the window that it had
		f.ssthresh = max(2, f.cwnd/2)
		f.cwnd = 1
	}
	f.resume = now + f.timeout
	f.timeout = min(maxTimeout, 2*f.timeout)
	f.recovering = 16
}
