//go:build linux

package bench

import (
	"context"

	"github.com/limpet-storage/limpet/lab/testbed"
)

// System is a storage system of the bench.
type System interface {
	// Needs returns the programs that the system needs, with the packages of Debian that have them.
	Needs() map[string]string
	// Layout returns the hosts and disks that the system of a run needs.
	Layout(run *testbed.Run) Layout
	// Start starts the system on a cluster. Disks and links have no limits yet. All processes of the
	// system live in the namespaces of the hosts.
	Start(ctx context.Context, c *Cluster) (Service, error)
}

// Service is a storage system that runs on a cluster.
type Service interface {
	// Prepare writes the data that the workload reads. Disks and links have no limits yet.
	Prepare(ctx context.Context) error
	// Work starts the workload of all clients.
	Work(p *Processes) error
	// Observe records into a directory what the system reports about itself, until ctx ends. It
	// returns when the last file is written. Most systems report nothing.
	Observe(ctx context.Context, dir string) error
	// Inject starts a fault, or extra work, that only the system knows how to make. The function that
	// it returns ends the fault. ok is false if the fault is none of the system.
	Inject(ctx context.Context) (end func(context.Context) error, ok bool, err error)
	// Topology describes the servers and their drives.
	Topology() ([]byte, error)
}

// Layout has the hosts and disks that a system needs.
type Layout struct {
	Servers, Clients int
	Disks            []Disk
	// Delays reports whether disks can be slower by a constant, or for a share of the requests. Then
	// a file system in user space holds the images.
	Delays bool
	// ServersTalk reports whether servers send data to each other.
	ServersTalk bool
}

// Disk is a disk of a server.
type Disk struct {
	Server string
	Name   string
	// SeenMB is the size that the server sees. Behind it are SpareMB, which the server does not see.
	SeenMB, SpareMB int
	// Parts is the number of equal partitions; 0: none. They leave the last FreeMB to hogs.
	Parts  int
	FreeMB int
	// Mount is the directory, below that of the server, on which the file system of the disk is mounted;
	// empty: the disk has no file system.
	Mount string
}
