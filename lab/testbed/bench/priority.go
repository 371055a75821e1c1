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

// cpuGroup is the control group of all clusters. Servers that wait for a
// processor would look slow, and niceness does not reach beyond a session where
// the kernel groups processes by sessions.
const cpuGroup = "/sys/fs/cgroup/cpu/limpet-testbed"

// cpuShares is twenty times what anybody else has. Two clusters use a quarter of
// a processor.
const cpuShares = "20480"

// Prefer puts this process, and all that it starts from now on, before whatever
// else the machine does. A kernel that has no such groups is left as it is.
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

// Unprefer takes the group away again. Processes that were killed may take a
// moment to leave it.
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
