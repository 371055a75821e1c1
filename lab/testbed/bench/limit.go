//go:build linux

package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// limit gives all disks and links the speeds of the run.
func (c *Cluster) limit(ctx context.Context) error {
	for i := range c.Layout.Disks {
		if err := c.limitDisk(&c.Layout.Disks[i], 1); err != nil {
			return err
		}
	}
	rate := fmt.Sprintf("%dmbit", c.Run.LinkMbit)
	shape := []string{"root", "tbf", "rate", rate, "burst", "32k", "limit", "400k"}
	for _, s := range c.Servers() {
		if err := Command(ctx, "tc", append([]string{"qdisc", "add", "dev", c.link(s)}, shape...)...); err != nil {
			return err
		}
		if err := Command(ctx, "tc", append([]string{"-n", c.Namespace(s), "qdisc", "add", "dev", "e0"}, shape...)...); err != nil {
			return err
		}
	}
	return nil
}

// limitDisk limits a disk to the speed of the run divided by slower. The limit is in the root
// control group, so all processes share it.
func (c *Cluster) limitDisk(d *Disk, slower float64) error {
	loop, err := c.loop(d, "A")
	if err != nil {
		return err
	}
	number, err := os.ReadFile(filepath.Join("/sys/block", filepath.Base(loop), "dev"))
	if err != nil {
		return err
	}
	for file, most := range map[string]int{
		"read_bps": c.Run.DiskBytes, "write_bps": c.Run.DiskBytes,
		"read_iops": c.Run.DiskRequests, "write_iops": c.Run.DiskRequests,
	} {
		line := fmt.Sprintf("%s %d", strings.TrimSpace(string(number)), int(float64(most)/slower))
		if err := os.WriteFile(filepath.Join(c.blkio, "blkio.throttle."+file+"_device"), []byte(line), 0); err != nil {
			return err
		}
	}
	return nil
}

// hit returns the disks that the fault of the run hits.
func (c *Cluster) hit() []Disk {
	var all []Disk
	servers, names := []string{c.Run.ServerName(), c.Run.OtherServer()}, c.Run.Disks()
	for _, d := range c.Layout.Disks {
		if slices.Contains(servers, d.Server) && slices.Contains(names, d.Name) {
			all = append(all, d)
		}
	}
	return all
}

// slowDown divides the speed of the disks that the fault hits by times.
func (c *Cluster) slowDown(times float64) error {
	for _, d := range c.hit() {
		if err := c.limitDisk(&d, times); err != nil {
			return err
		}
	}
	return nil
}
