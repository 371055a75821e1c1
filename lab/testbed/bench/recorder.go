//go:build linux

package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// observe starts a recorder on every host. Every host sees the block devices of the whole machine,
// so each recorder gets the names of its own devices. The kernel reports 10 Gbit/s for any virtual
// link. In runs with LinkSpeedKnown, the recorder of a server reads the real limit instead.
func (c *Cluster) observe(p *Processes, dir string) error {
	speed := filepath.Join(c.Top, "speed")
	if err := os.WriteFile(speed, fmt.Appendln(nil, c.Run.LinkMbit), 0o644); err != nil {
		return err
	}
	for _, host := range c.Hosts() {
		devices, err := c.devices(host)
		if err != nil {
			return err
		}
		tell := ":"
		if c.Run.LinkSpeedKnown && strings.HasPrefix(host, "s") {
			tell = "mount --bind " + speed + " /sys/devices/virtual/net/e0/speed"
		}
		into := filepath.Join(dir, host)
		if err := os.MkdirAll(into, 0o755); err != nil {
			return err
		}
		record := fmt.Sprintf("set -e; %s; hostname %s; %s; exec %s --dir %s --devices %s --interfaces e0 --interval 1s --compress none",
			letGo(c.Dir, filepath.Join(c.Top, host)), host, tell, c.Recorder, into, devices)
		if err := p.Start("ip", "netns", "exec", c.Namespace(host), "unshare", "-u", "bash", "-c", record); err != nil {
			return err
		}
	}
	return nil
}

// devices returns the list of block devices that the recorder of a host records.
func (c *Cluster) devices(host string) (string, error) {
	var names []string
	for _, d := range c.DisksOf(host) {
		seen, err := c.Seen(&d)
		if err != nil {
			return "", err
		}
		names = append(names, filepath.Base(seen))
	}
	if names == nil {
		return "none", nil
	}
	return strings.Join(names, ","), nil
}

// letGo returns a command that unmounts, in a new mount namespace, the file systems below dir.
// Otherwise these file systems could not be removed while the namespace exists. The file systems
// below own stay mounted: a recorder measures the free space of its own host. It ends before these
// file systems are removed.
func letGo(dir, own string) string {
	return fmt.Sprintf("awk -v work='%s/' -v own='%s/' 'index($2, work) == 1 && index($2, own) != 1 {print $2}' /proc/mounts | xargs -r umount -l", dir, own)
}

// pack compresses the recordings of the hosts, which are in one directory each, into one directory.
func pack(hosts []string, from, to string) error {
	var files []string
	for _, host := range hosts {
		own, err := filepath.Glob(filepath.Join(from, host, "*.sa")) // two files if the run lasted over midnight
		if err != nil || len(own) == 0 {
			return fmt.Errorf("no data of %s were recorded: read the log of the recorder of this machine", host)
		}
		files = append(files, own...)
	}
	return packFiles(files, to)
}

// packFiles compresses files into a directory.
func packFiles(files []string, to string) error {
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
