package simulate

import (
	"math/rand/v2"

	"github.com/limpet-storage/limpet/sysstat"
)

// What a server is made of. It starts over the network and has no drives of
// its own.
const (
	cpus          = 4
	userHZ        = 100
	nic           = "eth0"
	nicMbit       = 40_000
	packetBytes   = 8948 // of data in a jumbo frame, behind the headers
	headerBytes   = 66   // of Ethernet, IP and TCP
	lostPackets   = 2e-6 // and sent again
	cpuPerGB      = 0.25 // processors that moving a GB/s keeps busy, copies and checksums
	idleCPU       = 0.01 // what a server does for itself
	dayS          = 86400.0
	minUptimeDays = 3
	maxUptimeDays = 9
)

// A server passes on what clients ask, and is what records are taken of.
type server struct {
	name        string
	attachments []*attachment
	rng         *rand.Rand
	uptimeS     float64

	sent, received float64 // bytes to and from clients in this interval
	network        sysstat.Interface
	tcp            sysstat.TCP
	tcpErrors      sysstat.TCPErrors
	jiffies        [cpus]processor
}

// A processor's time, finer than the kernel shows it.
type processor struct {
	system, softirq, iowait, idle float64
}

func newServer(seed uint64, name string) *server {
	s := &server{name: name, rng: source(seed, "server "+name)}
	s.uptimeS = dayS * (minUptimeDays + (maxUptimeDays-minUptimeDays)*s.rng.Float64())
	s.network = sysstat.Interface{Name: nic, SpeedMbit: nicMbit, Duplex: sysstat.FullDuplex}
	return s
}

// begin sets the counters to what they have come to until now.
func (s *server) begin() {
	for _, a := range s.attachments {
		a.begin(s.uptimeS)
		s.sent += 512 * float64(a.readSectors)
		s.received += 512 * float64(a.writeSectors)
	}
	s.account(s.uptimeS)
}

// moved notes requests that the network carried.
func (s *server) moved(w work) {
	if w.write {
		s.received += 512 * float64(w.sectors)
	} else {
		s.sent += 512 * float64(w.sectors)
	}
}

// end accounts for an interval of dt seconds.
func (s *server) end(dt float64) {
	for _, a := range s.attachments {
		a.end(dt)
	}
	s.uptimeS += dt
	s.account(dt)
}

// account derives what network and processors did from the bytes moved.
func (s *server) account(dt float64) {
	out, in := s.packets(s.sent), s.packets(s.received)
	again := uint64(poisson(s.rng, lostPackets*float64(out)))
	out, in = out+in/2, in+out/2 // every second packet is acknowledged
	s.network.TxPackets += out
	s.network.RxPackets += in
	s.network.TxBytes += uint64(s.sent) + out*headerBytes
	s.network.RxBytes += uint64(s.received) + in*headerBytes
	s.tcp.OutSegs += out
	s.tcp.InSegs += in
	s.tcpErrors.RetransSegs += again
	s.compute((s.sent+s.received)/1e9/dt, dt)
	s.sent, s.received = 0, 0
}

func (s *server) packets(bytes float64) uint64 {
	return uint64(bytes/packetBytes) + uint64(poisson(s.rng, 2))
}

// compute shares out the processors' time. Half of what is left while data
// move counts as waiting for them.
func (s *server) compute(gbPerSecond, dt float64) {
	for i := range s.jiffies {
		busy := min(0.95, idleCPU+cpuPerGB*gbPerSecond/cpus*(0.8+0.4*s.rng.Float64()))
		waiting := (1 - busy) * min(0.5, gbPerSecond)
		p := &s.jiffies[i]
		p.system += 0.7 * busy * dt * userHZ
		p.softirq += 0.3 * busy * dt * userHZ
		p.iowait += waiting * dt * userHZ
		p.idle += (1 - busy - waiting) * dt * userHZ
	}
}

// sample fills in what a record of now holds.
func (s *server) sample(out *sysstat.Sample) {
	out.CPUs = append(out.CPUs[:0], sysstat.CPU{})
	for _, p := range s.jiffies {
		cpu := sysstat.CPU{System: uint64(p.system), SoftIRQ: uint64(p.softirq), IOWait: uint64(p.iowait), Idle: uint64(p.idle)}
		all := &out.CPUs[0]
		all.System, all.SoftIRQ = all.System+cpu.System, all.SoftIRQ+cpu.SoftIRQ
		all.IOWait, all.Idle = all.IOWait+cpu.IOWait, all.Idle+cpu.Idle
		out.CPUs = append(out.CPUs, cpu)
	}
	out.Disks = out.Disks[:0]
	for _, a := range s.attachments {
		if !a.gone {
			out.Disks = append(out.Disks, a.disk())
		}
	}
	out.Interfaces = append(out.Interfaces[:0], s.network)
	out.InterfaceErrors = append(out.InterfaceErrors[:0], sysstat.InterfaceErrors{Name: nic})
	out.TCP, out.TCPErrors = s.tcp, s.tcpErrors
}

// uptime is in hundredths of a second, as records have it.
func (s *server) uptime() uint64 { return uint64(s.uptimeS*100 + 0.5) }
