//go:build unix

package action

import (
	"os/exec"
	"syscall"
)

// endWithChildren changes cmd so that the end of its context kills the program and all processes
// that the program started.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
