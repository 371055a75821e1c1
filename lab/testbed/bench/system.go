//go:build linux

package bench

import (
	"context"

	"github.com/limpet-storage/limpet/lab/testbed"
)

// System is a storage system of the bench.
type System interface {
	// Needs returns the programs that the system needs, and the Debian packages that contain them.
	Needs() map[string]string
	// Layout returns the hosts and disks that the system of a run needs.
	Layout(run *testbed.Run) Layout
	// Start starts the system on a cluster. Disks and links have no limits yet. All processes of the
	// system run in the namespaces of the hosts.
	Start(ctx context.Context, c *Cluster) (Service, error)
}

// Service is a storage system that runs on a cluster.
type Service interface {
	// Prepare writes the data that the workload reads. Disks and links have no limits yet.
	Prepare(ctx context.Context) error
	// Work starts the workload of all clients.
	Work(p *Processes) error
	// Observe writes the reports of the system about itself into a directory, until ctx ends. It
	// returns after the last file is written. Most systems report nothing.
	Observe(ctx context.Context, dir string) error
	// Inject starts a fault or extra work inside the storage system. The returned function ends the
	// fault. ok is false if the fault of the run is not inside the storage system.
	Inject(ctx context.Context) (end func(context.Context) error, ok bool, err error)
	// Topology describes the servers and their drives.
	Topology() ([]byte, error)
}

// Layout holds the hosts and disks that a system needs.
type Layout struct {
	Servers, Clients int
	Disks            []Disk
	// Delays states whether all or some requests to a disk can be delayed. If true, a file system
	// in user space holds the images.
	Delays bool
	// ServersTalk states whether servers send data to each other.
	ServersTalk bool
}

// Disk is a disk of a server.
type Disk struct {
	Server string
	Name   string
	// SeenMB is the size of the part that the server sees. SpareMB is the size of the rest.
	SeenMB, SpareMB int
	// Parts is the number of equal partitions; 0: none. FreeMB at the end are in no partition; hogs
	// use them.
	Parts  int
	FreeMB int
	// Mount is the directory, below that of the server, on which the file system of the disk is mounted;
	// empty: the disk has no file system.
	Mount string
}
