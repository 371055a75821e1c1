package testbench

import (
	"github.com/limpet-storage/limpet/record/sysstat"
)

// Sockets that carry no data. A client has one to every server, for a volume that it does not use
// now, and two more to the first server, which lists the volumes. Servers have two sockets to each
// other in each direction. The windows of these sockets keep their initial size.
const (
	idleSockets       = 1
	idleOfFirst       = 3
	managementSockets = 2
	aliveEvery        = 30 // mean seconds between two keep-alive messages
)

// idleSocketsTo returns the number of sockets without data from a client to a server.
func (s *sim) idleSocketsTo(server int) int {
	switch {
	case !s.e.Conditions.Management:
		return 0
	case server == 0:
		return idleOfFirst
	}
	return idleSockets
}

// manage opens the connections between servers.
func (s *sim) manage() {
	if !s.e.Conditions.Management {
		return
	}
	for _, sv := range s.servers {
		for _, other := range s.servers {
			if other == sv {
				continue
			}
			for _, list := range []*[]*conn{&sv.accepted, &sv.dialled} {
				*list = append(*list, &conn{bulk: newFlow[*op](&s.net, &sv.out, &other.in), idle: managementSockets - 1, initial: s.net.InitialCwnd})
			}
		}
	}
}

// keepAlive sends a message over each connection between servers from time to time.
func (s *server) keepAlive() {
	for _, list := range [][]*conn{s.accepted, s.dialled} {
		for _, c := range list {
			if s.rng.IntN(aliveEvery) == 0 {
				c.bulk.Delivered++
				c.bulk.Bytes += rpcBytes
				s.out.Sent(rpcBytes, 1)
				s.in.Received(rpcBytes, 1)
			}
		}
	}
}

// sampleManagement adds the connections with other servers to a record.
func (s *server) sampleManagement(out *sysstat.Sample) {
	if len(s.accepted) == 0 {
		return
	}
	at := 0
	for _, other := range s.sim.servers {
		if other == s {
			continue
		}
		s.sim.peer(out, other.addr(), false, s.accepted[at], s.accepted[at])
		s.sim.peer(out, other.addr(), true, s.dialled[at], s.dialled[at])
		at++
	}
}
