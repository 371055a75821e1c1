//go:build !unix

package action

import "os/exec"

// endWithChildren does nothing, because this operating system does not have the process groups of
// Unix. When the context ends, only the program itself is ended.
func endWithChildren(*exec.Cmd) {}
