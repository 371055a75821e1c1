package agent

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/kernel"
	"github.com/limpet-storage/limpet/record/kernel/blkprobe"
	"github.com/limpet-storage/limpet/record/kernel/inetdiag"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// patience is how long a sample waits for the query of the devices. It is less than the delay from
// which on a sample is marked as late.
const patience = 200 * time.Millisecond

// A machine is the machine that the recorder runs on.
type machine struct {
	kernel         *kernel.Kernel
	tcp            *inetdiag.Counter // nil: connections are not sampled
	tcpError       error             // why connections are not sampled; nil if an option says so
	probe          *blkprobe.Probe   // nil: latencies of requests are not sampled
	latencyError   error             // why latencies are not sampled; nil if an option says so
	waits          *waits            // nil: waits of the machine are not sampled
	unmatchedError error             // patterns of devices and interfaces that match nothing
	cpus           int

	uptime    uint64 // last uptime that was read
	peers     []tcpstat.Peer
	inventory *inventory

	disks []sysstat.Disk                 // disks of the current sample
	taken func(major, minor uint32) bool // reports whether a device is in disks

	counters, connections, latencies, devices, freeSpace complaint
}

// openMachine opens the sources of samples. If the kernel does not support connections or latencies
// of requests, they are not sampled.
func openMachine(o Options, log *slog.Logger) (*machine, error) {
	k, err := kernel.Open(o.Kernel)
	if err != nil {
		return nil, err
	}
	m := &machine{
		kernel:      k,
		inventory:   newInventory(k.Inventory, min(patience, o.Record.Interval/4)),
		counters:    complaint{log: log, text: "the recorder cannot read some counters of the kernel, so these counters are not recorded"},
		connections: complaint{log: log, text: "the recorder cannot read TCP connections, so no connections are recorded"},
		latencies:   complaint{log: log, text: "the recorder cannot measure the latencies of requests, so no latencies are recorded"},
		freeSpace:   complaint{log: log, text: "the recorder cannot read the free space of file systems, so the free space is not recorded"},
		devices:     complaint{log: log, text: "the recorder cannot read the models of the devices, so the models are not recorded"},
	}
	m.taken = m.takes
	var first sysstat.Sample
	if err := k.Sample(&first); len(first.CPUs) == 0 {
		return nil, errors.Join(err, k.Close())
	}
	m.cpus = max(1, len(first.CPUs)-1)
	m.unmatchedError = unmatched(k.Unmatched())
	if m.unmatchedError != nil {
		log.Warn("some patterns match no device or interface yet; the recorder will record matching devices and interfaces when they appear", "error", m.unmatchedError)
	}
	if !o.NoTCP {
		m.count(inetdiag.Open(o.TCP))
	}
	if !o.NoWaits {
		m.waits = newWaits(k)
	}
	if !o.NoLatency {
		m.listen(blkprobe.Open(o.Latency))
	}
	return m, nil
}

// unmatched returns an error for each pattern that matches nothing, with an example of a name.
func unmatched(devices, interfaces []string) error {
	var errs []error
	for _, p := range devices {
		errs = append(errs, fmt.Errorf("no device matches %s: write the kernel's names from /sys/block, such as sda or dm-0", p))
	}
	for _, p := range interfaces {
		errs = append(errs, fmt.Errorf("no interface matches %s: write the kernel's names from /sys/class/net, such as eth0", p))
	}
	return errors.Join(errs...)
}

// count starts the counting of connections if err is nil.
func (m *machine) count(c *inetdiag.Counter, err error) {
	if err == nil {
		m.tcp = c
	}
	m.tcpError = err
	m.connections.about(err)
}

// listen starts the measurement of latencies if err is nil.
func (m *machine) listen(p *blkprobe.Probe, err error) {
	if err == nil {
		m.probe = p
	}
	m.latencyError = err
	m.latencies.about(err)
}

