package testbench

import (
	"net/netip"

	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// The properties of the machines that records show (F10 §8).
const (
	cores      = 2
	userHZ     = 100
	cpuPerByte = 4e-9 // processor seconds to move a byte
	bootTime   = 90   // seconds: machines are rebooted before each experiment
	diskMajor  = 8
	diskMinor  = 16
)

// inventory returns the comments of an activity file that describe the machine.
func (h *host) inventory(model *Model) []string {
	lines := []string{sysstat.Address{Addr: h.addr(), Interface: nicName}.Comment()}
	if model != nil {
		d := sysstat.Device{Major: diskMajor, Minor: diskMinor, Name: diskName, Model: model.Name, Size: uint64(model.Size)}
		lines = append(lines, d.Comments()...)
	}
	return lines
}

// sample fills in the processors and the network of a record of the machine.
func (h *host) sample(s *sim, out *sysstat.Sample) {
	n := h.nicCounters(s)
	busy := cpuPerByte * (h.nic.RxBytes + h.nic.TxBytes) * userHZ
	out.CPUs = append(out.CPUs[:0], sysstat.CPU{})
	for range cores {
		cpu := sysstat.CPU{System: uint64(busy / cores)}
		cpu.Idle = uint64(max(0, (s.now+bootTime)*userHZ-busy/cores))
		out.CPUs[0].System += cpu.System
		out.CPUs[0].Idle += cpu.Idle
		out.CPUs = append(out.CPUs, cpu)
	}
	out.Interfaces = append(out.Interfaces[:0], sysstat.Interface{
		Name: nicName, SpeedMbit: s.nicMbit(), Duplex: sysstat.FullDuplex,
		RxPackets: n.RxPackets, TxPackets: n.TxPackets, RxBytes: n.RxBytes, TxBytes: n.TxBytes,
	})
	out.InterfaceErrors = append(out.InterfaceErrors[:0], sysstat.InterfaceErrors{Name: nicName})
	out.TCP = sysstat.TCP{InSegs: n.RxPackets, OutSegs: n.TxPackets}
	out.TCPErrors = sysstat.TCPErrors{}
	if len(out.Custom) == 0 {
		out.Custom = [][]byte{nil}
	}
	out.Custom[0] = out.Custom[0][:0]
}

// peer adds a connection with a remote host to a record. The conn sends goes to the remote host,
// the conn answers comes from it.
func (s *sim) peer(out *sysstat.Sample, remote netip.Addr, dialled bool, sends, answers *conn) {
	bytes, delivered, again := sends.carried()
	received, _, _ := answers.carried()
	out.TCPErrors.RetransSegs += uint64(again)
	out.Custom[0] = tcpstat.Append(out.Custom[0], &tcpstat.Peer{
		Remote: remote, Dialled: dialled, Sockets: uint32(sends.sockets()), Cwnd: sends.window(), RTT: sends.bulk.RoundTrip(),
		Retrans: uint64(again), Delivered: uint64(delivered), Sent: uint64(bytes), Received: uint64(received),
		CwndDelivered: sends.cwndDelivered(), Control: s.e.Conditions.control(),
	})
}

// sample fills in a record of a server.
func (s *server) sample(out *sysstat.Sample) {
	s.host.sample(s.sim, out)
	d := s.diskCounters()
	out.Disks = append(out.Disks[:0], sysstat.Disk{
		Major: diskMajor, Minor: diskMinor, IOs: d.IOs, ReadSectors: d.ReadSectors, WriteSectors: d.WriteSectors,
		ReadTicks: d.ReadMs, WriteTicks: d.WriteMs, BusyTicks: d.BusyMs, QueueTicks: d.QueueMs,
	})
	for i, c := range s.sim.clients {
		s.sim.peer(out, c.addr(), false, s.down[i], s.up[i])
	}
	s.sampleManagement(out)
	for _, c := range s.sim.fault.calls {
		if c.server == s {
			c.sample(out)
		}
	}
}

// sample adds the connection with a third party to a record of the server. If the connection is
// closed, it adds only its retransmissions to the server's own counters.
func (c *call) sample(out *sysstat.Sample) {
	if c.over {
		_, _, again := c.sends.carried()
		out.TCPErrors.RetransSegs += uint64(again)
		return
	}
	c.server.sim.peer(out, c.third.addr(), c.dialled, &c.sends, &c.answers)
}

// sample fills in a record of a client.
func (c *client) sample(out *sysstat.Sample) {
	c.host.sample(c.sim, out)
	for _, s := range c.sim.servers {
		c.sim.peer(out, s.addr(), true, s.up[c.index], s.down[c.index])
	}
}
