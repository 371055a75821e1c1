//go:build linux

package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// cpuGroup is the control group of all clusters. It gives them priority, because a server that
// waits for a processor looks slow. Nice values are not enough: if the kernel groups processes by
// session (autogroup), nice values only count within a session.
const cpuGroup = "/sys/fs/cgroup/cpu/limpet-testbed"

// cpuShares is twenty times the share of any other group. Two clusters use a quarter of a
// processor.
const cpuShares = "20480"

// Prefer gives this process, and all processes that it starts later, priority over the other
// processes of the machine. If the kernel has no such control groups, Prefer does nothing.
func Prefer() error {
	if err := os.Mkdir(cpuGroup, 0o755); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(cpuGroup, "cpu.shares"), []byte(cpuShares), 0),
		os.WriteFile(filepath.Join(cpuGroup, "cgroup.procs"), fmt.Append(nil, os.Getpid()), 0),
	)
}

// Unprefer removes the control group. It waits up to 5 seconds until killed processes have left the
// group.
func Unprefer() error {
	if _, err := os.Stat(cpuGroup); err != nil {
		return nil
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(cpuGroup), "cgroup.procs"), fmt.Append(nil, os.Getpid()), 0); err != nil {
		return err
	}
	var err error
	for range 50 {
		if err = os.Remove(cpuGroup); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}