func (m *machine) close() error {
	err := m.kernel.Close()
	if m.tcp != nil {
		err = errors.Join(err, m.tcp.Close())
	}
	if m.probe != nil {
		err = errors.Join(err, m.probe.Close())
	}
	return err
}

// custom returns our own activities in the samples.
func (m *machine) custom() (list []sysstat.CustomActivity) {
	if m.tcp != nil {
		list = append(list, sysstat.CustomActivity{ID: tcpstat.ID, Size: tcpstat.Size})
	}
	if m.waits != nil {
		list = append(list, sysstat.CustomActivity{ID: hoststat.ID, Size: hoststat.Size})
	}
	if m.probe != nil {
		list = append(list, sysstat.CustomActivity{ID: blklat.ID, Size: blklat.Size})
	}
	return list
}

// activities returns the number of activities that custom returns.
func (m *machine) activities() (n int) {
	if m.tcp != nil {
		n++
	}
	if m.waits != nil {
		n++
	}
	if m.probe != nil {
		n++
	}
	return n
}

// Sample fills s with all counters that can be read. A sample without processors is an error,
// because it is useless for a reader.
func (m *machine) Sample(s *sysstat.Sample) error {
	err := m.kernel.Sample(s)
	if len(s.CPUs) == 0 {
		return err
	}
	m.counters.about(err)
	for len(s.Custom) < m.activities() {
		s.Custom = append(s.Custom, nil)
	}
	if m.tcp != nil {
		m.connections.about(m.samplePeers(s))
	}
	if m.waits != nil {
		m.freeSpace.about(m.sampleWaits(s))
	}
	if m.probe != nil {
		m.latencies.about(m.sampleLatencies(s))
	}
	return nil
}

// sampleWaits fills in the activity between connections and latencies.
func (m *machine) sampleWaits(s *sysstat.Sample) error {
	at := 0
	if m.tcp != nil {
		at = 1
	}
	var err error
	s.Custom[at], err = m.waits.append(s.Custom[at][:0], m.tcp, m.uptime)
	return err
}

// Late records how late the next sample is.
func (m *machine) Late(by time.Duration) {
	if m.waits != nil {
		m.waits.sample.LateMicros = uint64(max(by, 0) / time.Microsecond)
	}
}

// sampleLatencies fills in the last activity of custom.
func (m *machine) sampleLatencies(s *sysstat.Sample) error {
	m.disks = s.Disks
	items := &s.Custom[len(s.Custom)-1]
	told, err := m.probe.Append((*items)[:0], m.taken)
	if err != nil {
		told = told[:0]
	}
	*items = told
	return err
}

func (m *machine) takes(major, minor uint32) bool {
	for i := range m.disks {
		if d := &m.disks[i]; d.Major == major && d.Minor == minor {
			return true
		}
	}
	return false
}

// samplePeers fills in the first activity of custom.
func (m *machine) samplePeers(s *sysstat.Sample) (err error) {
	items := s.Custom[0][:0]
	if m.peers, err = m.tcp.Peers(m.peers[:0]); err != nil {
		m.peers = m.peers[:0]
	}
	for i := range m.peers {
		items = tcpstat.Append(items, &m.peers[i])
	}
	s.Custom[0] = items
	return err
}

// Uptime returns the uptime in 1/100 s.
func (m *machine) Uptime() (uptime uint64, err error) {
	m.uptime, err = m.kernel.Uptime()
	return m.uptime, err
}

// Inventory returns the latest comments on devices.
func (m *machine) Inventory() []string {
	lines, err := m.look()
	m.devices.about(err)
	return lines
}

func (m *machine) look() ([]string, error) {
	return m.inventory.look(m.uptime, m.kernel.Changes())
}

// A complaint is a warning that is logged once while its cause lasts.
type complaint struct {
	log     *slog.Logger
	text    string
	lasting bool
}

func (c *complaint) about(err error) {
	if err != nil && !c.lasting {
		c.log.Warn(c.text, "error", err)
	}
	c.lasting = err != nil
}
