package testbed

import "fmt"

// CephRun has the settings that only runs of Ceph have.
type CephRun struct {
	OSDsPerHost int
	DB          bool // the OSDs of a host share a drive for their databases
	PGs         int  // number of placement groups of the pool
	ObjectKB    int  // size of the objects of the first client
	OtherKB     int  // size of the objects of the second client
	OSD         int  // number of the OSD that the fault hits, from 0
}

// cephBlock has the faults of thirty consecutive runs of Ceph. Nine runs are controls; in four of
// these, Ceph does work of its own.
var cephBlock = []times{
	{None, 5},
	{Scrub, 1},
	{DeepScrub, 1},
	{Recovery, 1},
	{Backfill, 1},
	{DiskDelay, 2},
	{DiskTail, 2},
	{DiskSlow, 2},
	{DaemonSlow, 2},
	{HostSlow, 2},
	{DBSlow, 1},
	{DiskHogR, 1},
	{DiskHogW, 1},
	{DiskBusyR, 1},
	{DiskBusyW, 1},
	{NetHogR, 1},
	{NetHogW, 1},
	{LossRecv, 1},
	{LossSend, 1},
	{Hang, 1},
	{OSDFull, 1},
}

// A Ceph cluster has six hosts with one OSD each, or four hosts with two OSDs each. Slow hosts and
// shared drives of databases need two OSDs a host.
const (
	singleHosts = 6
	pairedHosts = 4
)

// Hosts returns the number of hosts with OSDs of a run of Ceph.
func (r *CephRun) Hosts() int {
	if r.OSDsPerHost > 1 {
		return pairedHosts
	}
	return singleHosts
}

// OSDs returns the number of OSDs of a run of Ceph.
func (r *CephRun) OSDs() int { return r.Hosts() * r.OSDsPerHost }

// Host returns the number, from 1, of the server that has an OSD.
func (r *CephRun) Host(osd int) int { return osd/r.OSDsPerHost + 1 }

// dbDisk is the name of the disk with the databases of a server of Ceph.
const dbDisk = "db"

// DataDisk returns the name of the disk of an OSD.
func DataDisk(osd int) string { return fmt.Sprintf("osd%d", osd) }

// Disks returns the names of the disks that the fault hits. They are disks of one server, and, if two
// disks are slow, of [Run.OtherServer].
func (r *Run) Disks() []string {
	if r.System != Ceph {
		return []string{BrickDisk}
	}
	var all []string
	switch r.Fault {
	case DBSlow:
		return []string{dbDisk}
	case TwoDelays:
		return []string{DataDisk(r.Ceph.OSD), DataDisk(r.otherOSD())}
	case HostSlow:
		for i := range r.Ceph.OSDsPerHost {
			all = append(all, DataDisk((r.Server-1)*r.Ceph.OSDsPerHost+i))
		}
		return all
	}
	return []string{DataDisk(r.Ceph.OSD)}
}

// otherOSD returns the number of the second OSD of a fault that hits two: one of the next server.
func (r *Run) otherOSD() int { return (r.Ceph.OSD + r.Ceph.OSDsPerHost) % r.Ceph.OSDs() }

// hitOSDs returns the names of the OSDs that the fault hits.
func (r *Run) hitOSDs() []string {
	if r.Fault == TwoDelays {
		return []string{r.OSDName(), fmt.Sprintf("osd.%d", r.otherOSD())}
	}
	return []string{r.OSDName()}
}

// OtherServer returns the name of the second server that the fault hits; empty if it hits one.
func (r *Run) OtherServer() string {
	if r.Fault != TwoDelays {
		return ""
	}
	return fmt.Sprintf("s%d", r.Ceph.Host(r.otherOSD()))
}

// OSDName returns the name of the OSD that the fault hits; empty if the fault hits no OSD, or all
// OSDs of a host.
func (r *Run) OSDName() string {
	if r.System != Ceph || r.Server == 0 || r.Fault == HostSlow || r.Fault == DBSlow {
		return ""
	}
	return fmt.Sprintf("osd.%d", r.Ceph.OSD)
}

// DBDisk returns the name of the disk with the databases of a host; empty if there is none.
func (r *CephRun) DBDisk() string {
	if r.DB {
		return dbDisk
	}
	return ""
}

// ceph draws a run of Ceph.
func (d drawer) ceph(r *Run) {
	d.work(r)
	d.hardware(r)
	if r.Volume == Sharded {
		r.Volume = Replicated
	}
	c := &r.Ceph
	c.OSDsPerHost = 1
	if r.Fault == HostSlow || r.Fault == DBSlow || d.IntN(3) == 0 {
		c.OSDsPerHost = 2
	}
	c.DB = r.Fault == DBSlow || c.OSDsPerHost == 2 && d.IntN(2) == 0
	c.PGs = pick(d, 32, 64, 128)
	c.ObjectKB, c.OtherKB = pick(d, 4, 16, 64, 256, 1024), pick(d, 4, 16, 64, 256, 1024)
	if r.Volume == Dispersed { // rados bench writes whole stripes of four times 4 kB
		c.ObjectKB, c.OtherKB = max(c.ObjectKB, 16), max(c.OtherKB, 16)
	}
	d.drawFault(r, c.Hosts())
	if r.Server > 0 {
		c.OSD = (r.Server-1)*c.OSDsPerHost + d.IntN(c.OSDsPerHost)
	}
}
