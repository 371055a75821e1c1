package testbench

// lossRate is the share of packets that F10 §9 drops.
const lossRate = 0.05

// injection switches the fault on and off.
type injection struct {
	sim      *sim
	from, to float64 // since the start of the benchmark
	on       bool
	calls    []*call // connections of network hogs
}

func newInjection(s *sim) *injection {
	in := &injection{sim: s, from: s.e.From.Seconds(), to: s.e.To.Seconds()}
	if s.e.Fault == None {
		in.from, in.to = longest, longest
	}
	return in
}

// apply switches the fault on or off when it is due. Now is the time since the start of the
// benchmark.
func (in *injection) apply(now float64) {
	on := now >= in.from && now < in.to
	if on == in.on {
		return
	}
	in.on = on
	for _, i := range in.sim.e.Faulty {
		in.turn(in.sim.servers[i])
	}
	if !on {
		in.hangUp()
	}
}

// turn switches the fault of one server on or off.
func (in *injection) turn(s *server) {
	strength := in.sim.e.Strength
	if !in.on {
		strength = 0
	}
	switch in.sim.e.Fault {
	case DiskHog:
		s.hog(strength)
	case DiskBusy:
		s.disk.Disturb(strength, hogAt*s.sim.model.Size)
	case WriteNetworkHog:
		in.call(s, strength, false)
	case ReadNetworkHog:
		in.call(s, strength, true)
	case ReceiveLoss:
		lose(s.up, lossRate*strength)
	case SendLoss:
		lose(s.down, lossRate*strength)
	}
}

// parts splits a strength into parts of 1 and a rest below 1.
func parts(strength float64) []float64 {
	var list []float64
	for ; strength > 1e-9; strength-- {
		list = append(list, min(1, strength))
	}
	return list
}

// hog starts a process for each part of the strength. A strength of 0 ends the processes after
// their present request.
func (s *server) hog(strength float64) {
	if strength == 0 {
		for i := range s.hogs {
			s.hogs[i].resumeAt = longest
			s.hogs[i].share = 0
		}
		return
	}
	size := s.sim.model.Size
	for i, share := range parts(strength) {
		s.hogs = append(s.hogs, hog{op: op{tag: i}, share: share, at: (hogAt + float64(i)/100) * size, bytes: s.sim.model.HogBytes})
	}
}

// A call is a connection between a server and a third party. The side that dialled sends zeros.
type call struct {
	server         *server
	third          *host
	dialled        bool // the server dialled
	sends, answers conn // directions from and to the server
	over           bool
}

// thirdAddress is the address of the first third party. It is above the addresses of all machines
// of a cluster.
const thirdAddress = 2*MaxMachines + 1

// call connects third parties with the server, for as long as the fault lasts.
func (in *injection) call(s *server, strength float64, dialled bool) {
	for _, speed := range parts(strength) {
		third := newHost("third", thirdAddress+len(in.calls), speed, s.sim.net.BufferSegments, nil)
		c := &call{server: s, third: third, dialled: dialled}
		net := &s.sim.net
		c.sends.bulk, c.answers.bulk = newFlow[*op](net, &s.out, &third.in), newFlow[*op](net, &third.out, &s.in)
		w := in.sim.up
		if dialled {
			w = in.sim.down
		}
		c.zeros().SendForever(w, in.sim.now)
		in.calls = append(in.calls, c)
	}
}

// zeros returns the flow from the side that dialled. Only acknowledgments go the other way.
func (c *call) zeros() *flow {
	if c.dialled {
		return c.sends.bulk
	}
	return c.answers.bulk
}

// hangUp ends the connections of third parties.
func (in *injection) hangUp() {
	for _, c := range in.calls {
		c.zeros().Stop()
		c.over = true
	}
}

func lose(conns []*conn, rate float64) {
	for _, c := range conns {
		c.lose(rate)
	}
}
