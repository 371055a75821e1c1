package arrays

import (
	"errors"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// The hardware and software of a server. It boots over the network and has no drives of its own.
const (
	cpus          = 4
	userHZ        = 100
	nic           = "eth0"
	kernelRelease = "5.14.0-570.el9.x86_64" // of a distribution that is current at the time of the demonstration
	nicMbit       = 40_000
	packetBytes   = 8948 // data in a jumbo frame, without the headers
	headerBytes   = 66   // headers of Ethernet, IP and TCP
	lostPackets   = 2e-6 // share of packets that are lost and sent again
	cpuPerGB      = 0.25 // number of processors that copies and checksums of 1 GB/s keep busy
	idleCPU       = 0.01 // share of the processors that the server's own work takes
	dayS          = 86400.0
	minUptimeDays = 3
	maxUptimeDays = 9
)

// A Server passes on the requests of clients. Its activity is recorded.
type Server struct {
	Name        string
	Attachments []*Attachment
	rng         random
	uptimeS     float64
	Clock       Clock
	Outages     []Span
	Off         bool // the server is down in this interval

	sent, received float64 // bytes to and from clients in this interval
	network        sysstat.Interface
	tcp            sysstat.TCP
	tcpErrors      sysstat.TCPErrors
	jiffies        [cpus]processor
}

// processor is the time of a processor, finer than the kernel shows it.
type processor struct {
	system, softirq, iowait, idle float64
}

func newServer(b *lunBlueprint, name string) *Server {
	s := &Server{Name: name, rng: b.Source("server " + name), Clock: newClock(b, name)}
	s.boot(dayS * (minUptimeDays + (maxUptimeDays-minUptimeDays)*s.rng.Float64()))
	return s
}

// boot resets all counters, as if the server had booted uptimeS seconds ago.
func (s *Server) boot(uptimeS float64) {
	s.uptimeS = uptimeS
	s.network = sysstat.Interface{Name: nic, SpeedMbit: nicMbit, Duplex: sysstat.FullDuplex}
	s.tcp, s.tcpErrors, s.jiffies = sysstat.TCP{}, sysstat.TCPErrors{}, [cpus]processor{}
}

// Down reports whether the server is down during a part of an interval.
func (s *Server) Down(now, next time.Time) bool {
	return slices.ContainsFunc(s.Outages, func(o Span) bool { return o.Overlaps(now, next) })
}

// Records reports whether the server takes the record of now.
func (s *Server) Records(now time.Time) bool { return !s.Off && !s.Clock.Misses(now) }

// follow switches the server off and on at its outages.
func (s *Server) follow(now, next time.Time) {
	was := s.Off
	if s.Off = s.Down(now, next); was && !s.Off {
		for _, o := range s.Outages {
			if !now.Before(o.To) {
				s.boot(now.Sub(o.To).Seconds()) // outages are in order: the last boot remains
			}
		}
	}
}

// begin sets the counters to their values at the first record.
func (s *Server) begin() {
	for _, a := range s.Attachments {
		a.begin(s.uptimeS)
		s.sent += 512 * float64(a.readSectors)
		s.received += 512 * float64(a.writeSectors)
	}
	s.account(s.uptimeS)
}

// moved counts the bytes of requests that the network carried.
func (s *Server) moved(w work) {
	if w.write {
		s.received += 512 * float64(w.sectors)
	} else {
		s.sent += 512 * float64(w.sectors)
	}
}

// end computes the counters of an interval of dt seconds. If disksOnly is true, it leaves out
// network and processors.
func (s *Server) end(dt float64, disksOnly bool) {
	if s.Off {
		return
	}
	s.uptimeS += dt
	if !disksOnly {
		s.account(dt)
	}
}

// account computes the work of network and processors from the bytes moved.
func (s *Server) account(dt float64) {
	out, in := s.packets(s.sent), s.packets(s.received)
	again := uint64(s.rng.Poisson(lostPackets * float64(out)))
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

func (s *Server) packets(bytes float64) uint64 {
	return uint64(bytes/packetBytes) + uint64(s.rng.Poisson(2))
}

// compute divides the processors' time. While data move, half of the remaining time counts as
// waiting for I/O.
func (s *Server) compute(gbPerSecond, dt float64) {
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

// Sample fills in the counters of the present record.
func (s *Server) Sample(out *sysstat.Sample) {
	out.CPUs = append(out.CPUs[:0], sysstat.CPU{})
	for _, p := range s.jiffies {
		cpu := sysstat.CPU{System: uint64(p.system), SoftIRQ: uint64(p.softirq), IOWait: uint64(p.iowait), Idle: uint64(p.idle)}
		all := &out.CPUs[0]
		all.System, all.SoftIRQ = all.System+cpu.System, all.SoftIRQ+cpu.SoftIRQ
		all.IOWait, all.Idle = all.IOWait+cpu.IOWait, all.Idle+cpu.Idle
		out.CPUs = append(out.CPUs, cpu)
	}
	out.Disks = out.Disks[:0]
	for _, a := range s.Attachments {
		if !a.Gone {
			out.Disks = append(out.Disks, a.disk())
		}
	}
	out.Interfaces = append(out.Interfaces[:0], s.network)
	out.InterfaceErrors = append(out.InterfaceErrors[:0], sysstat.InterfaceErrors{Name: nic})
	out.TCP, out.TCPErrors = s.tcp, s.tcpErrors
}

// Uptime returns the uptime in hundredths of a second, as in activity files.
func (s *Server) Uptime() uint64 { return uint64(s.uptimeS*100 + 0.5) }

// NewRecorder begins an activity file with the server's inventory.
func (s *Server) NewRecorder(path string, now time.Time, booted bool) (*simulate.Recorder, error) {
	o := sysstat.DefaultWriterOptions()
	start := s.Clock.Show(now)
	o.Hostname, o.Release, o.CPUs, o.Created = s.Name, kernelRelease, cpus, start
	rec, err := simulate.NewRecorder(path, o)
	if err != nil {
		return nil, err
	}
	if booted {
		if err := rec.Restart(start, cpus); err != nil {
			return nil, errors.Join(err, rec.Close())
		}
	}
	for _, a := range s.Attachments {
		for _, comment := range a.device.inventory().Comments() {
			if err := rec.Comment(start, comment); err != nil {
				return nil, errors.Join(err, rec.Close())
			}
		}
	}
	return rec, nil
}
