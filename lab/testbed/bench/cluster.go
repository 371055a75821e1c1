//go:build linux

package bench

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
)

//go:embed hosts.sh
var hostsScript string

//go:embed down.sh
var downScript string

// Slots are the names of clusters that can run at the same time.
const Slots = "abcd"

// The hosts that are neither servers nor clients. Network hogs use the bystander. Daemons that
// serve no data run on the manager. The speeds of these two hosts are not limited.
const (
	Bystander = "h"
	Manager   = "m"
)

// The last part of the addresses of hosts that are not servers.
const (
	firstClient      = 101
	bystanderAddress = 111
	managerAddress   = 112
)

// Place holds the paths that all clusters share.
type Place struct {
	Dir      string // directory of images, mounts and logs
	Recorder string // path of limpet-record
}

// Cluster is a cluster that has been built.
type Cluster struct {
	Place
	Run    *testbed.Run
	Layout Layout
	Top    string // directory of the files of this cluster
	Net    string // first three parts of its addresses
	Log    io.Writer
	slot   string
	blkio  string
}

// up builds the hosts and disks for a run. It first removes the cluster that used the slot before.
func (p Place) up(ctx context.Context, slot string, layout *Layout, run *testbed.Run, log io.Writer) (*Cluster, error) {
	blkio, err := throttles()
	if err != nil {
		return nil, err
	}
	if err := p.clean(slot, blkio); err != nil {
		return nil, err
	}
	c := &Cluster{
		Place: p, Run: run, Layout: *layout, Top: filepath.Join(p.Dir, slot), Net: fmt.Sprintf("10.77.%d", 1+strings.Index(Slots, slot)),
		Log: log, slot: slot, blkio: blkio,
	}
	environment, err := c.environment()
	if err != nil {
		return nil, err
	}
	if err := c.Script(ctx, hostsScript, environment...); err != nil {
		return c, fmt.Errorf("cluster number %s cannot be built: %w", slot, err)
	}
	return c, nil
}

// environment returns the variables that hosts.sh needs, without the variables that all scripts
// get.
func (c *Cluster) environment() ([]string, error) {
	var hosts, disks []string
	for _, h := range append(c.Hosts(), Bystander, Manager) {
		hosts = append(hosts, fmt.Sprintf("%s:%d", h, lastPart(h)))
	}
	for _, d := range c.Layout.Disks {
		disks = append(disks, fmt.Sprintf("%s:%s:%d:%d:%d:%d", d.Server, d.Name, d.SeenMB, d.SpareMB, d.Parts, d.FreeMB))
	}
	self := ""
	if c.Layout.Delays {
		var err error
		if self, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	return []string{"CONGESTION=" + c.Run.Congestion, "HOSTS=" + strings.Join(hosts, " "), "DISKS=" + strings.Join(disks, " "), "SELF=" + self}, nil
}

// Down removes the cluster of a slot. It also removes the remains of a cluster whose program was killed.
func (p Place) Down(slot string) error {
	blkio, err := throttles()
	if err != nil {
		return err
	}
	if err := p.clean(slot, blkio); err != nil {
		return err
	}
	_ = os.Remove(p.Dir) // succeeds only if no other cluster is in it
	return nil
}

// clean is Down, but it leaves the directory of all clusters: another cluster may be about to make its
// own directory in it.
func (p Place) clean(slot, blkio string) error {
	var output bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), downTimeout)
	defer cancel()
	if err := script(ctx, downScript, &output, "SLOT="+slot, "WORK="+p.Dir, "BLKIO="+blkio); err != nil {
		return fmt.Errorf("cluster number %s cannot be removed: %w: %s", slot, err, strings.TrimSpace(output.String()))
	}
	return nil
}

// downTimeout is long enough until killed processes that wait for a disk have ended.
const downTimeout = time.Minute

// Script runs a shell script. The environment of the script contains the name of the slot, the
// first three parts of the addresses and the directory of all clusters.
func (c *Cluster) Script(ctx context.Context, text string, environment ...string) error {
	return script(ctx, text, c.Log, append([]string{"SLOT=" + c.slot, "NET=" + c.Net, "WORK=" + c.Dir}, environment...)...)
}

func script(ctx context.Context, text string, log io.Writer, environment ...string) error {
	cmd := exec.CommandContext(ctx, "bash", "-c", text)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = log, log
	apart(cmd)
	return cmd.Run()
}

// Command runs a command and waits for its end. The error contains the output of the command.
func Command(ctx context.Context, name string, args ...string) error {
	_, err := Output(ctx, name, args...)
	return err
}

// Output runs a command to its end, and returns its output.
func Output(ctx context.Context, name string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s%s", name, strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()), bytes.TrimSpace(stdout.Bytes()))
	}
	return stdout.String(), nil
}

// Namespace returns the name of the network namespace of a host.
func (c *Cluster) Namespace(host string) string { return "limpet-" + c.slot + "-" + host }

// link returns the name of the network interface that connects a host to the bridge of the cluster.
// The interface is outside of the namespace of the host.
func (c *Cluster) link(host string) string { return "lt" + c.slot + host }

// In returns the words that run a command in the network namespace of a host.
func (c *Cluster) In(host string, args ...string) []string {
	return append([]string{"nsenter", "--net=/run/netns/" + c.Namespace(host)}, args...)
}

// Address returns the address of a host.
func (c *Cluster) Address(host string) string { return fmt.Sprintf("%s.%d", c.Net, lastPart(host)) }

func lastPart(host string) int {
	switch number, _ := strconv.Atoi(host[1:]); {
	case host == Bystander:
		return bystanderAddress
	case host == Manager:
		return managerAddress
	case strings.HasPrefix(host, "c"):
		return firstClient - 1 + number
	default:
		return number
	}
}

// Seen returns the loop device of a disk as its server sees it.
func (c *Cluster) Seen(d *Disk) (string, error) { return c.loop(d, "B") }

// loop returns one of the two loop devices of a disk: "A" is the whole disk, "B" is the part that
// its server uses.
func (c *Cluster) loop(d *Disk, which string) (string, error) {
	data, err := os.ReadFile(filepath.Join(c.Top, d.Server, d.Name+"."+which))
	return strings.TrimSpace(string(data)), err
}

// DisksOf returns the disks of a server.
func (c *Cluster) DisksOf(server string) []Disk {
	return slices.DeleteFunc(slices.Clone(c.Layout.Disks), func(d Disk) bool { return d.Server != server })
}

// Servers returns the names of the servers.
func (c *Cluster) Servers() []string { return numbered("s", c.Layout.Servers) }

// Clients returns the names of the clients.
func (c *Cluster) Clients() []string { return numbered("c", c.Layout.Clients) }

// Hosts returns the names of servers and clients.
func (c *Cluster) Hosts() []string { return append(c.Servers(), c.Clients()...) }

func numbered(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%s%d", prefix, i+1))
	}
	return all
}
