package record

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestSysstat: sar and sadf print each interval of a file with remarks and a
// restart in it, and complain of nothing.
func TestSysstat(t *testing.T) {
	var path string
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		h.opts.Dir = dir
		h.record(5500 * time.Millisecond)
		time.Sleep(10 * time.Second)
		h.reboot()
		time.Sleep(10 * time.Second)
		h.run(func() {
			time.Sleep(10 * time.Second)
			h.clock.step(37200 * time.Millisecond)
			time.Sleep(10 * time.Second)
		})
		path = filepath.Join(dir, h.names()[1])
		if got := readFile(t, path); len(got.times) != 20 || got.restarts != 1 {
			t.Errorf("%d samples, %d restarts", len(got.times), got.restarts)
		}
	})
	rows := printed(t, "sadf", "-d", path, "--", "-d")
	if n := strings.Count(rows, "\nfs1;"); n != 19 {
		t.Errorf("sadf prints %d rows:\n%s", n, rows)
	}
	remarks := printed(t, "sar", "-C", "-d", "-f", path)
	for _, want := range []string{"clock +37.2s", "dev 8:0=sda", "LINUX RESTART"} {
		if !strings.Contains(remarks, want) {
			t.Errorf("sar does not print %q:\n%s", want, remarks)
		}
	}
}

// printed is what a program of sysstat says.
func printed(t *testing.T, program string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, args, err, out)
	}
	return string(out)
}
