//go:build unix

package action

import (
	"os/exec"
	"syscall"
)

// endWithChildren changes cmd. When the context of cmd ends, the program is killed, and also all
// processes that the program started.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
