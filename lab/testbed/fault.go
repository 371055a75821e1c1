package testbed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/finding"
)

// Fault is the name of a fault that the test bench causes at one server, or by one client.
type Fault string

// The faults of F10 §9, one for each direction, and other faults that happen in practice.
const (
	None      Fault = "none"
	DiskHogR  Fault = "disk-hog-r"  // processes on the server read from its drive
	DiskHogW  Fault = "disk-hog-w"  // processes on the server write to its drive
	DiskBusyR Fault = "disk-busy-r" // reads from the disk that the server does not see
	DiskBusyW Fault = "disk-busy-w" // writes to the disk that the server does not see
	NetHogR   Fault = "net-hog-r"   // the server sends to a third party
	NetHogW   Fault = "net-hog-w"   // a third party sends to the server
	LossRecv  Fault = "loss-recv"   // packets to the server are lost
	LossSend  Fault = "loss-send"   // packets from the server are lost
	DiskSlow  Fault = "disk-slow"   // the disk reaches only a part of its speed
	LinkFlap  Fault = "link-flap"   // the link goes down and up again
	Hang      Fault = "hang"        // the file server stands still for seconds, again and again
	DiskFull  Fault = "disk-full"   // the file system of the brick has no room
	SelfHeal  Fault = "self-heal"   // a brick gets the writes that it missed: no fault, but work

	// NoisyClient is in no block of runs, because its runs have more clients: ask for it by name.
	NoisyClient Fault = "noisy-client" // one client sends several times the requests, so all clients wait
	BusyHour    Fault = "busy-hour"    // all clients send more requests: no fault. By name only, like NoisyClient
)

// Faults that only runs of Ceph have, and work of Ceph itself, which is no fault.
const (
	DiskDelay  Fault = "disk-delay"     // each request to the disk takes longer by a constant
	DiskTail   Fault = "disk-tail"      // one of twenty requests to the disk takes longer
	HostSlow   Fault = "host-slow"      // each request to all disks of a host takes longer by a constant
	DBSlow     Fault = "db-slow"        // each request to the drive with the databases of several OSDs takes longer
	DaemonSlow Fault = "daemon-slow"    // the daemon stands still for a part of each half second; its disk does not
	OSDFull    Fault = "osd-full"       // the OSD has hardly any space left
	TwoDelays  Fault = "disk-delay-two" // the disks of two OSDs on two servers, as disk-delay
	Load       Fault = "load"           // clients ask for more: no fault
	Scrub      Fault = "scrub"
	DeepScrub  Fault = "deep-scrub"
	Recovery   Fault = "recovery" // an OSD that was down gets the writes that it missed
	Backfill   Fault = "backfill" // an OSD that was out gets its placement groups back
)

// fault holds the properties of a fault.
type fault struct {
	name     Fault
	f10      bool           // the fault is in paper F10
	harmless bool           // nothing is broken, although the counters look unusual
	kinds    []finding.Kind // any of these kinds is a correct diagnosis
	// needsRead and needsWrite state whether the workload must read from disks or write to them.
	// Reads and writes have separate limits on this bench: a hog that reads does not slow down
	// writes.
	needsRead, needsWrite bool
	keepsSpace            bool    // the workload must not add data
	byClient              bool    // a client causes the fault
	manyClients           bool    // the run has the workload [Paced] and many clients
	least, most           float64 // strength
	whole                 bool    // strength is a whole number
	unit                  string
}

var (
	hog   = []finding.Kind{finding.DiskHog}
	busy  = []finding.Kind{finding.DiskBusy, finding.SlowDrive}
	net   = []finding.Kind{finding.NetworkHog}
	loss  = []finding.Kind{finding.PacketLoss}
	hangs = []finding.Kind{finding.Pauses, finding.StalledRequests, finding.SilentServer}
	noisy = []finding.Kind{finding.NoisyNeighbour}
	full  = []finding.Kind{finding.FullFileSystem}
	tail  = []finding.Kind{finding.SlowTail, finding.SlowDrive, finding.DiskBusy}
	host  = []finding.Kind{finding.SharedSlowness, finding.SlowDrive, finding.DiskBusy}
	osd   = []finding.Kind{finding.SlowDrive, finding.Pauses} // for a slow OSD whose drive is healthy
)

// atOnce is the unit of strength of a process that uses a disk in addition to the server. A limited
// disk serves requests in their order, so the share of a process is its share of the waiting
// requests. When the kernel writes back, 10 to 20 MB wait; when a server reads, less than 1 MB
// waits. A hog that writes therefore needs more requests than a hog that reads.
const atOnce = "requests of 1 MB at once"

