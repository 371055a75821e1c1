package testbench

import (
	"math"
	"math/rand/v2"
)

// Settings of Linux's TCP.
const (
	segment      = 1448.0 // bytes of data in a frame
	headers      = 66.0   // bytes of Ethernet, IP and TCP headers with timestamps, as interfaces count them
	hogCwnd      = 1000   // largest window of a hog, in segments: the length of the interface's queue (txqueuelen)
	minTimeout   = 0.2    // seconds
	maxTimeout   = 3.0
	fewestInLoss = 2.0 // with fewer segments in flight, no acknowledgment shows a loss (limited transmit, FACK)
	unused       = 3.0 // a window counts as used if less than 1/unused of it is free
)

// A message is a message that is not fully delivered.
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
	most    float64 // largest cwnd

	cwnd, ssthresh float64
	active         bool
	resume         float64 // time until which a timeout lasts
	timeout        float64
	idleSince      float64
	toLoss         float64 // number of segments until the next lost one
	recovering     float64 // number of the next segments that are acknowledged one by one, after a loss

	inFlight float64 // segments in flight in this tick
	inSwitch float64 // part of them in the switch
	seconds  float64 // length of a round trip in this tick
	rate     float64 // highest recent rate in segments a second, for BBR

	phase phase

	Retransmitted, Delivered float64 // segments
	Bytes                    float64
	CwndDelivered            float64 // sum over samples of window × segments delivered since the last sample
	sampled                  float64 // Delivered at the last sample
}

// newFlow returns a flow between two ports.
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

// Stop ends SendForever.
func (f *tcpFlow[T]) Stop() { f.endless, f.backlog = false, 0 }

// RoundTrip returns the length of a round trip when the flow was last active.
func (f *tcpFlow[T]) RoundTrip() float64 { return max(f.net.RoundTrip, f.seconds) }

// Wake makes the flow active. A window that was not used for longer than a timeout decays.
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

// Lose adds a loss rate to the network's own loss.
func (f *tcpFlow[T]) Lose(rate float64) {
	f.loss = min(0.9, f.net.Loss+rate)
	f.toLoss = math.Inf(1)
}

// Window returns cwnd as the kernel shows it.
func (f *tcpFlow[T]) Window() float64 { return math.Floor(f.cwnd) }

// Sample adds the window to CwndDelivered, as a recorder that reads the window once a second.
func (f *tcpFlow[T]) Sample() {
	f.CwndDelivered += f.Window() * (f.Delivered - f.sampled)
	f.sampled = f.Delivered
}

// waiting returns the number of segments that can be in flight.
func (f *tcpFlow[T]) waiting() float64 {
	if f.endless {
		return f.cwnd
	}
	return min(f.cwnd, math.Ceil(f.backlog/segment))
}

// transfer moves the data of a tick of dt seconds, at the given share of the flow's rate, and
// returns the bytes that arrived.
func (f *tcpFlow[T]) transfer(rng *rand.Rand, now, dt, part float64) float64 {
	segments := f.inFlight * dt / f.seconds * part
	if !f.endless {
		segments = min(segments, math.Ceil(f.backlog/segment))
	}
	f.measure(segments, dt)
	return f.lossy(rng, segments, now, dt)
}

// lossy sends segments and loses some of them, window after window.
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

// next returns the size of the next segment.
func (f *tcpFlow[T]) next() float64 {
	if f.endless {
		return segment
	}
	return min(segment, f.backlog)
}

// drop counts segments that the switch drops.
func (f *tcpFlow[T]) drop(lost float64) {
	f.from.Sent(lost*(f.next()+headers), lost)
	f.Retransmitted += lost
}

// carry counts n segments that arrive, and lost segments that the receiver's interface counts before
// they are lost. It returns the bytes that arrived.
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
	acks := (n + min(n, f.recovering)) / 2 // every second segment; each one after a loss (F10 §12)
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

// grow opens the window by the acknowledged segments, if the window is used.
func (f *tcpFlow[T]) grow(segments float64) {
	limit := min(f.most, max(f.inFlight+1, f.inFlight*unused/(unused-1)))
	if f.inFlight < f.cwnd && (f.cwnd-f.inFlight)*unused >= f.cwnd || segments == 0 {
		return
	}
	acks := max(segments/2, min(segments, 1)) // delayed, except for the last of a message
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

// halve halves the window, after a loss that acknowledgments of later segments show.
func (f *tcpFlow[T]) halve() {
	f.recovering = 16 // quick acknowledgments of Linux after a hole
	if f.net.BBR {
		return
	}
	f.ssthresh = max(2, f.cwnd/2)
	f.cwnd = f.ssthresh
}

// expire starts a timeout, after a loss that no acknowledgment shows.
func (f *tcpFlow[T]) expire(now float64) {
	if !f.net.BBR { // BBR keeps its window
		f.ssthresh = max(2, f.cwnd/2)
		f.cwnd = 1
	}
	f.resume = now + f.timeout
	f.timeout = min(maxTimeout, 2*f.timeout)
	f.recovering = 16
}
