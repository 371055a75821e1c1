package blkprobe

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// opensWith tries to open a probe with some capabilities alone. The thread that
// lost the others ends.
func opensWith(t *testing.T, capabilities ...int) error {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to give up what it has")
	}
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var data [2]unix.CapUserData
		for _, c := range capabilities {
			data[c/32].Effective |= 1 << (c % 32)
			data[c/32].Permitted |= 1 << (c % 32)
		}
		if err := unix.Capset(&header, &data[0]); err != nil {
			result <- err
			return
		}
		p, err := Open(DefaultOptions())
		if err == nil {
			err = p.Close()
		}
		result <- err
	}()
	return <-result
}

// TestLeastPrivilege: what the unit of the recorder gives suffices.
func TestLeastPrivilege(t *testing.T) {
	opened(t, DefaultOptions())
	if err := opensWith(t, unix.CAP_BPF, unix.CAP_PERFMON); err != nil {
		t.Error(err)
	}
}

// TestWithoutPrivilege: one line says what is missing.
func TestWithoutPrivilege(t *testing.T) {
	opened(t, DefaultOptions())
	err := opensWith(t)
	if err == nil {
		t.Fatal("programs were loaded without any capability")
	}
	if text := err.Error(); strings.Contains(text, "\n") || !strings.HasPrefix(text, "the kernel does not permit the recorder to trace block requests: give this process CAP_BPF and CAP_PERFMON") {
		t.Errorf("%q", text)
	}
}
