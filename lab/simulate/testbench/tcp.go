// This file moves messages over TCP: flows share the ports of machines and of the switch
// between them, overflow its buffers, halve their windows and time out. It is a model in
// ticks of a few milliseconds, not of packets. The caller gives messages their meaning.

package testbench

import (
	"math"
	"math/rand/v2"
)

// A port is one direction of a machine's interface: the machine sends frames through it, or the
// switch sends frames to the machine.
type port struct {
	nic     *nic
	speed   float64 // relative to the network
	buffer  float64 // segments that the switch can hold for the port
	window  float64 // segments in flight or waiting here, in this tick
	crowded float64 // part of the window that waits in the switch
	load    float64 // segments to be sent in this tick
	deaf    float64 // time until which no segment arrives
	spilled float64 // number of the next segments that are lost
}

// newPort returns a port of an interface.
func newPort(nic *nic, speed, buffer float64) port {
	return port{nic: nic, speed: speed, buffer: buffer}
}

// Deafen loses all segments that arrive before a time.
func (p *port) Deafen(until float64) { p.deaf = until }

// Spill loses the given number of the next segments at once, as if the receive ring was full while
// the processor is busy.
func (p *port) Spill(segments float64) { p.spilled = segments }

// Sent counts packets that leave through the port.
func (p *port) Sent(bytes, packets float64) {
	p.nic.TxBytes += bytes
	p.nic.TxPackets += packets
}

// Received counts packets that arrive through the port.
func (p *port) Received(bytes, packets float64) {
	p.nic.RxBytes += bytes
	p.nic.RxPackets += packets
}

// A nic has the counters of an interface.
type nic struct {
	RxBytes, TxBytes, RxPackets, TxPackets float64
}

// A tcpNetwork has all flows in one direction: to the servers, or from them. Links are full duplex,
// so the two directions do not share a port.
type tcpNetwork[T any] struct {
	net    *network
	active []*tcpFlow[T]
	rng    *rand.Rand
	arrive func(T)
}

// newTCPNetwork returns a network without flows. It calls arrive for each message that has arrived.
func newTCPNetwork[T any](n *network, rng *rand.Rand, arrive func(T)) *tcpNetwork[T] {
	return &tcpNetwork[T]{net: n, rng: rng, arrive: arrive}
}

// Tick moves the data of all flows for dt seconds.
func (w *tcpNetwork[T]) Tick(now, dt float64) {
	w.crowd(now)
	w.share(dt)
	n := 0
	for _, f := range w.active {
		w.move(f, now, dt)
		if f.backlog > 0 || f.endless {
			w.active[n] = f
			n++
			continue
		}
		f.active = false
		f.idleSince = now
	}
	for _, f := range w.active {
		f.to.spilled = 0
	}
	clear(w.active[n:])
	w.active = w.active[:n]
}

// crowd sums up the windows of the flows at each port. If the sender's port limits a flow, most of
// its window may wait there: the share in the switch is random, from nothing to the whole window.
func (w *tcpNetwork[T]) crowd(now float64) {
	for _, f := range w.active {
		for _, p := range [...]*port{f.from, f.to} {
			p.window, p.crowded, p.load = 0, 0, 0
		}
	}
	for _, f := range w.active {
		f.inFlight = 0
		if now >= f.resume && now < f.to.deaf {
			f.drop(1)
			f.expire(now)
		}
		if now >= f.resume {
			f.inFlight = f.waiting()
		}
		f.from.window += f.inFlight
		f.to.window += f.inFlight
	}
	for _, f := range w.active {
		f.inSwitch = f.inFlight
		if f.to.window/f.to.speed < f.from.window/f.from.speed {
			f.inSwitch *= w.rng.Float64()
		}
		f.to.crowded += f.inSwitch
	}
}

// share computes the round trip of each flow, from the fuller of its two ports. The queue at a
// sender has no limit; the queue in the switch is limited by its buffer.
func (w *tcpNetwork[T]) share(dt float64) {
	pipe := w.net.pipe()
	for _, f := range w.active {
		if f.inFlight == 0 {
			continue
		}
		at := max(f.from.window/(pipe*f.from.speed), min(f.to.window, pipe+f.to.buffer)/(pipe*f.to.speed), 1)
		f.seconds = w.net.RoundTrip * at
		f.to.load += f.inFlight * dt / f.seconds
	}
}

// move transfers the data of a flow, and loses some of its segments if the switch overflows.
func (w *tcpNetwork[T]) move(f *tcpFlow[T], now, dt float64) {
	if f.inFlight == 0 {
		return
	}
	part := min(1, f.to.speed*w.net.LinkBytes*dt/segment/f.to.load)
	w.deliver(f, f.transfer(w.rng, now, dt, part))
	if f.to.spilled > 0 && now >= f.resume && f.inFlight > ringSegments && f.cwnd < f.ssthresh {
		spill(f)
	}
	excess := f.to.crowded - w.net.pipe() - f.to.buffer
	if excess <= 0 || now < f.resume {
		return
	}
	lost := excess * f.inSwitch / f.to.crowded * f.phase.at(w.rng, now)
	if w.rng.Float64() >= 1-math.Exp(-lost) {
		return
	}
	f.drop(max(1, math.Round(lost)))
	if f.inFlight < fewestInLoss || excess > f.to.crowded/2 {
		f.expire(now)
		return
	}
	f.halve()
}

// ringSegments is the number of segments that a ring holds while the processor does not empty it.
const ringSegments = 16

// spill loses the part of a window that does not fit into the ring. It happens only in slow start,
// when the window doubles with every round trip: other flows send smaller bursts.
func spill[T any](f *tcpFlow[T]) {
	f.drop(min(f.to.spilled, f.inFlight-ringSegments))
	f.halve()
}

// deliver delivers the messages that are complete.
func (w *tcpNetwork[T]) deliver(f *tcpFlow[T], bytes float64) {
	for bytes > 0 && f.head < len(f.queue) {
		m := &f.queue[f.head]
		n := min(bytes, m.left)
		m.left -= n
		bytes -= n
		if m.left > 1e-6 {
			return
		}
		f.head++
		w.arrive(m.what)
	}
	if f.head == len(f.queue) {
		f.queue, f.head = f.queue[:0], 0
		if !f.endless {
			f.backlog = 0
		}
	}
}
