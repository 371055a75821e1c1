package testbench

import (
	"math"
	"math/rand/v2"
)

// A host is a machine of the cluster with its interface. Its sockets belong to the flows that it
// sends.
type host struct {
	name    string
	address int // last part of its address
	nic     nic
	in, out port
	rng     *rand.Rand
	hiccups *rand.Rand
	hiccup  float64 // time of the next hiccup
	spill   float64 // time of the next overflow of the receive ring
}

func newHost(name string, address int, speed, buffer float64, rng *rand.Rand) *host {
	h := &host{name: name, address: address, rng: rng}
	h.in, h.out = newPort(&h.nic, speed, buffer), newPort(&h.nic, speed, 0)
	return h
}

// A hiccup is a moment in which a machine receives nothing: its receive ring is full, or the switch
// learns addresses again. F10 §10.1 calls timeouts sporadic.
const (
	hiccupEvery  = 900.0 // mean seconds between two hiccups
	hiccupLeast  = 0.3
	hiccupLonger = 1.7 // largest random part of its length
)

func (h *host) stumble(now float64, net *network) {
	h.spillAt(now, net.SpillSeconds)
	if now < h.hiccup {
		return
	}
	if h.hiccup > 0 {
		h.in.Deafen(now + hiccupLeast + hiccupLonger*h.hiccups.Float64())
	}
	h.hiccup = now + hiccupEvery*h.hiccups.ExpFloat64()
}

// spillMost is the largest number of segments that a full ring loses.
const spillMost = 40

// spillAt overflows the ring if it is due.
func (h *host) spillAt(now, every float64) {
	if every == 0 || now < h.spill {
		return
	}
	if h.spill > 0 {
		h.in.Spill(1 + math.Floor(spillMost*h.hiccups.Float64()))
	}
	h.spill = now + every*h.hiccups.ExpFloat64()
}

// chatterPackets is the number of packets that an idle machine receives and sends in a
// second: name lookups, ARP, the administrator's shell.
const (
	chatterPackets = 3
	chatterBytes   = 120
)

// chatter counts the background packets of a second.
func (h *host) chatter() {
	n := float64(h.rng.IntN(2*chatterPackets + 1))
	h.in.Received(n*chatterBytes, n)
	h.out.Sent(n*chatterBytes, n)
}
