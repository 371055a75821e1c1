//go:build linux

package gluster

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/testbed"
	"github.com/limpet-storage/limpet/topology"
)

// TestLacks: whoever has no tools is told which, with their packages.
func TestLacks(t *testing.T) {
	if os.Geteuid() != 0 {
		if err := Lacks(); err == nil || !strings.Contains(err.Error(), "root") {
			t.Errorf("without root: %v", err)
		}
		return
	}
	t.Setenv("PATH", t.TempDir())
	err := Lacks()
	if err == nil || !strings.Contains(err.Error(), "glusterd (glusterfs-server)") || !strings.Contains(err.Error(), "fio (fio)") {
		t.Errorf("without tools: %v", err)
	}
}

// TestClaim: two at once would remove each other's clusters.
func TestClaim(t *testing.T) {
	first, err := Claim(t.Context())
	if err != nil {
		t.Skip("a test bench runs on this machine")
	}
	if _, err := Claim(t.Context()); err == nil || !strings.Contains(err.Error(), "another limpet-testbed runs on this machine") {
		t.Errorf("a second claim: %v", err)
	}
	first.Close()
	second, err := Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}

// TestProcesses: what is stopped ends with all that it has started, and what
// ends by itself is told.
func TestProcesses(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	p := &processes{log: &bytes.Buffer{}}
	if err := p.start("bash", "-c", "sleep 1000 & echo $! > "+pid+"; wait"); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if text, _ := os.ReadFile(pid); len(text) > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := p.running(); err != nil {
		t.Error(err)
	}
	p.stop(syscall.SIGKILL)
	text, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	child := filepath.Join("/proc", strings.TrimSpace(string(text)), "stat")
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) { // a signal takes its time
		state, err := os.ReadFile(child)
		if err != nil || bytes.Contains(state, []byte(") Z ")) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("its child is still there: %s", state)
		}
	}
	if err := p.start("false"); err != nil {
		t.Fatal(err)
	}
	<-p.all[0].ended
	if err := p.running(); err == nil || !strings.Contains(err.Error(), "ended by itself") {
		t.Errorf("a process that failed: %v", err)
	}
	if err := p.finish(t.Context()); err == nil {
		t.Error("a process that failed has finished well")
	}
}

// TestHog: one end sends until it is stopped, the other takes it all.
func TestHog(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	heard := make(chan error)
	go func() { heard <- Hog(context.Background(), "listen", address) }()
	time.AfterFunc(200*time.Millisecond, cancel)
	if err := Hog(ctx, "send", address); err != nil {
		t.Errorf("send: %v", err)
	}
	if err := <-heard; err != nil {
		t.Errorf("listen: %v", err)
	}
	if err := Hog(t.Context(), "sing", address); err == nil {
		t.Error("a hog that sings")
	}
}

// TestTopology: what stands beside a recording is a topology in which all
// servers are peers.
func TestTopology(t *testing.T) {
	run := testbed.Draw(1, 0)
	c := &Cluster{top: t.TempDir(), run: &run}
	for i, s := range servers() {
		if err := os.MkdirAll(filepath.Join(c.top, s), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(c.top, s, "loopB"), []byte("/dev/loop"+strings.Repeat("1", i+1)+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := c.topology()
	if err != nil {
		t.Fatal(err)
	}
	system, warnings, err := topology.Parse("topology.yaml", text)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, %v:\n%s", err, warnings, text)
	}
	if _, ok := system.Lookup("s2/loop11"); !ok || len(system.Servers) != testbed.Servers {
		t.Errorf("servers %v, components %v", system.Servers, system.Components)
	}
}

// TestPack: a host whose recorder wrote nothing is missed.
func TestPack(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	hosts := append(servers(), clients()...)
	for i, h := range hosts {
		if err := os.MkdirAll(filepath.Join(from, h), 0o755); err != nil {
			t.Fatal(err)
		}
		if i == len(hosts)-1 {
			if err := pack(from, to); err == nil {
				t.Errorf("%d of %d files are taken for all", i, len(hosts))
			}
		}
		if err := os.WriteFile(filepath.Join(from, h, h+"-1.sa"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(from, "s1", "s1-2.sa"), []byte("x"), 0o644); err != nil { // after midnight
		t.Fatal(err)
	}
	if err := pack(from, to); err != nil {
		t.Error(err)
	}
	if files, _ := filepath.Glob(filepath.Join(to, "*.sa.zst")); len(files) != len(hosts)+1 {
		t.Errorf("packed %v", files)
	}
}

// TestPulse: what comes and goes ends well, and always with what is good.
func TestPulse(t *testing.T) {
	var last string
	bad := 0
	in := &injection{Cluster: &Cluster{run: &testbed.Run{Strength: 0.02}}}
	in.pulse(40*time.Millisecond, func() error { bad++; last = "bad"; return nil }, func() error { last = "good"; return nil })
	time.Sleep(200 * time.Millisecond)
	if err := in.stopPulse(); err != nil || last != "good" || bad < 2 {
		t.Errorf("%d times bad, then %s, %v", bad, last, err)
	}
}