var faults = []fault{
	{name: None, harmless: true},
	{name: DiskHogR, f10: true, kinds: hog, needsRead: true, least: 1, most: 4, whole: true, unit: atOnce},
	{name: DiskHogW, f10: true, kinds: hog, needsWrite: true, least: 8, most: 24, whole: true, unit: atOnce},
	{name: DiskBusyR, f10: true, kinds: busy, needsRead: true, least: 1, most: 4, whole: true, unit: atOnce},
	{name: DiskBusyW, f10: true, kinds: busy, needsWrite: true, least: 8, most: 24, whole: true, unit: atOnce},
	{name: NetHogR, f10: true, kinds: net, least: 1, most: 3, whole: true, unit: "streams"},
	{name: NetHogW, f10: true, kinds: net, least: 1, most: 3, whole: true, unit: "streams"},
	{name: LossRecv, f10: true, kinds: loss, least: 1, most: 5, unit: "percent of the packets"},
	{name: LossSend, f10: true, kinds: loss, least: 1, most: 5, unit: "percent of the packets"},
	{name: DiskSlow, kinds: busy, least: 1.2, most: 3, unit: "times slower than before the fault"},
	{name: LinkFlap, kinds: loss, least: 1, most: 3, unit: "seconds without the link in every 12 seconds"},
	{name: Hang, kinds: hangs, least: 1, most: 8, unit: "seconds without an answer in every 30 seconds"},
	{name: DiskFull, kinds: full, needsWrite: true, least: 1, most: 20, whole: true, unit: "MB of free space left"},
	{name: SelfHeal, harmless: true, least: 400, most: 700, whole: true, unit: "MB for the self-heal to copy"},
	{name: NoisyClient, kinds: noisy, byClient: true, manyClients: true, least: 4, most: 6, whole: true, unit: "times the requests"},
	{name: BusyHour, harmless: true, manyClients: true, least: 1.2, most: 1.6, unit: "times the requests of every client"},
	{name: DiskDelay, kinds: busy, least: 40, most: 400, whole: true, unit: msLonger},
	{name: DiskTail, kinds: tail, least: 200, most: 1000, whole: true, unit: msLonger},
	{name: HostSlow, kinds: host, least: 40, most: 400, whole: true, unit: msLonger},
	{name: DBSlow, kinds: host, needsWrite: true, least: 40, most: 400, whole: true, unit: msLonger},
	{name: DaemonSlow, kinds: osd, least: 70, most: 95, whole: true, unit: "percent of the time without an answer"},
	{name: OSDFull, kinds: full, keepsSpace: true, least: 2, most: 4, unit: "percent of the space left"},
	{name: TwoDelays, kinds: busy, least: 40, most: 400, whole: true, unit: msLonger},
	{name: Load, harmless: true, least: 2, most: 4, whole: true, unit: "times as many requests as before"},
	{name: Scrub, harmless: true, least: 1, most: 1, whole: true, unit: "OSD"},
	{name: DeepScrub, harmless: true, least: 1, most: 1, whole: true, unit: "OSD"},
	{name: Recovery, harmless: true, least: 20, most: 40, whole: true, unit: "seconds without the OSD"},
	{name: Backfill, harmless: true, least: 20, most: 40, whole: true, unit: "seconds with the OSD out of the cluster"},
}

// msLonger is the unit of strength of delays.
const msLonger = "ms of additional latency for each request"

// Faults returns all faults, without None.
func Faults() []Fault {
	var all []Fault
	for _, f := range faults[1:] {
		all = append(all, f.name)
	}
	return all
}

// ParseFault returns the fault called name.
func ParseFault(name string) (Fault, error) {
	if !slices.ContainsFunc(faults, func(f fault) bool { return string(f.name) == name }) {
		return "", fmt.Errorf("the fault %q is unknown: write none, %s", name, strings.Join(names(Faults()), ", "))
	}
	return Fault(name), nil
}

func names[T ~string](all []T) []string {
	var texts []string
	for _, v := range all {
		texts = append(texts, string(v))
	}
	return texts
}

func (f Fault) known() *fault {
	i := slices.IndexFunc(faults, func(k fault) bool { return k.name == f })
	return &faults[max(i, 0)]
}

// OfF10 reports whether the fault is one of the faults of F10.
func (f Fault) OfF10() bool { return f.known().f10 }

// Harmless reports whether nothing is broken, although the counters look unusual.
func (f Fault) Harmless() bool { return f.known().harmless }

// OfDisk reports whether a disk of the server is slower, or has more work.
func (f Fault) OfDisk() bool {
	switch f {
	case DiskHogR, DiskHogW, DiskBusyR, DiskBusyW, DiskSlow, DiskDelay, TwoDelays, DiskTail, HostSlow, DBSlow:
		return true
	}
	return false
}

// OfDaemon reports whether the fault is in the daemon of the server and not in its disk.
func (f Fault) OfDaemon() bool { return f == DaemonSlow || f == Hang }

// ByClient reports whether a client causes the fault, and not a server.
func (f Fault) ByClient() bool { return f.known().byClient }

// Kinds returns the correct diagnoses of the fault. Only harmless faults have none.
func (f Fault) Kinds() []finding.Kind { return f.known().kinds }

// Unit returns the unit of the strength.
func (f Fault) Unit() string { return f.known().unit }

// Observable reports whether a fault can be seen with a workload. A lost packet costs time only if
// the workload sends data in the direction of the loss (F10 §11). A primary OSD of Ceph sends written
// data to the other OSDs, so every workload of Ceph sends data.
func (f Fault) Observable(w Workload) bool {
	switch f {
	case LossRecv:
		return w.Writes()
	case LossSend:
		return w.Reads() || w == RadosWrite
	}
	return !f.Harmless()
}
