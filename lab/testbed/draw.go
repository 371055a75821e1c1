package testbed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Volume is how data lie on servers.
type Volume string

// The volumes: dispersed over all servers (four of six fragments are enough to
// read), sharded and distributed, or three copies of each object.
const (
	Dispersed  Volume = "ec"
	Sharded    Volume = "sh"
	Replicated Volume = "rep"
)

// Servers and Clients are how many machines a GlusterFS has. A Ceph has as many clients.
const (
	Servers = 6
	Clients = 2
)

// BrickDisk is the name of the disk of a server of GlusterFS.
const BrickDisk = "disk"

// Run is one experiment.
type Run struct {
	Name       string
	System     System
	Volume     Volume
	Workload   Workload
	Streams    int    // of each client
	ReadPart   int    // percent of fio's requests
	BlockKB    int    // of fio's requests
	Congestion string // control of TCP
	// DiskBytes and DiskRequests are what a disk can do in a second, apart for
	// reads and writes.
	DiskBytes, DiskRequests int
	LinkMbit                int
	LinkTold                bool // the interface says what its link can do, and not 10 Gbit/s
	Volfile                 int  // number of the server that clients mount from, from 1
	Fault                   Fault
	Server                  int // number of the server that the fault hits, from 1; 0 where none does
	Strength                float64
	Before, During, After   time.Duration // the fault
	Ceph                    CephRun       // what only runs of Ceph have
}

// ServerName is the name of the server that the fault hits.
func (r *Run) ServerName() string {
	if r.Server == 0 {
		return ""
	}
	return fmt.Sprintf("s%d", r.Server)
}

// Duration is how long the run is recorded.
func (r *Run) Duration() time.Duration { return r.Before + r.During + r.After }

// times is how often a fault is among thirty runs in a row.
type times struct {
	fault Fault
	times int
}

// glusterBlock is what thirty runs of GlusterFS in a row are of, in an order that is drawn: a
// quarter are control runs, and half are of F10.
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

// blockOf draws the order of faults in a block.
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

// blockRuns is how many runs a block has.
const blockRuns = 30

// Draw draws run i, from 0, of a seed. It is the same however many are drawn.
func (s System) Draw(seed uint64, i int) Run {
	return s.draw(seed, i, s.blockOf(seed, i/blockRuns)[i%blockRuns], "r")
}

// DrawOf draws run i, from 0, of a seed, with the faults of a list in turn. Its runs have other names than
// those of [System.Draw], as they are other runs.
func (s System) DrawOf(seed uint64, i int, faults []Fault) Run {
	return s.draw(seed, i, faults[i%len(faults)], "f")
}

func (s System) draw(seed uint64, i int, f Fault, prefix string) Run {
	d := drawer{rand.New(rand.NewPCG(seed, uint64(i)+1))}
	r := Run{Name: fmt.Sprintf("%s%d-%03d", prefix, seed, i+1), System: s, Fault: f}
	if s == Ceph {
		d.ceph(&r)
		return r
	}
	d.work(&r)
	d.hardware(&r)
	d.blow(&r, Servers)
	return r
}

// drawer draws the parts of a run.
type drawer struct{ *rand.Rand }

// work draws volume and workload, as the fault allows.
func (d drawer) work(r *Run) {
	f := r.Fault.known()
	r.Volume = pick(d, Dispersed, Sharded)
	if r.Fault == SelfHeal {
		r.Volume = Dispersed // the other has nothing to mend from
	}
	var fit []Workload
	for _, w := range r.System.Workloads() {
		if (!f.needsRead || w.Reads()) && (!f.needsWrite || w.Writes()) {
			fit = append(fit, w)
		}
	}
	r.Workload = pick(d, fit...)
	r.Streams = 1 + d.IntN(3)
	r.ReadPart, r.BlockKB = pick(d, 30, 50, 70), pick(d, 64, 256, 1024)
}

// hardware draws the speeds of disks and links. Two cores are enough for two such clusters.
func (d drawer) hardware(r *Run) {
	r.Congestion = pick(d, "cubic", "bbr")
	r.DiskBytes = 100_000 * (25 + d.IntN(16))
	r.DiskRequests = r.DiskBytes / 20_000
	r.LinkMbit = int(float64(r.DiskBytes) * 8e-6 * d.between(1.3, 2.5))
	r.LinkTold = d.IntN(2) == 0
	r.Volfile = 1 + d.IntN(Servers)
}

// blow draws when the fault begins, where, and how strong it is. It lasts for as
// long as loss took to be told on runs that were recorded by hand.
func (d drawer) blow(r *Run, servers int) {
	r.Before = time.Duration(45+d.IntN(36)) * time.Second
	r.During, r.After = 160*time.Second, 15*time.Second
	if r.Fault == None {
		return
	}
	f := r.Fault.known()
	r.Server = 1 + d.IntN(servers)
	r.Strength = math.Exp(d.between(math.Log(f.least), math.Log(f.most)))
	if f.whole {
		r.Strength = float64(int(f.least) + d.IntN(int(f.most-f.least)+1))
	}
	r.Strength = math.Round(r.Strength*10) / 10
}

func (d drawer) between(low, high float64) float64 { return low + (high-low)*d.Float64() }

func pick[T any](d drawer, of ...T) T { return of[d.IntN(len(of))] }
