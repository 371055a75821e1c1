package testbench

import (
	"math"
	"math/rand/v2"
)

// TCP of Linux 2.6.18 over gigabit Ethernet.
const (
	segment      = 1448.0 // bytes of data in a frame
	headers      = 66.0   // of Ethernet, IP and TCP with timestamps, as interfaces count
	initialCwnd  = 3.0
	maxCwnd      = 90.0 // the send buffer of a file system's socket, 128 KiB, holds no more
	hogCwnd      = 1000 // a hog's grows; what its machine takes of it is the interface's queue (txqueuelen)
	minTimeout   = 0.2  // seconds
	maxTimeout   = 3.0
	naturalLoss  = 1e-4 // of packets, that nobody has injected: receive rings overflow, cables are bent
	fewestInLoss = 2.0  // with fewer in flight nothing comes back that tells of a loss (limited transmit, FACK)
	unused       = 3.0  // a window counts as used when less than one part in so many is left of it
)

// A message is an operation's request or answer on its way.
type message struct {
	op   *op
	left float64 // bytes to be delivered
}

// A flow is one direction of a TCP connection.
type flow struct {
	from, to *port
	loss     float64

	queue   []message
	head    int
	backlog float64 // bytes
	endless bool    // a hog's: the backlog never ends
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

	phase phase

	retransmitted, delivered float64 // segments
	bytes                    float64
	sampled                  float64 // of the delivered, in the sample before
	cwndDelivered            float64 // windows at samples times segments delivered until then
}

func newFlow(from, to *port) *flow {
	return &flow{from: from, to: to, loss: naturalLoss, most: maxCwnd, cwnd: initialCwnd, ssthresh: math.Inf(1), timeout: minTimeout, toLoss: math.Inf(1)}
}

// send queues a message.
func (f *flow) send(w *wire, o *op, bytes, now float64) {
	f.queue = append(f.queue, message{o, bytes})
	f.backlog += bytes
	f.wake(w, now)
}

// wake puts the flow among the active ones. A window that was not used for
// longer than a timeout has decayed.
func (f *flow) wake(w *wire, now float64) {
	if f.active {
		return
	}
	f.active = true
	w.active = append(w.active, f)
	for idle := now - f.idleSince; idle > minTimeout && f.cwnd > initialCwnd; idle -= minTimeout {
		f.ssthresh = max(f.ssthresh, 0.75*f.cwnd)
		f.cwnd = max(initialCwnd, f.cwnd/2)
	}
}

// lose adds losses to those that happen by themselves.
func (f *flow) lose(rate float64) {
	f.loss = min(0.9, naturalLoss+rate)
	f.toLoss = math.Inf(1)
}

// window is cwnd as the kernel shows it.
func (f *flow) window() float64 { return math.Floor(f.cwnd) }

// sample is what a recorder makes of the flow: it sees the window once a second.
func (f *flow) sample() {
	f.cwndDelivered += f.window() * (f.delivered - f.sampled)
	f.sampled = f.delivered
}

// waiting is the data that could be in flight, in segments.
func (f *flow) waiting() float64 {
	if f.endless {
		return f.cwnd
	}
	return min(f.cwnd, math.Ceil(f.backlog/segment))
}

// transfer moves what the flow can in a tick of dt seconds at the given part
// of its rate, and returns the bytes that arrived.
func (f *flow) transfer(rng *rand.Rand, now, dt, part float64) float64 {
	segments := f.inFlight * dt / f.seconds * part
	if !f.endless {
		segments = min(segments, math.Ceil(f.backlog/segment))
	}
	return f.lossy(rng, segments, now, dt)
}

// lossy sends segments of which some are lost, window after window.
func (f *flow) lossy(rng *rand.Rand, segments, now, dt float64) float64 {
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
		if f.cwnd < fewestInLoss || behind < fewestInLoss || rng.Float64() < f.loss {
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
func (f *flow) next() float64 {
	if f.endless {
		return segment
	}
	return min(segment, f.backlog)
}

// drop counts segments that the switch does not pass on.
func (f *flow) drop(lost float64) {
	f.from.sent(lost*(f.next()+headers), lost)
	f.retransmitted += lost
}

// carry counts n segments that arrive and those lost behind the receiver's
// interface, and returns the bytes that arrived.
func (f *flow) carry(n, lost float64) float64 {
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
	f.from.sent(sent, n+lost)
	f.to.received(sent, n+lost)
	f.to.sent(acks*headers, acks)
	f.from.received(acks*headers, acks)
	f.delivered += n
	f.retransmitted += lost
	f.bytes += bytes
	return bytes
}

// grow opens the window by what was acknowledged, where it is in use.
func (f *flow) grow(segments float64) {
	limit := min(f.most, max(f.inFlight+1, f.inFlight*unused/(unused-1)))
	if f.inFlight < f.cwnd && (f.cwnd-f.inFlight)*unused >= f.cwnd || segments == 0 {
		return
	}
	acks := max(segments/2, min(segments, 1)) // delayed, but for the last of a message
	if f.cwnd < f.ssthresh {
		f.cwnd = min(f.cwnd+acks, max(limit, f.cwnd), max(f.ssthresh, f.cwnd))
		return
	}
	f.cwnd = min(f.cwnd+acks/f.cwnd, max(limit, f.cwnd))
}

// halve is what a loss does that is noticed by what arrives after it.
func (f *flow) halve() {
	f.ssthresh = max(2, f.cwnd/2)
	f.cwnd = f.ssthresh
	f.recovering = 16 // quick acknowledgments of Linux after a hole
}

// expire is what a loss does that only silence tells of.
func (f *flow) expire(now float64) {
	f.ssthresh = max(2, f.cwnd/2)
	f.cwnd = 1
	f.resume = now + f.timeout
	f.timeout = min(maxTimeout, 2*f.timeout)
	f.recovering = 16
}

// A phase is how a flow's bursts happen to fall among those of the others at
// a full queue: some lose again and again while others never do, until the
// pattern changes (Floyd and Jacobson, "On Traffic Phase Effects in
// Packet-Switched Gateways", 1992).
type phase struct {
	until, exposure float64
}

const (
	phaseSpread = 1.0  // of the logarithm
	phaseLength = 40.0 // seconds, on average
)

func (p *phase) at(rng *rand.Rand, now float64) float64 {
	if now >= p.until {
		p.until = now + phaseLength*rng.ExpFloat64()
		p.exposure = near(rng, phaseSpread)
	}
	return p.exposure
}
