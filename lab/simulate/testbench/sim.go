package testbench

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// tick is the time step of the simulation, in seconds.
const (
	tick           = 4e-3
	ticksPerSecond = 250
)

// lead is the recorded time before the benchmark starts (F10 §8: sync, then 15 seconds of sleep).
// tail is the recorded time after its end.
const (
	lead = 15
	tail = 15
)

// longest is the time after which a run is aborted, in seconds.
const longest = 3600

// sim is a running experiment.
type sim struct {
	e        *Experiment
	now      float64 // since recording began
	ticks    int
	servers  []*server
	clients  []*client
	net      network
	model    Model
	up, down *tcpNetwork[*op] // flows to the servers, and from them
	objects  [][]float64
	fault    *injection
	ended    int // second in which the last client was done; 0: not yet
}

// source returns the random numbers of one part. The draws of one part do not change the other
// parts: a run with a fault and the same run without the fault are equal until the fault begins.
func source(seed uint64, part string, index int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(part + " " + strconv.Itoa(index)))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// The spread between equal machines (F10 §12: it shows when they are stressed).
const (
	diskSpread   = 0.007 // spread of the transfer rate
	seekSpread   = 0.02
	linkSpread   = 0.002
	bufferSpread = 0.25 // ports of a switch share its memory, and some share it with busy ports
	cpuSpread    = 0.02
)

// near draws a factor that differs from 1 by about spread.
func near(rng *rand.Rand, spread float64) float64 { return math.Exp(spread * rng.NormFloat64()) }

func newSim(e *Experiment) *sim {
	s := &sim{e: e}
	s.hardware()
	s.up = newTCPNetwork(&s.net, source(e.Seed, "up", 0), func(o *op) { o.server.arrived(o) })
	s.down = newTCPNetwork(&s.net, source(e.Seed, "down", 0), func(o *op) { o.client.answered(o) })
	for i := range e.Cluster.Servers {
		s.servers = append(s.servers, s.newServer(i))
	}
	layout := source(e.Seed, "layout", 0)
	for i := range e.Cluster.Clients {
		s.clients = append(s.clients, s.newClient(i))
	}
	for range s.servers {
		s.objects = append(s.objects, s.scatter(layout, len(s.clients)))
	}
	s.connect()
	s.manage()
	s.assign()
	s.fault = newInjection(s)
	return s
}

func (s *sim) newServer(i int) *server {
	made := source(s.e.Hardware, "server", i)
	sv := &server{index: i, sim: s}
	sv.host = newHost(serverName(i), 1+i, near(made, linkSpread), s.net.BufferSegments*near(made, bufferSpread), source(s.e.Seed, "server", i))
	sv.hiccups = source(s.e.Seed, "server's hiccups", i)
	sv.disk = NewDisk(&s.model, source(s.e.Seed, "disk", i), near(made, diskSpread), near(made, seekSpread), sv.finished)
	if s.e.Cluster.FileSystem == Gluster {
		sv.cache = newCache(sv, source(s.e.Seed, "cache", i))
	}
	return sv
}

func (s *sim) newClient(i int) *client {
	made := source(s.e.Hardware, "client", i)
	c := &client{index: i, sim: s, speed: near(made, cpuSpread)}
	c.host = newHost(clientName(i), 1+len(s.servers)+i, s.clientSpeed()*near(made, linkSpread), s.clientSpeed()*s.net.BufferSegments*near(made, bufferSpread), source(s.e.Seed, "client", i))
	c.hiccups = source(s.e.Seed, "client's hiccups", i)
	c.startAt = lead + c.rng.Float64()
	return c
}

// scatter returns the positions of the clients' files on one disk.
func (s *sim) scatter(rng *rand.Rand, n int) []float64 {
	at := make([]float64, n)
	for i := range at {
		at[i] = pageBytes * math.Floor((float64(i)+rng.Float64())/float64(n)*markAtRange*s.model.Size/pageBytes)
	}
	return at
}

// connect opens a connection between every client and every server.
func (s *sim) connect() {
	for _, sv := range s.servers {
		for _, c := range s.clients {
			sv.up = append(sv.up, s.newConn(&c.out, &sv.in, s.idleSocketsTo(sv.index)))
			sv.down = append(sv.down, s.newConn(&sv.out, &c.in, s.idleSocketsTo(sv.index)))
		}
	}
}

// advance simulates one second.
func (s *sim) advance() {
	for range ticksPerSecond {
		s.fault.apply(s.now - lead)
		s.step()
		s.ticks++
		s.now = float64(s.ticks) * tick
	}
	for _, sv := range s.servers {
		sv.chatter()
		sv.keepAlive()
	}
	for _, c := range s.clients {
		c.chatter()
	}
	s.sample()
	if s.ended == 0 && s.idle() {
		s.ended = s.seconds()
	}
}

// sample records the windows of all sockets.
func (s *sim) sample() {
	for _, sv := range s.servers {
		for i := range s.clients {
			sv.up[i].sample()
			sv.down[i].sample()
		}
		for _, c := range slices.Concat(sv.accepted, sv.dialled) {
			c.sample()
		}
	}
	for _, c := range s.fault.calls {
		c.sends.sample()
		c.answers.sample()
	}
}

func (s *sim) step() {
	for _, sv := range s.servers {
		sv.stumble(s.now, &s.net)
	}
	for _, c := range s.clients {
		c.stumble(s.now, &s.net)
		if s.now >= c.startAt {
			c.program.step(c)
		}
	}
	s.up.Tick(s.now, tick)
	until := float64(s.ticks+1) * tick
	for _, sv := range s.servers {
		sv.work(until)
	}
	s.down.Tick(s.now, tick)
}

func (s *sim) seconds() int { return s.ticks / ticksPerSecond }

// idle reports whether every client is done.
func (s *sim) idle() bool {
	for _, c := range s.clients {
		if !c.program.done() {
			return false
		}
	}
	return true
}

// givenUp returns an error if the clients did not finish.
func (s *sim) givenUp() error {
	if s.ended > 0 {
		return nil
	}
	return fmt.Errorf("cluster %s with workload %s did not end within %d s and was stopped: use fewer clients or a weaker fault", s.e.Cluster, s.e.Workload, longest)
}

// over reports whether the recording has ended.
func (s *sim) over() bool {
	return s.ended > 0 && s.seconds() >= s.ended+tail || s.seconds() >= longest
}
