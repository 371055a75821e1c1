//go:build linux

package ceph

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

//go:embed up.sh
var upScript string

// System is Ceph.
type System struct{}

// service is a Ceph that runs.
type service struct{ *bench.Cluster }

// Needs returns the programs of Ceph.
func (System) Needs() map[string]string {
	return map[string]string{
		"ceph-mon": "ceph-mon", "ceph-mgr": "ceph-mgr and ceph-mgr-modules-core", "ceph-osd": "ceph-osd", "ceph": "ceph-common",
		"rados": "ceph-common", "rbd": "ceph-common", "monmaptool": "ceph-common", "sfdisk": "fdisk", "partx": "util-linux",
	}
}

// The sizes of disks, in MB. The server sees dataMB or dbMB of a disk. Hogs may use the last hogsMB
// of this part. The server does not see the spareMB that follow. Images are sparse.
const (
	dataMB  = 4096
	smallMB = 1536 // size of a disk where an OSD becomes nearly full: it is filled in seconds
	dbMB    = 2048
	hogsMB  = 256
	spareMB = 300
)

// Layout returns the hosts of the run, with a disk for each OSD, and, in some runs, a disk for the
// databases of the OSDs of a host.
func (System) Layout(run *testbed.Run) bench.Layout {
	c := &run.Ceph
	layout := bench.Layout{Servers: c.Hosts(), Clients: testbed.Clients, Delays: true, ServersTalk: true}
	size := dataMB
	if run.Fault == testbed.OSDFull {
		size = smallMB
	}
	for osd := range c.OSDs() {
		layout.Disks = append(layout.Disks, bench.Disk{
			Server: fmt.Sprintf("s%d", c.Host(osd)), Name: testbed.DataDisk(osd), SeenMB: size, SpareMB: spareMB, Parts: 1, FreeMB: hogsMB,
		})
	}
	if c.DB {
		for i := range c.Hosts() {
			layout.Disks = append(layout.Disks, bench.Disk{Server: fmt.Sprintf("s%d", i+1), Name: c.DBDisk(), SeenMB: dbMB, SpareMB: spareMB, Parts: c.OSDsPerHost, FreeMB: hogsMB})
		}
	}
	return layout
}

// Start starts Ceph.
func (System) Start(ctx context.Context, c *bench.Cluster) (bench.Service, error) {
	s := &service{c}
	var entries []string
	for osd := range c.Run.Ceph.OSDs() {
		entry, err := s.entry(osd)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return s, c.Script(ctx, upScript, "MANAGER="+c.Address(bench.Manager), "VOLUME="+string(c.Run.Volume),
		fmt.Sprintf("PGS=%d", c.Run.Ceph.PGs), "OSDS="+strings.Join(entries, " "))
}

// entry describes an OSD for up.sh.
func (c *service) entry(osd int) (string, error) {
	run := &c.Run.Ceph
	server := fmt.Sprintf("s%d", run.Host(osd))
	entry := fmt.Sprintf("%d:%s", osd, server)
	for _, d := range c.DisksOf(server) {
		part := 1
		switch d.Name {
		case testbed.DataDisk(osd):
		case run.DBDisk():
			part = 1 + osd%run.OSDsPerHost
		default:
			continue
		}
		seen, err := c.Seen(&d)
		if err != nil {
			return "", err
		}
		entry += fmt.Sprintf(":%sp%d", seen, part)
	}
	return entry, nil
}

func (c *service) conf() string { return filepath.Join(c.Top, "ceph.conf") }

// ceph runs a command of Ceph on the host of the manager, and returns what it printed.
func (c *service) ceph(ctx context.Context, args ...string) (string, error) {
	words := c.In(bench.Manager, append([]string{"timeout", "60", "ceph", "-c", c.conf()}, args...)...)
	return bench.Output(ctx, words[0], words[1:]...)
}

// all runs commands of Ceph one after the other. Spaces separate the words of a command.
func (c *service) all(ctx context.Context, commands ...string) error {
	for _, command := range commands {
		if _, err := c.ceph(ctx, strings.Fields(command)...); err != nil {
			return err
		}
	}
	return nil
}

// socket is the path of the admin socket of an OSD.
func (c *service) socket(osd int) string {
	return filepath.Join(c.Top, "run", fmt.Sprintf("osd.%d.asok", osd))
}

// signal sends a signal to the daemon of the OSD that the fault hits.
func (c *service) signal(s syscall.Signal) error {
	text, err := os.ReadFile(filepath.Join(c.Top, "run", fmt.Sprintf("osd.%d.pid", c.Run.Ceph.OSD)))
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	return syscall.Kill(pid, s)
}

// Topology describes the servers. All OSDs are peers, and all drives of databases are peers.
func (c *service) Topology() ([]byte, error) {
	var text, parts bytes.Buffer
	run := &c.Run.Ceph
	all := fmt.Sprintf("s[1-%d]", c.Layout.Servers)
	redundancy := "3 replicas"
	switch c.Run.Volume {
	case testbed.Dispersed:
		redundancy = "4+2"
	case testbed.Mirrored:
		redundancy = "2 replicas"
	}
	fmt.Fprintf(&text, "name: %s\nservers: %s\nkind: ceph\nredundancy: %s\n\ndrives:\n", c.Run.Name, all, redundancy)
	for i := range c.Layout.Disks {
		d := &c.Layout.Disks[i]
		loop, err := c.Seen(d)
		if err != nil {
			return nil, err
		}
		set := "data"
		if d.Name == run.DBDisk() {
			set = "db"
		} else {
			fmt.Fprintf(&parts, "  %s/%s: {volume: osd.%s}\n", d.Server, filepath.Base(loop), strings.TrimPrefix(d.Name, "osd"))
		}
		fmt.Fprintf(&text, "  - servers: %s\n    devices: %s\n    sets: %s\n    peers: set\n", d.Server, filepath.Base(loop), set)
	}
	fmt.Fprintf(&text, "\ninterfaces:\n  - servers: %s\n    names: e0\n\nhosts: %s\n\nparts:\n%s", all, all, parts.Bytes())
	return text.Bytes(), nil
}

// Sources returns the address of the manager's module prometheus, and the path of the configuration for
// commands of Ceph.
func (c *service) Sources() (config string, environment []string) {
	config = fmt.Sprintf("scrape:\n  - {name: ceph, targets: ['%s:%d'], interval: 5s}\n", c.Address(bench.Manager), prometheusPort)
	return config, []string{"CEPH_CONF=" + c.conf()}
}

// Writes returns how many writes of clients all OSDs have completed since they started.
func (c *service) Writes() (total float64, err error) {
	for osd := range c.Run.Ceph.OSDs() {
		text, err := ask(c.socket(osd), "perf dump")
		if err != nil {
			return 0, err
		}
		var dump struct {
			OSD struct {
				Writes float64 `json:"op_w"`
			} `json:"osd"`
		}
		if err := json.Unmarshal(text, &dump); err != nil {
			return 0, err
		}
		total += dump.OSD.Writes
	}
	return total, nil
}
