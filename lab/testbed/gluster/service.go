//go:build linux

package gluster

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

//go:embed up.sh
var upScript string

// System is GlusterFS.
type System struct{}

// service is a running volume.
type service struct{ *bench.Cluster }

// Needs returns the programs of GlusterFS and of its workloads.
func (System) Needs() map[string]string {
	return map[string]string{
		"glusterd": "glusterfs-server", "glusterfs": "glusterfs-client", "gluster": "glusterfs-server",
		"mkfs.xfs": "xfsprogs", "postmark": "postmark",
	}
}

// The size of the part of a disk that the server sees, and of the rest, in MB.
const (
	seenMB  = 1300
	spareMB = 300
)

// Layout returns six servers with a disk each, and the clients of the run.
func (System) Layout(run *testbed.Run) bench.Layout {
	layout := bench.Layout{Servers: testbed.Servers, Clients: run.Clients()}
	for i := range layout.Servers {
		layout.Disks = append(layout.Disks, bench.Disk{Server: fmt.Sprintf("s%d", i+1), Name: testbed.BrickDisk, SeenMB: seenMB, SpareMB: spareMB, Mount: "brick"})
	}
	return layout
}

// Start starts the volume.
func (System) Start(ctx context.Context, c *bench.Cluster) (bench.Service, error) {
	err := c.Script(ctx, upScript, "VOLUME="+string(c.Run.Volume), fmt.Sprintf("VOLFILE=%d", c.Run.Volfile), fmt.Sprintf("CLIENTS=%d", c.Layout.Clients), fmt.Sprintf("AHEAD=%d", readAhead(c.Run.Workload)))
	return &service{c}, err
}

// Prepare writes the files that the workload reads. It waits until they are on disk, because the
// speed of the disks is limited later.
func (c *service) Prepare(ctx context.Context) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if c.Run.Fault == testbed.SelfHeal {
		if err := c.neglect(ctx); err != nil {
			return err
		}
	}
	for _, s := range c.Servers() {
		if err := bench.Command(ctx, "sync", "-f", c.brick(s)); err != nil {
			return err
		}
	}
	return nil
}

// Observe records nothing: limpet reads no reports of GlusterFS.
func (c *service) Observe(context.Context, string) error { return nil }

// hangEvery is the time from one hang to the next.
const hangEvery = 30 * time.Second

// Inject starts the faults of the file system itself.
func (c *service) Inject(ctx context.Context) (end func(context.Context) error, ok bool, err error) {
	switch c.Run.Fault {
	case testbed.Hang:
		stop := func() error { return c.signalBrick(syscall.SIGSTOP) }
		carryOn := func() error { return c.signalBrick(syscall.SIGCONT) }
		return bench.Pulse(hangEvery, bench.Seconds(c.Run.Strength), stop, carryOn), true, nil
	case testbed.DiskFull:
		return func(context.Context) error { return os.Remove(c.filler()) }, true, c.fill()
	case testbed.SelfHeal:
		return func(context.Context) error { return c.mended() }, true, c.mend(ctx)
	case testbed.NoisyClient, testbed.BusyHour:
		more := &bench.Processes{Log: c.Log}
		end = func(context.Context) error {
			err := more.Running()
			more.Stop(syscall.SIGKILL)
			return err
		}
		for _, client := range c.withMore() {
			if err := more.Start(c.In(client, "bash", "-c", quietly(c.keepOn(client, c.pacedMore(client)+c.untilEnd())))...); err != nil {
				return end, true, err
			}
		}
		return end, true, nil
	}
	return nil, false, nil
}

func (c *service) filler() string { return filepath.Join(c.brick(c.Run.ServerName()), "filler") }

// fill writes a file so large that the file system of the brick has only Strength megabytes left.
func (c *service) fill() error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(c.brick(c.Run.ServerName()), &fs); err != nil {
		return err
	}
	free := int64(fs.Bavail)*fs.Bsize - int64(c.Run.Strength)<<20
	return bench.Command(context.Background(), "fallocate", "-l", fmt.Sprint(max(free, 1)), c.filler())
}

// brick returns the directory that a server gives to the volume.
func (c *service) brick(server string) string { return filepath.Join(c.Top, server, "brick") }

// mount returns the directory on which a client mounts the volume.
func (c *service) mount(client string) string { return filepath.Join(c.Top, client) }

// Topology describes the servers: all are peers in every resource.
func (c *service) Topology() ([]byte, error) {
	var text bytes.Buffer
	all := fmt.Sprintf("s[1-%d]", c.Layout.Servers)
	fmt.Fprintf(&text, "name: %s\nservers: %s\n\ndrives:\n", c.Run.Name, all)
	for i := range c.Layout.Disks {
		d := &c.Layout.Disks[i]
		loop, err := c.Seen(d)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&text, "  - servers: %s\n    devices: %s\n    peers: all\n", d.Server, filepath.Base(loop))
	}
	fmt.Fprintf(&text, "\ninterfaces:\n  - servers: %s\n    names: e0\n\nhosts: %s\n", all, all)
	return text.Bytes(), nil
}
