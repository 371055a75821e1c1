package agent

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// apartFrom tells the process that a test runs again in which one it is.
const apartFrom = "LIMPET_TEST_APART"

// apart runs a test again in a network of its own, in which nobody else sends
// anything. It is true in there; outside all is done. The script makes the
// network.
func apart(t *testing.T, script string) bool {
	t.Helper()
	if os.Getenv(apartFrom) == t.Name() {
		return true
	}
	needRoot(t, "makes a network of its own")
	script = "set -e; mount -t sysfs sysfs /sys; ip link set lo up; " + script
	if out, err := unshared(script).CombinedOutput(); err != nil {
		t.Skipf("no network of its own can be made (unshare, mount, ip): %v: %s", err, out)
	}
	cmd := unshared(script+`; exec "$@"`, os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", fmt.Sprintf("-test.short=%t", testing.Short()))
	cmd.Env = append(os.Environ(), apartFrom+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if reason := regexp.MustCompile(`(?m)^ +\w+\.go:\d+: (.*)\n--- SKIP`).FindSubmatch(out); reason != nil {
		t.Skip(string(reason[1]))
	}
	t.Logf("%s", out)
	return false
}

// unshared is a script in name spaces of its own.
func unshared(script string, args ...string) *exec.Cmd {
	return exec.Command("unshare", append([]string{"--net", "--mount", "sh", "-c", script, "sh"}, args...)...)
}
