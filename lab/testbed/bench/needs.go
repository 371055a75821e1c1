//go:build linux

package bench

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// tools are the programs that every cluster needs, and the Debian packages that contain them.
var tools = map[string]string{
	"iptables": "iptables", "ethtool": "ethtool", "fio": "fio", "ip": "iproute2", "tc": "iproute2", "losetup": "mount",
	"nsenter": "util-linux", "unshare": "util-linux", "bash": "bash",
}

// CheckMachine returns an error with the reason if this machine cannot run a cluster of the system.
func CheckMachine(system System) error {
	if os.Geteuid() != 0 {
		return errors.New("only root can build clusters: run this command as root")
	}
	all := maps.Clone(tools)
	maps.Copy(all, system.Needs())
	var missing []string
	for tool, pkg := range all {
		if _, err := exec.LookPath(tool); err != nil {
			missing = append(missing, fmt.Sprintf("%s (%s)", tool, pkg))
		}
	}
	if missing != nil {
		slices.Sort(missing)
		return fmt.Errorf("these programs (and their packages) are missing: %s: install the packages", strings.Join(missing, ", "))
	}
	_, err := throttles()
	return err
}

// blkioMounts are the directories that may contain the limits of block devices.
var blkioMounts = []string{"/sys/fs/cgroup/blkio", "/sys/fs/cgroup/blkio,net_cls"}

// throttles returns the directory of the limits that all processes share. Only version 1 of control
// groups has such limits. Version 2 has no limits in its root group, and limits of the servers'
// groups do not cover data that the kernel writes back later.
func throttles() (string, error) {
	for _, dir := range blkioMounts {
		if _, err := os.Stat(filepath.Join(dir, "blkio.throttle.read_bps_device")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("the kernel has no control group blkio (version 1), so the speed of disks cannot be limited: boot with systemd.unified_cgroup_hierarchy=0")
}
