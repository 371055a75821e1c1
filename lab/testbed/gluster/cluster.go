//go:build linux

package gluster

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
)

//go:embed up.sh
var upScript string

//go:embed down.sh
var downScript string

// Slots are the names of clusters that can stand beside each other.
const Slots = "abcd"

// Place is where clusters are built.
type Place struct {
	Dir      string // of images, mounts and logs
	Recorder string // path of limpet-record
}

// Cluster is one that stands.
type Cluster struct {
	Place
	slot  string
	net   string // first three parts of its addresses
	top   string
	blkio string
	run   *testbed.Run
	log   *os.File
}

// Up builds the cluster of a run, in the place of whatever stood in the slot.
func (p Place) Up(ctx context.Context, slot string, run *testbed.Run, log *os.File) (*Cluster, error) {
	blkio, err := throttles()
	if err != nil {
		return nil, err
	}
	if err := p.Down(slot); err != nil {
		return nil, err
	}
	c := &Cluster{
		Place: p, slot: slot, net: fmt.Sprintf("10.77.%d", 1+strings.Index(Slots, slot)), top: filepath.Join(p.Dir, slot),
		blkio: blkio, run: run, log: log,
	}
	err = script(ctx, upScript, log, append(p.environment(slot),
		"NET="+c.net, "VOLUME="+string(run.Volume), "CONGESTION="+run.Congestion, fmt.Sprintf("VOLFILE=%d", run.Volfile))...)
	if err != nil {
		return c, fmt.Errorf("cluster %s cannot be built: %w", slot, err)
	}
	return c, nil
}

// Down removes what stands in a slot, or was left there.
func (p Place) Down(slot string) error {
	blkio, err := throttles()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), downTimeout)
	defer cancel()
	if err := script(ctx, downScript, &said, append(p.environment(slot), "BLKIO="+blkio)...); err != nil {
		return fmt.Errorf("cluster %s cannot be removed: %w: %s", slot, err, strings.TrimSpace(said.String()))
	}
	_ = os.Remove(p.Dir) // where no other cluster stands in it
	return nil
}

// downTimeout is long enough for processes that wait for a disk to die.
const downTimeout = time.Minute

func (p Place) environment(slot string) []string { return []string{"SLOT=" + slot, "WORK=" + p.Dir} }

// script runs a script with an environment of its own.
func script(ctx context.Context, text string, log interface{ Write([]byte) (int, error) }, environment ...string) error {
	cmd := exec.CommandContext(ctx, "bash", "-c", text)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = log, log
	apart(cmd)
	return cmd.Run()
}

// command runs a command to its end. What it says is in the error.
func command(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

// namespace is the network namespace of a host of the cluster.
func (c *Cluster) namespace(host string) string { return "limpet-" + c.slot + "-" + host }

// link is the end of a host's link that lies outside of it.
func (c *Cluster) link(host string) string { return "lt" + c.slot + host }

// in are the words that have a command run in the network namespace of a host.
func (c *Cluster) in(host string, args ...string) []string {
	return append([]string{"nsenter", "--net=/run/netns/" + c.namespace(host)}, args...)
}

// loop is a loop device of a server: "A", its disk, or "B", what it sees of it.
func (c *Cluster) loop(server, which string) (string, error) {
	data, err := os.ReadFile(filepath.Join(c.top, server, "loop"+which))
	return strings.TrimSpace(string(data)), err
}

// brick is the directory that a server gives to the volume.
func (c *Cluster) brick(server string) string { return filepath.Join(c.top, server, "brick") }

// mount is where a client has the volume.
func (c *Cluster) mount(client string) string { return filepath.Join(c.top, client) }

// servers are the names of all of them.
func servers() []string { return numbered("s", testbed.Servers) }

// clients are the names of all of them.
func clients() []string { return numbered("c", testbed.Clients) }

func numbered(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%s%d", prefix, i+1))
	}
	return all
}

func sorted(all []string) []string {
	slices.Sort(all)
	return all
}
