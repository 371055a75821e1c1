package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const recorder = "limpet-record.service"

// programs are what each unit starts.
var programs = map[string]string{recorder: "/usr/bin/limpet-record", "limpet.service": "/usr/bin/limpet"}

// runnable is a copy of a unit whose program exists wherever this runs.
func runnable(t *testing.T, unit string) string {
	t.Helper()
	text, err := os.ReadFile(unit)
	if err != nil {
		t.Fatal(err)
	}
	program := programs[unit]
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "ExecStart="+program+" ") {
		t.Fatalf("%s does not start %s", unit, program)
	}
	path := filepath.Join(t.TempDir(), unit)
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), program, self, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func analyze(t *testing.T, args ...string) (output string, err error) {
	t.Helper()
	path, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	out, err := exec.Command(path, args...).CombinedOutput()
	return string(out), err
}

// TestVerify: systemd knows every setting and has nothing to say on any.
func TestVerify(t *testing.T) {
	for unit := range programs {
		out, err := analyze(t, "verify", "--man=no", runnable(t, unit))
		if err != nil || strings.Contains(out, unit) {
			t.Errorf("systemd-analyze verify %s: %v\n%s", unit, err, out)
		}
	}
}

// TestSecurity: the exposure that systemd sees is 2.0 of 10 at most; a service
// that sets nothing has 9.6.
func TestSecurity(t *testing.T) {
	if help, _ := analyze(t, "--help"); !strings.Contains(help, "--threshold") {
		t.Skip("systemd-analyze is too old to judge a file: it knows no --threshold")
	}
	for unit := range programs {
		if out, err := analyze(t, "security", "--no-pager", "--offline=true", "--threshold=20", runnable(t, unit)); err != nil {
			t.Errorf("systemd-analyze security %s: %v\n%s", unit, err, out)
		}
	}
}

// settings are the lines of the recorder's unit that set something.
func settings(t *testing.T) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(recorder)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.Contains(line, "=") && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestSight: what would blind the recorder is not set, and what it relies on
// is.
func TestSight(t *testing.T) {
	set := settings(t)
	for _, line := range set {
		key, value, _ := strings.Cut(line, "=")
		switch {
		case key == "PrivateDevices" && value != "no":
			t.Errorf("%s hides the WWN of disks", line)
		case key == "ProcSubset" && value != "all":
			t.Errorf("%s hides /proc/diskstats and the like", line)
		case key == "PrivateNetwork" && value != "no":
			t.Errorf("%s hides interfaces and connections", line)
		case key == "PrivateUsers" && value != "no":
			t.Errorf("%s takes from CAP_BPF and CAP_PERFMON what they are for", line)
		case key == "SystemCallFilter" && strings.HasPrefix(value, "~") && strings.Contains(value, "@resources"):
			t.Errorf("%s keeps the compression of files from yielding", line)
		}
	}
	for _, want := range []string{
		"Type=notify",
		"EnvironmentFile=-/etc/default/limpet-record",
		"LogsDirectory=limpet",
		"CapabilityBoundingSet=CAP_BPF CAP_PERFMON",
		"AmbientCapabilities=CAP_BPF CAP_PERFMON",
		"RestrictAddressFamilies=AF_UNIX AF_NETLINK AF_INET AF_INET6",
	} {
		if !slices.Contains(set, want) {
			t.Errorf("%s is not set", want)
		}
	}
}

// TestStop: the service is stopped when its package goes, and only then.
func TestStop(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"remove", "disable --now limpet-record.service\ndisable --now limpet.service\n"},
		{"0", "disable --now limpet-record.service\ndisable --now limpet.service\n"},
		{"remove in-favour limpet 1.0", ""},
		{"upgrade 1.0", ""},
		{"1", ""},
	} {
		if got := script(t, "stop.sh", strings.Fields(c.args)...); got != c.want {
			t.Errorf("stop.sh %s asks systemctl for %q, want %q", c.args, got, c.want)
		}
	}
}

// TestRestart: a package that comes, or a newer version of it, restarts the
// service where it runs, starts nothing, and waits for nothing.
func TestRestart(t *testing.T) {
	for _, args := range []string{"configure", "configure 1.0", "1", "2"} {
		want := "daemon-reload\n--no-block try-restart limpet-record.service\n--no-block try-restart limpet.service\n"
		if got := script(t, "restart.sh", strings.Fields(args)...); got != want {
			t.Errorf("restart.sh %s asks systemctl for %q, want %q", args, got, want)
		}
	}
}

// TestReload: a package that goes, or the older version of one, only says so.
func TestReload(t *testing.T) {
	for _, args := range []string{"remove", "upgrade 2.0", "purge", "0", "1"} {
		if got, want := script(t, "reload.sh", strings.Fields(args)...), "daemon-reload\n"; got != want {
			t.Errorf("reload.sh %s asks systemctl for %q, want %q", args, got, want)
		}
	}
}

// TestScripts: both packages run each script when its comment says.
func TestScripts(t *testing.T) {
	for _, config := range []string{"nfpm.yaml", "nfpm-record.yaml"} {
		text, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"postinstall: packaging/restart.sh", "preremove: packaging/stop.sh", "postremove: packaging/reload.sh"} {
			if !strings.Contains(string(text), "  "+want+"\n") {
				t.Errorf("%s has no %s", config, want)
			}
		}
	}
}

// script is what a script of the packages asks systemctl for, on a machine
// that runs systemd.
func script(t *testing.T, path string, args ...string) string {
	t.Helper()
	root := t.TempDir()
	said := filepath.Join(root, "said")
	systemctl := "#!/bin/sh\necho \"$@\" >>" + said + "\n"
	if err := os.MkdirAll(filepath.Join(root, "run/systemd/system"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "systemctl"), []byte(systemctl), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", append([]string{path}, args...)...)
	cmd.Env = append(os.Environ(), "DPKG_ROOT="+root, "PATH="+root+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", path, args, err, out)
	}
	text, _ := os.ReadFile(said)
	return string(text)
}
