//go:build linux

package gluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/limpet-storage/limpet/lab/testbed/bench"
)

// gluster runs a command of GlusterFS on the first server that the fault does not hit, and returns
// its output.
func (c *service) gluster(ctx context.Context, args ...string) (string, error) {
	server := "s1"
	if c.Run.Server == 1 {
		server = "s2"
	}
	pid, err := os.ReadFile(filepath.Join(c.Top, server, "pid"))
	if err != nil {
		return "", err
	}
	words := []string{"-t", strings.TrimSpace(string(pid)), "-m", "-n", "timeout", "60", "gluster", "--mode=script"}
	out, err := exec.CommandContext(ctx, "nsenter", append(words, args...)...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("the command \"gluster %s\" failed: %w: %s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// brickPID returns the number of the process that serves the brick of the server that the fault
// hits.
func (c *service) brickPID() (int, error) {
	server := c.Run.ServerName()
	files, err := filepath.Glob(filepath.Join(c.Top, server, "run", "vols", "v", "*.pid"))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("server %s has no running brick", server)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

func (c *service) signalBrick(signal syscall.Signal) error {
	pid, err := c.brickPID()
	if err != nil {
		return err
	}
	return syscall.Kill(pid, signal)
}

// missed is the directory of the files that a brick missed.
const missed = "missed"

// neglect makes the brick miss writes of files that the workload does not use. The brick is healed
// when the fault begins.
func (c *service) neglect(ctx context.Context) error {
	if _, err := c.gluster(ctx, "volume", "heal", "v", "disable"); err != nil {
		return err
	}
	if err := c.signalBrick(syscall.SIGKILL); err != nil {
		return err
	}
	dir := filepath.Join(c.mount("c1"), missed)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	const files = 8
	for j := range files {
		err := bench.Command(ctx, "dd", "if=/dev/urandom", "of="+filepath.Join(dir, fmt.Sprint(j)), "bs=1M", fmt.Sprintf("count=%d", int(c.Run.Strength)/files))
		if err != nil {
			return err
		}
	}
	if _, err := c.gluster(ctx, "volume", "start", "v", "force"); err != nil {
		return err
	}
	return bench.Patiently(ctx, func() error { return c.connected(ctx) })
}

// connected returns an error if a brick is not connected.
func (c *service) connected(ctx context.Context) error {
	said, err := c.gluster(ctx, "volume", "heal", "v", "info")
	if err == nil && strings.Contains(said, "Number of entries: -") {
		err = fmt.Errorf("a brick of the volume is not connected: %s", said)
	}
	return err
}

// mend starts the self-heal of the brick. The command fails until the self-heal daemons have
// connected to all bricks, so mend tries it again.
func (c *service) mend(ctx context.Context) error {
	if _, err := c.gluster(ctx, "volume", "heal", "v", "enable"); err != nil {
		return err
	}
	return bench.Patiently(ctx, func() error {
		_, err := c.gluster(ctx, "volume", "heal", "v")
		return err
	})
}

// mended returns an error if no file of the brick was healed.
func (c *service) mended() error {
	files, err := filepath.Glob(filepath.Join(c.brick(c.Run.ServerName()), "b", missed, "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Sys().(*syscall.Stat_t).Blocks > 0 {
			return nil
		}
	}
	return fmt.Errorf("the self-heal had no effect: GlusterFS healed no file on server %s", c.Run.ServerName())
}
