//go:build linux

package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// gluster has the first server that the fault does not hit run a command.
func (c *Cluster) gluster(ctx context.Context, args ...string) error {
	server := "s1"
	if c.run.Server == 1 {
		server = "s2"
	}
	pid, err := os.ReadFile(filepath.Join(c.top, server, "pid"))
	if err != nil {
		return err
	}
	words := []string{"-t", strings.TrimSpace(string(pid)), "-m", "-n", "timeout", "60", "gluster", "--mode=script"}
	return command(ctx, "nsenter", append(words, args...)...)
}

// brickPID is the process that serves the brick of the server that the fault
// hits.
func (c *Cluster) brickPID() (int, error) {
	server := c.run.ServerName()
	files, err := filepath.Glob(filepath.Join(c.top, server, "run", "vols", "v", "*.pid"))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("server %s serves no brick", server)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

func (c *Cluster) signalBrick(signal syscall.Signal) error {
	pid, err := c.brickPID()
	if err != nil {
		return err
	}
	return syscall.Kill(pid, signal)
}

// neglect has the brick miss writes of files that the workload does not use. It
// is mended when the fault begins.
func (c *Cluster) neglect(ctx context.Context) error {
	if err := c.gluster(ctx, "volume", "heal", "v", "disable"); err != nil {
		return err
	}
	if err := c.signalBrick(syscall.SIGKILL); err != nil {
		return err
	}
	dir := filepath.Join(c.mount("c1"), "missed")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	const files = 8
	for j := range files {
		err := command(ctx, "dd", "if=/dev/urandom", "of="+filepath.Join(dir, fmt.Sprint(j)), "bs=1M", fmt.Sprintf("count=%d", int(c.run.Strength)/files))
		if err != nil {
			return err
		}
	}
	if err := c.gluster(ctx, "volume", "start", "v", "force"); err != nil {
		return err
	}
	return sleep(ctx, reconnect)
}

// reconnect is how long clients take to find a brick that is back.
const reconnect = 5 * time.Second
