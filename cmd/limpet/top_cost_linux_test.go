package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestTopCost measures what limpet top costs with 72 real drives: loop devices that are read all the
// time, at a terminal of tmux, a frame a second. The goals are 1 % of a core and 30 MB. The memory that
// counts is the memory that no file backs; the kernel maps the pages of the program, shares them with
// other processes and drops them when memory is short. The log has both.
func TestTopCost(t *testing.T) {
	if os.Getenv("LIMPET_TEST_ROOT") == "" {
		t.Skip("makes loop devices as root: LIMPET_TEST_ROOT=1 runs it (make top-cost)")
	}
	for _, tool := range []string{"fio", "tmux", "losetup"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "limpet-cost")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const drives, seconds = 72, 60
	devices := loopDevices(t, dir, drives)
	topology := filepath.Join(dir, "drives.yaml")
	host, _ := os.Hostname()
	if err := os.WriteFile(topology, fmt.Appendf(nil, "servers: %s\ndrives:\n  - devices: %s\n", host, strings.Join(devices, ", ")), 0o600); err != nil {
		t.Fatal(err)
	}
	jobs := []string{"--readonly", "--rw=randread", "--bs=4k", "--ioengine=psync", "--thread", "--direct=1", "--rate_iops=10", "--time_based", "--runtime=1h", "--output=/dev/null"}
	for i, d := range devices {
		jobs = append(jobs, fmt.Sprintf("--name=reader%d", i), "--filename=/dev/"+d)
	}
	fio := exec.Command("fio", jobs...)
	if err := fio.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = fio.Process.Signal(os.Interrupt)
		_ = fio.Wait()
	}()
	for i, more := range []string{"--no-latency", ""} {
		socket := filepath.Join(dir, fmt.Sprintf("tmux%d", i))
		tmux := func(args ...string) string {
			t.Helper()
			out, err := exec.Command("tmux", append([]string{"-S", socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
			if err != nil {
				t.Fatalf("tmux %v: %v: %s", args, err, out)
			}
			return strings.TrimSpace(string(out))
		}
		tmux("new-session", "-d", "-x", "120", "-y", "40", strings.TrimSpace(binary+" top --topology "+topology+" "+more))
		pid := tmux("display-message", "-p", "#{pane_pid}")
		time.Sleep(15 * time.Second) // the start is not what an hour costs
		screen := tmux("capture-pane", "-p")
		if !strings.Contains(screen, fmt.Sprintf(" of %d differ", drives)) {
			t.Errorf("the screen does not show %d drives:\n%s", drives, screen)
		}
		before := ticks(t, pid)
		time.Sleep(seconds * time.Second)
		used := ticks(t, pid) - before
		const ticksPerSecond = 100
		percent := 100 * float64(used) / ticksPerSecond / seconds
		anonymous, backed := resident(t, pid, "RssAnon"), resident(t, pid, "RssFile")
		t.Logf("limpet top %s of %d drives: %.2f %% of a core over %d s, %.1f MB anonymous, %.1f MB of the program's file", more, drives, percent, seconds, anonymous, backed)
		if percent > 1 || anonymous > 30 {
			t.Errorf("limpet top %s takes %.2f %% of a core and %.1f MB; the goals are 1 %% and 30 MB", more, percent, anonymous)
		}
		tmux("kill-server")
	}
}

// loopDevices makes loop devices, and takes them away at the end of the test.
func loopDevices(t *testing.T, dir string, n int) (names []string) {
	t.Helper()
	for i := range n {
		file := filepath.Join(dir, fmt.Sprintf("drive%d", i))
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, 16<<20); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("losetup", "--find", "--show", file).CombinedOutput()
		if err != nil {
			t.Fatalf("losetup: %v: %s", err, out)
		}
		device := strings.TrimSpace(string(out))
		t.Cleanup(func() {
			if out, err := exec.Command("losetup", "--detach", device).CombinedOutput(); err != nil {
				t.Errorf("losetup: %v: %s", err, out)
			}
		})
		names = append(names, filepath.Base(device))
	}
	return names
}

// ticks returns the processor time of a process, in ticks.
func ticks(t *testing.T, pid string) (sum int) {
	t.Helper()
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	for _, field := range strings.Fields(rest)[11:13] { // utime and stime
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// resident returns a line of the memory of a process, in MB.
func resident(t *testing.T, pid, line string) float64 {
	t.Helper()
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(line + `:\s+(\d+) kB`).FindStringSubmatch(string(text))
	if m == nil {
		t.Fatalf("no %s in %s", line, text)
	}
	kB, _ := strconv.ParseFloat(m[1], 64)
	return kB / 1000
}
