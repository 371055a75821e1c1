package testbench

import "math/rand/v2"

// A host is a machine of the cluster with its interface. Its sockets are
// those of flows that it sends on.
type host struct {
	name    string
	address int // the last part of it
	nic     nic
	in, out port
	rng     *rand.Rand
}

func newHost(name string, address int, speed, buffer float64, rng *rand.Rand) *host {
	h := &host{name: name, address: address, rng: rng}
	h.in = port{nic: &h.nic, speed: speed, buffer: buffer}
	h.out = port{nic: &h.nic, speed: speed}
	return h
}

// chatterPackets is what a machine hears and says in a second whatever it
// does: name lookups, ARP, the administrator's shell.
const (
	chatterPackets = 3
	chatterBytes   = 120
)

// chatter counts a second's background.
func (h *host) chatter() {
	n := float64(h.rng.IntN(2*chatterPackets + 1))
	h.in.received(n*chatterBytes, n)
	h.out.sent(n*chatterBytes, n)
}
