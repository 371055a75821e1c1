package testbench

// lossRate is the part of packets that F10 §9 drops.
const lossRate = 0.05

// injection puts the fault in place and takes it away again.
type injection struct {
	sim      *sim
	from, to float64 // since the benchmark's begin
	on       bool
	flows    []*flow // of network hogs
}

func newInjection(s *sim) *injection {
	in := &injection{sim: s, from: s.e.From.Seconds(), to: s.e.To.Seconds()}
	if s.e.Fault == None {
		in.from, in.to = longest, longest
	}
	return in
}

// apply is told how long the benchmark runs.
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
		s.disk.behind = stranger{strength: strength, at: hogAt}
	case WriteNetworkHog:
		in.call(&in.sim.up, strength, func(third *host) *flow { return newFlow(&third.out, &s.in) })
	case ReadNetworkHog:
		in.call(&in.sim.down, strength, func(third *host) *flow { return newFlow(&s.out, &third.in) })
	case ReceiveLoss:
		lose(s.up, lossRate*strength)
	case SendLoss:
		lose(s.down, lossRate*strength)
	}
}

// parts splits a strength into whole parties and one that does less.
func parts(strength float64) []float64 {
	var list []float64
	for ; strength > 1e-9; strength-- {
		list = append(list, min(1, strength))
	}
	return list
}

// hog starts as many processes as the strength asks for; those that run end
// with what they have asked for.
func (s *server) hog(strength float64) {
	if strength == 0 {
		for i := range s.hogs {
			s.hogs[i].resumeAt = longest
			s.hogs[i].share = 0
		}
		return
	}
	for i, share := range parts(strength) {
		s.hogs = append(s.hogs, hog{op: op{tag: i}, share: share, at: hogAt + float64(i)*diskSize/100})
	}
}

// call lets third parties exchange zeros with the server, for as long as the
// fault lasts.
func (in *injection) call(w *wire, strength float64, flow func(*host) *flow) {
	for i, speed := range parts(strength) {
		third := newHost("third", 250-i, speed, bufferSegs, nil)
		f := flow(third)
		f.endless, f.most = true, hogCwnd
		f.wake(w, in.sim.now)
		in.flows = append(in.flows, f)
	}
}

// hangUp ends what third parties do.
func (in *injection) hangUp() {
	for _, f := range in.flows {
		f.endless = false
		f.backlog = 0
	}
	in.flows = nil
}

func lose(conns []*conn, rate float64) {
	for _, c := range conns {
		c.lose(rate)
	}
}
