package testbed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/finding"
)

// Fault is the name of a fault that the test bench makes at one server.
type Fault string

// The faults of F10 §9, by direction, and faults of life.
const (
	None      Fault = "none"
	DiskHogR  Fault = "disk-hog-r"  // processes on the server read from its drive
	DiskHogW  Fault = "disk-hog-w"  // and write to it
	DiskBusyR Fault = "disk-busy-r" // somebody reads from the disk behind the server's back
	DiskBusyW Fault = "disk-busy-w" // and writes to it
	NetHogR   Fault = "net-hog-r"   // the server sends to a third party
	NetHogW   Fault = "net-hog-w"   // a third party sends to the server
	LossRecv  Fault = "loss-recv"   // packets to the server are lost
	LossSend  Fault = "loss-send"   // packets from the server are lost
	DiskSlow  Fault = "disk-slow"   // the disk does a part of what it did
	LinkFlap  Fault = "link-flap"   // the link goes down and up again
	Hang      Fault = "hang"        // the file server stands still for seconds, again and again
	DiskFull  Fault = "disk-full"   // the file system of the brick has no room
	SelfHeal  Fault = "self-heal"   // a brick that missed writes is mended: no fault, but work
)

// Faults that only runs of Ceph have, and work of Ceph itself, which is no fault.
const (
	DiskDelay  Fault = "disk-delay"  // each request to the disk takes longer by a constant
	DiskTail   Fault = "disk-tail"   // one of twenty requests to the disk takes longer
	HostSlow   Fault = "host-slow"   // each request to all disks of a host takes longer by a constant
	DBSlow     Fault = "db-slow"     // each request to the drive with the databases of several OSDs takes longer
	DaemonSlow Fault = "daemon-slow" // the daemon stands still for a part of each half second; its disk does not
	Scrub      Fault = "scrub"
	DeepScrub  Fault = "deep-scrub"
	Recovery   Fault = "recovery" // an OSD that was down gets the writes that it missed
	Backfill   Fault = "backfill" // an OSD that was out gets its placement groups back
)

// fault has the properties of a fault.
type fault struct {
	name     Fault
	f10      bool           // it is one of the paper's
	harmless bool           // nothing is broken, however odd it looks
	kinds    []finding.Kind // each of which is a right diagnosis
	// needsRead and needsWrite state what the workload must request from disks: reads
	// and writes have a budget each on this bench, so that a hog of the one does
	// not touch the other.
	needsRead, needsWrite bool
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
	full  = []finding.Kind{finding.FullFileSystem}
	tail  = []finding.Kind{finding.SlowTail, finding.SlowDrive, finding.DiskBusy}
	host  = []finding.Kind{finding.SharedSlowness, finding.SlowDrive, finding.DiskBusy}
	osd   = []finding.Kind{finding.SlowDrive, finding.Pauses} // of an OSD, not of its drive
)

// atOnce is the unit of strength of a process that uses a disk in addition to the server. A limited
// disk serves requests in their order, so that the share of a process is its share of the
// requests that wait. The kernel writes back with 10 to 20 MB in the queue, and
// a server reads with less than one.
const atOnce = "requests of 1 MB at once"

var faults = []fault{
	{name: None, harmless: true},
	{name: DiskHogR, f10: true, kinds: hog, needsRead: true, least: 1, most: 4, whole: true, unit: atOnce},
	{name: DiskHogW, f10: true, kinds: hog, needsWrite: true, least: 8, most: 24, whole: true, unit: atOnce},
	{name: DiskBusyR, f10: true, kinds: busy, needsRead: true, least: 1, most: 4, whole: true, unit: atOnce},
	{name: DiskBusyW, f10: true, kinds: busy, needsWrite: true, least: 8, most: 24, whole: true, unit: atOnce},
	{name: NetHogR, f10: true, kinds: net, least: 1, most: 3, whole: true, unit: "streams"},
	{name: NetHogW, f10: true, kinds: net, least: 1, most: 3, whole: true, unit: "streams"},
	{name: LossRecv, f10: true, kinds: loss, least: 1, most: 5, unit: "percent"},
	{name: LossSend, f10: true, kinds: loss, least: 1, most: 5, unit: "percent"},
	{name: DiskSlow, kinds: busy, least: 1.2, most: 3, unit: "times slower"},
	{name: LinkFlap, kinds: loss, least: 1, most: 3, unit: "seconds in every 12 seconds"},
	{name: Hang, kinds: hangs, least: 1, most: 8, unit: "seconds in every 30 seconds"},
	{name: DiskFull, kinds: full, needsWrite: true, least: 1, most: 20, whole: true, unit: "MB left"},
	{name: SelfHeal, harmless: true, least: 400, most: 700, whole: true, unit: "MB to mend"},
	{name: DiskDelay, kinds: busy, least: 40, most: 400, whole: true, unit: msLonger},
	{name: DiskTail, kinds: tail, least: 200, most: 1000, whole: true, unit: msLonger},
	{name: HostSlow, kinds: host, least: 40, most: 400, whole: true, unit: msLonger},
	{name: DBSlow, kinds: host, needsWrite: true, least: 40, most: 400, whole: true, unit: msLonger},
	{name: DaemonSlow, kinds: osd, least: 70, most: 95, whole: true, unit: "percent of the time"},
	{name: Scrub, harmless: true, least: 1, most: 1, whole: true, unit: "OSD"},
	{name: DeepScrub, harmless: true, least: 1, most: 1, whole: true, unit: "OSD"},
	{name: Recovery, harmless: true, least: 20, most: 40, whole: true, unit: "seconds down"},
	{name: Backfill, harmless: true, least: 20, most: 40, whole: true, unit: "seconds out of the cluster"},
}

// msLonger is the unit of strength of delays.
const msLonger = "ms longer"

// Faults are all of them, without None.
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

// OfDisk reports whether a disk of the server does its work more slowly, or has more of it.
func (f Fault) OfDisk() bool {
	switch f {
	case DiskHogR, DiskHogW, DiskBusyR, DiskBusyW, DiskSlow, DiskDelay, DiskTail, HostSlow, DBSlow:
		return true
	}
	return false
}

// OfDaemon reports whether the fault is in the daemon of the server and not in its disk.
func (f Fault) OfDaemon() bool { return f == DaemonSlow || f == Hang }

// Kinds are the diagnoses that are right. Only harmless faults have none.
func (f Fault) Kinds() []finding.Kind { return f.known().kinds }

// Unit is that of the strength.
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
