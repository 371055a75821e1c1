//go:build linux

package gluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// limit gives all disks and links the speeds of the run.
func (c *Cluster) limit(ctx context.Context) error {
	for _, s := range servers() {
		if err := c.limitDisk(s, 1); err != nil {
			return err
		}
		rate := fmt.Sprintf("%dmbit", c.run.LinkMbit)
		shape := []string{"root", "tbf", "rate", rate, "burst", "32k", "limit", "400k"}
		if err := command(ctx, "tc", append([]string{"qdisc", "add", "dev", c.link(s)}, shape...)...); err != nil {
			return err
		}
		if err := command(ctx, "tc", append([]string{"-n", c.namespace(s), "qdisc", "add", "dev", "e0"}, shape...)...); err != nil {
			return err
		}
	}
	return nil
}

// limitDisk gives the disk of a server the speed of the run, so many times
// slower. The limit is that of the root group, so that everybody shares it.
func (c *Cluster) limitDisk(server string, slower float64) error {
	loop, err := c.loop(server, "A")
	if err != nil {
		return err
	}
	number, err := os.ReadFile(filepath.Join("/sys/block", filepath.Base(loop), "dev"))
	if err != nil {
		return err
	}
	for file, most := range map[string]int{
		"read_bps": c.run.DiskBytes, "write_bps": c.run.DiskBytes,
		"read_iops": c.run.DiskRequests, "write_iops": c.run.DiskRequests,
	} {
		line := fmt.Sprintf("%s %d", strings.TrimSpace(string(number)), int(float64(most)/slower))
		if err := os.WriteFile(filepath.Join(c.blkio, "blkio.throttle."+file+"_device"), []byte(line), 0); err != nil {
			return err
		}
	}
	return nil
}
