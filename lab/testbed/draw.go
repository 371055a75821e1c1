package testbed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Volume states how data are placed on servers.
type Volume string

// The volumes: dispersed over all servers (four of six fragments are enough to
// read), sharded and distributed, or three or two copies of each object.
const (
	Dispersed  Volume = "ec"
	Sharded    Volume = "sh"
	Replicated Volume = "rep"
	Mirrored   Volume = "rep2"
)

// Servers and Clients are the numbers of machines of a GlusterFS. A Ceph cluster has the same
// number of clients. Runs of the workload [Paced] have ManyClients.
const (
	Servers     = 6
	Clients     = 2
	ManyClients = 8
)

// BrickDisk is the name of the disk of a server of GlusterFS.
const BrickDisk = "disk"

// Run is one experiment.
type Run struct {
	Name       string
	System     System
	Volume     Volume
	Workload   Workload
	Streams    int    // number of parallel streams of each client
	ReadPart   int    // percentage of reads among fio's requests
	BlockKB    int    // size of fio's requests
	Congestion string // congestion control of TCP
	// DiskBytes and DiskRequests are the limits of a disk per second. They hold separately for
	// reads and for writes.
	DiskBytes, DiskRequests int
	LinkMbit                int
	LinkSpeedKnown          bool // the recorder reads the speed of the link; if false, 10 Gbit/s
	Volfile                 int  // number of the server that clients mount from, from 1
	Fault                   Fault
	Server                  int // number of the server that the fault hits, from 1; 0: none
	Client                  int // number of the client that causes the fault, from 1; 0: none
	Strength                float64
	Before, During, After   time.Duration // times before, during and after the fault
	Ceph                    CephRun       // properties that only runs of Ceph have
}

// ServerName returns the name of the server that the fault hits; "" if it hits none.
func (r *Run) ServerName() string {
	if r.Server == 0 {
		return ""
	}
	return fmt.Sprintf("s%d", r.Server)
}

// ClientName returns the name of the client that causes the fault; "" if no client does.
func (r *Run) ClientName() string {
	if r.Client == 0 {
		return ""
	}
	return fmt.Sprintf("c%d", r.Client)
}

// Clients returns the number of clients.
func (r *Run) Clients() int {
	if r.Workload == Paced {
		return ManyClients
	}
	return Clients
}

// Duration returns the length of the recording of the run.
func (r *Run) Duration() time.Duration { return r.Before + r.During + r.After }

// times is the number of runs of a block that have a fault. A block has [blockRuns] consecutive
// runs.
type times struct {
	fault Fault
	times int
}

// glusterBlock lists the faults of a block of runs of GlusterFS. Their order is random. A quarter
// of the runs are control runs, and half of the runs have a fault of F10.
var glusterBlock = []times{
	{None, 8},
	{DiskHogR, 2},
	{DiskHogW, 2},
	{DiskBusyR, 2},
	{DiskBusyW, 2},
	{NetHogR, 2},
	{NetHogW, 2},
	{LossRecv, 2},
	{LossSend, 2},
	{DiskSlow, 2},
	{LinkFlap, 1},
	{Hang, 1},
	{DiskFull, 1},
	{SelfHeal, 1},
}

// blockOf returns the faults of a block in random order.
func (s System) blockOf(seed uint64, number int) []Fault {
	var all []Fault
	for _, b := range s.block() {
		for range b.times {
			all = append(all, b.fault)
		}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(number)<<32))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// blockRuns is the number of runs of a block.
const blockRuns = 30

// Draw draws run i, from 0, of a seed. Run i does not depend on the number of runs that are drawn.
func (s System) Draw(seed uint64, i int) Run {
	return s.draw(seed, i, s.blockOf(seed, i/blockRuns)[i%blockRuns], "r", false)
}

// DrawOf draws run i, from 0, of a seed. The runs have the faults of the list, one after the other.
// The names of the runs differ from the names of the runs of [System.Draw]. If a fault of the list
// needs many clients, all runs of the list have them: a control run with two clients would prove
// nothing about eight.
func (s System) DrawOf(seed uint64, i int, faults []Fault) Run {
	return s.draw(seed, i, faults[i%len(faults)], "f", slices.ContainsFunc(faults, func(f Fault) bool { return f.known().manyClients }))
}

func (s System) draw(seed uint64, i int, f Fault, prefix string, manyClients bool) Run {
	d := drawer{rand.New(rand.NewPCG(seed, uint64(i)+1))}
	r := Run{Name: fmt.Sprintf("%s%d-%03d", prefix, seed, i+1), System: s, Fault: f}
	if s == Ceph {
		d.ceph(&r)
		return r
	}
	d.work(&r)
	if manyClients {
		r.Workload = Paced
	}
	d.hardware(&r)
	d.drawFault(&r, Servers)
	return r
}

// drawer draws the parts of a run.
type drawer struct{ *rand.Rand }

// work draws volume and workload, as the fault allows.
func (d drawer) work(r *Run) {
	f := r.Fault.known()
	r.Volume = pick(d, Dispersed, Sharded)
	if r.Fault == SelfHeal {
		r.Volume = Dispersed // the sharded volume has no redundancy from which it could heal
	}
	var fit []Workload
	for _, w := range r.System.Workloads() {
		if (!f.needsRead || w.Reads()) && (!f.needsWrite || w.Writes()) && (!f.keepsSpace || !w.addsData()) {
			fit = append(fit, w)
		}
	}
	r.Workload = pick(d, fit...)
	r.Streams = 1 + d.IntN(3)
	r.ReadPart, r.BlockKB = pick(d, 30, 50, 70), pick(d, 64, 256, 1024)
}

// hardware draws the speeds of disks and links. The speeds are so low that two cores are enough for
// two clusters.
func (d drawer) hardware(r *Run) {
	r.Congestion = pick(d, "cubic", "bbr")
	r.DiskBytes = 100_000 * (25 + d.IntN(16))
	r.DiskRequests = r.DiskBytes / 20_000
	r.LinkMbit = int(float64(r.DiskBytes) * 8e-6 * d.between(1.3, 2.5))
	r.LinkSpeedKnown = d.IntN(2) == 0
	r.Volfile = 1 + d.IntN(Servers)
}

// drawFault draws the start time, the server or client, and the strength of the fault. The fault lasts as long
// as it took to recognise packet loss in runs that were recorded by hand.
func (d drawer) drawFault(r *Run, servers int) {
	r.Before = time.Duration(45+d.IntN(36)) * time.Second
	r.During, r.After = 160*time.Second, 15*time.Second
	if r.Fault == None {
		return
	}
	f := r.Fault.known()
	switch {
	case f.byClient:
		r.Client = 1 + d.IntN(ManyClients)
	case !f.manyClients:
		r.Server = 1 + d.IntN(servers)
	}
	r.Strength = math.Exp(d.between(math.Log(f.least), math.Log(f.most)))
	if f.whole {
		r.Strength = float64(int(f.least) + d.IntN(int(f.most-f.least)+1))
	}
	r.Strength = math.Round(r.Strength*10) / 10
}

func (d drawer) between(low, high float64) float64 { return low + (high-low)*d.Float64() }

func pick[T any](d drawer, of ...T) T { return of[d.IntN(len(of))] }
