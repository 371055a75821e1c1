package testbench

import (
	"math"
	"math/rand/v2"
)

// The switch, and the way through it.
const (
	linkBytes  = 118e6  // a second, of data on gigabit Ethernet
	roundTrip  = 250e-6 // seconds, of an empty network
	bufferSegs = 160.0  // that an output port of the switch holds on average: 256 KiB
	pipeSegs   = linkBytes * roundTrip / segment
)

// A port is one direction of a machine's interface: where it puts frames on
// the wire, or where the switch does towards it.
type port struct {
	nic     *nic
	speed   float64 // against gigabit Ethernet
	buffer  float64 // segments that the switch holds for it
	window  float64 // segments in flight or waiting here, in this tick
	crowded float64 // of these, the ones that wait in the switch
	load    float64 // segments that want to leave in this tick
	deaf    float64 // until then nothing arrives
}

func (p *port) sent(bytes, packets float64) {
	p.nic.txBytes += bytes
	p.nic.txPackets += packets
}

func (p *port) received(bytes, packets float64) {
	p.nic.rxBytes += bytes
	p.nic.rxPackets += packets
}

// A nic counts what an interface carries.
type nic struct {
	rxBytes, txBytes, rxPackets, txPackets float64
}

// A wire is all flows in one direction: to the servers, or from them. Since
// links are full duplex, the two do not share a port.
type wire struct {
	active []*flow
	rng    *rand.Rand
	arrive func(*op)
}

// tick moves everything on the wire for dt seconds from now on.
func (w *wire) tick(now, dt float64) {
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
	clear(w.active[n:])
	w.active = w.active[:n]
}

// crowd sums up the windows at both ends of every flow. Where the sender is
// the narrower one, most of a window waits there; what is in the switch comes
// in bursts, some small, some of all that the flow has.
func (w *wire) crowd(now float64) {
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

// share finds how long a round trip takes: as long as the fuller of the two
// ports makes it. A host's own queue grows; the switch's ends where its
// buffer does.
func (w *wire) share(dt float64) {
	for _, f := range w.active {
		if f.inFlight == 0 {
			continue
		}
		pipe := pipeSegs * f.from.speed
		at := max(f.from.window/pipe, min(f.to.window, pipeSegs+f.to.buffer)/(pipeSegs*f.to.speed), 1)
		f.seconds = roundTrip * at
		f.to.load += f.inFlight * dt / f.seconds
	}
}

// move transfers what a flow can, and lets it lose where the switch
// overflows.
func (w *wire) move(f *flow, now, dt float64) {
	if f.inFlight == 0 {
		return
	}
	part := min(1, f.to.speed*linkBytes*dt/segment/f.to.load)
	w.deliver(f, f.transfer(w.rng, now, dt, part))
	excess := f.to.crowded - pipeSegs - f.to.buffer
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

// deliver hands over the messages that are complete.
func (w *wire) deliver(f *flow, bytes float64) {
	for bytes > 0 && f.head < len(f.queue) {
		m := &f.queue[f.head]
		n := min(bytes, m.left)
		m.left -= n
		bytes -= n
		if m.left > 1e-6 {
			return
		}
		f.head++
		w.arrive(m.op)
	}
	if f.head == len(f.queue) {
		f.queue, f.head = f.queue[:0], 0
		if !f.endless {
			f.backlog = 0
		}
	}
}
