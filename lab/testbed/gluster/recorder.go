//go:build linux

package gluster

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/limpet-storage/limpet/lab/testbed"
)

// observe starts a recorder on every host. Counters of block devices are those
// of the whole machine, so each is told its own. The kernel says 10 Gbit/s of
// any virtual link; where the run has interfaces tell the truth, the recorder
// reads that instead.
func (c *Cluster) observe(p *processes, dir string) error {
	speed := filepath.Join(c.top, "speed")
	if err := os.WriteFile(speed, fmt.Appendln(nil, c.run.LinkMbit), 0o644); err != nil {
		return err
	}
	for _, host := range append(servers(), clients()...) {
		devices := "none"
		if strings.HasPrefix(host, "s") {
			loop, err := c.loop(host, "B")
			if err != nil {
				return err
			}
			devices = filepath.Base(loop)
		}
		tell := ":"
		if c.run.LinkTold && strings.HasPrefix(host, "s") {
			tell = "mount --bind " + speed + " /sys/devices/virtual/net/e0/speed"
		}
		into := filepath.Join(dir, host)
		if err := os.MkdirAll(into, 0o755); err != nil {
			return err
		}
		record := fmt.Sprintf("set -e; %s; hostname %s; %s; exec %s --dir %s --devices %s --interfaces e0 --interval 1s --compress none", letGo(c.Dir, c.brick(host)), host, tell, c.Recorder, into, devices)
		if err := p.start("ip", "netns", "exec", c.namespace(host), "unshare", "-u", "bash", "-c", record); err != nil {
			return err
		}
	}
	return nil
}

// letGo has a new mount namespace give up the mounts below a directory, which
// could not be removed while it lives. A recorder keeps the brick of its own server, whose room it
// measures, and ends before the brick is removed.
func letGo(dir, but string) string {
	return fmt.Sprintf("awk -v work='%s/' -v but='%s' 'index($2, work) == 1 && $2 != but {print $2}' /proc/mounts | xargs -r umount -l", dir, but)
}

// pack compresses what the hosts recorded, each in a directory, into one
// directory.
func pack(from, to string) error {
	var files []string
	for _, host := range append(servers(), clients()...) {
		own, err := filepath.Glob(filepath.Join(from, host, "*.sa")) // two where midnight lay between
		if err != nil || len(own) == 0 {
			return fmt.Errorf("no data of %s were recorded: read the log of the recorder of this machine", host)
		}
		files = append(files, own...)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	defer encoder.Close()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)+".zst"), encoder.EncodeAll(data, nil), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// topology describes the servers: all are peers in every resource.
func (c *Cluster) topology() ([]byte, error) {
	var text bytes.Buffer
	all := fmt.Sprintf("s[1-%d]", testbed.Servers)
	fmt.Fprintf(&text, "name: %s\nservers: %s\n\ndrives:\n", c.run.Name, all)
	for _, s := range servers() {
		loop, err := c.loop(s, "B")
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&text, "  - servers: %s\n    devices: %s\n    peers: all\n", s, filepath.Base(loop))
	}
	fmt.Fprintf(&text, "\ninterfaces:\n  - servers: %s\n    names: e0\n\nhosts: %s\n", all, all)
	return text.Bytes(), nil
}
