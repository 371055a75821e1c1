package testbench

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/bounds"
)

// A FileSystem is one of F10's two file systems (§3), or one that F10 did not use.
type FileSystem string

// The file systems.
const (
	PVFS   FileSystem = "pvfs"   // 64 KiB stripes, direct I/O, no cache on clients
	Lustre FileSystem = "lustre" // 1 MiB stripes, read-ahead and write-behind on clients
	// Gluster follows recordings of a real GlusterFS: small disks and links, shards on servers by
	// the hash of their names, page caches on the servers.
	Gluster FileSystem = "gluster"
)

// A Cluster has a number of clients and servers under one file system (F10 §8).
type Cluster struct {
	FileSystem FileSystem
	Clients    int
	Servers    int
}

func (c Cluster) String() string {
	return fmt.Sprintf("%s-%d/%d", c.FileSystem, c.Clients, c.Servers)
}

// Clusters returns the four clusters that F10 §8 measured.
func Clusters() []Cluster {
	return []Cluster{{PVFS, 10, 10}, {PVFS, 6, 12}, {Lustre, 10, 10}, {Lustre, 6, 12}}
}

// UnkindClusters returns the clusters of the evaluation under unkind conditions. The first has the
// size of the real GlusterFS.
func UnkindClusters() []Cluster { return []Cluster{{Gluster, 2, 6}, {Gluster, 4, 8}} }

// A Workload is a benchmark that all clients run at the same time (F10 §8.1).
type Workload string

// The workloads.
const (
	DDR      Workload = "ddr"      // reads one large file
	DDW      Workload = "ddw"      // writes one large file
	IOzoneR  Workload = "iozoner"  // reads a file, then reads it again
	IOzoneW  Workload = "iozonew"  // writes a file, then writes it again
	PostMark Workload = "postmark" // creates, deletes, reads and appends small files
)

// Workloads returns the five workloads of F10 §8.1.
func Workloads() []Workload { return []Workload{DDR, DDW, IOzoneR, IOzoneW, PostMark} }

// A Fault is a fault of a server (F10 §9), or None for a control run.
type Fault string

// The faults.
const (
	None            Fault = ""
	DiskHog         Fault = "disk-hog"          // a process on the server reads from the disk
	DiskBusy        Fault = "disk-busy"         // a process outside the server reads from its disk
	WriteNetworkHog Fault = "write-network-hog" // a third party sends to the server
	ReadNetworkHog  Fault = "read-network-hog"  // the server sends to a third party
	ReceiveLoss     Fault = "receive-pktloss"   // packets to the server are lost
	SendLoss        Fault = "send-pktloss"      // packets from the server are lost
)

// Faults returns the six faults of F10 §9.
func Faults() []Fault {
	return []Fault{DiskHog, DiskBusy, WriteNetworkHog, ReadNetworkHog, ReceiveLoss, SendLoss}
}

// An Experiment is one run of a workload on a cluster, with or without a
// fault (F10 §8).
type Experiment struct {
	Cluster    Cluster
	Workload   Workload
	Fault      Fault
	Faulty     []int         // indexes of the servers that the fault hits
	Strength   float64       // strength of the fault; 1: as in F10
	Watched    int           // number of clients on which cwnd is recorded; 0: all (F10 §11.1: one is enough)
	Conditions Conditions    // difficulties besides the fault
	Hardware   uint64        // seed of the small differences between equal machines
	Seed       uint64        // seed of everything else
	From, To   time.Duration // start and end of the fault, since the start of the benchmark
	Start      time.Time     // start of recording, 15 s before the benchmark
}

// New returns an experiment with F10's settings: the fault hits one server, two minutes into the
// run, for five minutes. Runs with consecutive seeds hit different servers.
func New(c Cluster, w Workload, f Fault, seed uint64) *Experiment {
	e := &Experiment{
		Cluster: c, Workload: w, Fault: f, Strength: 1, Hardware: 1, Seed: seed,
		From: 120 * time.Second, To: 420 * time.Second,
		Start: time.Date(2009, time.September, 1, 0, 0, 0, 0, time.UTC),
	}
	if f != None {
		e.Faulty = []int{int(seed % uint64(max(1, c.Servers)))}
	}
	return e
}

// MaxMachines limits the size of a cluster: the number of flows is clients × servers. A fault of
// MaxStrength times F10's strength already takes all resources of its server.
const (
	MaxMachines = 1000
	MaxStrength = 20
)

// Validate returns an error that names every invalid setting.
func (e *Experiment) Validate() error {
	var errs bounds.Errors
	c := e.Cluster
	errs.Need(slices.Contains([]FileSystem{PVFS, Lustre, Gluster}, c.FileSystem), "file system %q is unknown: use %s, %s or %s", c.FileSystem, PVFS, Lustre, Gluster)
	errs.Need(c.Clients >= 1 && c.Clients <= MaxMachines, "%d clients are not possible: choose 1 to %d clients", c.Clients, MaxMachines)
	errs.Need(c.Servers >= 1 && c.Servers <= MaxMachines, "%d servers are not possible: choose 1 to %d servers", c.Servers, MaxMachines)
	errs.Need(slices.Contains(Workloads(), e.Workload), "workload %q is unknown: use one of %s", e.Workload, list(Workloads()))
	errs.Need(e.Fault == None || slices.Contains(Faults(), e.Fault), "fault %q is unknown: use one of %s", e.Fault, list(Faults()))
	if e.Fault != None {
		errs.Need(len(e.Faulty) > 0, "fault %s hits no server: name at least one server", e.Fault)
		errs.Need(e.Strength > 0 && e.Strength <= MaxStrength, "a strength of %g is not possible: choose a number above 0, up to %d", e.Strength, MaxStrength)
		errs.Need(e.From >= 0 && e.To > e.From, "the fault begins %v and ends %v after the start of the run: choose a later end", e.From, e.To)
	}
	errs.Need(e.Watched >= 0 && e.Watched <= c.Clients, "%d clients cannot be recorded, because the cluster has only %d clients: record fewer clients", e.Watched, c.Clients)
	e.validConditions(&errs)
	for i, s := range e.Faulty {
		errs.Need(s >= 0 && s < c.Servers, "server %d cannot be faulty, because the cluster has only %d servers: name another server", s+1, c.Servers)
		errs.Need(!slices.Contains(e.Faulty[:i], s), "server %d is named twice as faulty: name each server once", s+1)
	}
	errs.Need(e.Start.Nanosecond() == 0 && e.Start.Unix() >= 0, "recording cannot start at %v: choose a whole second, in 1970 or later", e.Start)
	return errs.Join()
}

// ParseCluster reads the text of [Cluster.String].
func ParseCluster(text string) (Cluster, error) {
	var c Cluster
	fs, size, _ := strings.Cut(text, "-")
	c.FileSystem = FileSystem(fs)
	if n, err := fmt.Sscanf(size, "%d/%d", &c.Clients, &c.Servers); n != 2 || err != nil || c.String() != text {
		return Cluster{}, fmt.Errorf("cluster %q is unknown: write the file system, the number of clients and the number of servers, such as pvfs-10/10, lustre-6/12 or gluster-2/6", text)
	}
	return c, nil
}

func list[T ~string](names []T) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = string(name)
	}
	return strings.Join(words, ", ")
}
