//go:build linux

package bench

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// needy is a system that needs a program which nobody has.
type needy struct{ System }

func (needy) Needs() map[string]string { return map[string]string{"storaged": "storage-server"} }

// TestLacks: whoever has no tools is told which, with their packages.
func TestLacks(t *testing.T) {
	if os.Geteuid() != 0 {
		if err := CheckMachine(needy{}); err == nil || !strings.Contains(err.Error(), "root") {
			t.Errorf("without root: %v", err)
		}
		return
	}
	t.Setenv("PATH", t.TempDir())
	err := CheckMachine(needy{})
	if err == nil || !strings.Contains(err.Error(), "storaged (storage-server)") || !strings.Contains(err.Error(), "fio (fio)") {
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
	p := &Processes{Log: &bytes.Buffer{}}
	if err := p.Start("bash", "-c", "sleep 1000 & echo $! > "+pid+"; wait"); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if text, _ := os.ReadFile(pid); len(text) > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := p.Running(); err != nil {
		t.Error(err)
	}
	p.Stop(syscall.SIGKILL)
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
	if err := p.Start("false"); err != nil {
		t.Fatal(err)
	}
	<-p.all[0].ended
	if err := p.Running(); err == nil || !strings.Contains(err.Error(), "has ended unexpectedly") {
		t.Errorf("a process that failed: %v", err)
	}
	if err := p.Finish(t.Context()); err == nil {
		t.Error("a process that failed has finished well")
	}
}

// TestStopKills: every process that ignores the signal is killed after the timeout.
func TestStopKills(t *testing.T) {
	defer func(d time.Duration) { stopTimeout = d }(stopTimeout)
	stopTimeout = 200 * time.Millisecond
	p := &Processes{Log: &bytes.Buffer{}}
	ready := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := p.Start("bash", "-c", "trap '' TERM; touch "+filepath.Join(ready, name)+"; while :; do sleep 1000; done"); err != nil {
			t.Fatal(err)
		}
	}
	for range 500 {
		if names, _ := os.ReadDir(ready); len(names) == 3 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	all := p.all
	p.Stop(syscall.SIGTERM)
	for _, one := range all {
		select {
		case <-one.ended:
		case <-time.After(2 * time.Minute):
			t.Fatal("a process that ignores the signal still runs")
		}
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

// TestPack: a host whose recorder wrote nothing is missed.
func TestPack(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	hosts := []string{"s1", "s2", "c1"}
	for i, h := range hosts {
		if err := os.MkdirAll(filepath.Join(from, h), 0o755); err != nil {
			t.Fatal(err)
		}
		if i == len(hosts)-1 {
			if err := pack(hosts, from, to); err == nil {
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
	if err := pack(hosts, from, to); err != nil {
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
	stop := Pulse(40*time.Millisecond, 20*time.Millisecond, func() error { bad++; last = "bad"; return nil }, func() error { last = "good"; return nil })
	time.Sleep(200 * time.Millisecond)
	if err := stop(t.Context()); err != nil || last != "good" || bad < 2 {
		t.Errorf("%d times bad, then %s, %v", bad, last, err)
	}
}

// TestGo: what runs inside ends before Stop returns.
func TestGo(t *testing.T) {
	p := &Processes{}
	var ended atomic.Int32
	for range 2 {
		p.Go(func(ctx context.Context) {
			<-ctx.Done()
			ended.Add(1)
		})
	}
	p.Stop(syscall.SIGKILL)
	if ended.Load() != 2 {
		t.Errorf("%d of 2 functions ended", ended.Load())
	}
}

// TestAddresses: no two hosts have the same address.
func TestAddresses(t *testing.T) {
	c := &Cluster{Net: "10.77.1", Layout: Layout{Servers: 8, Clients: 2}}
	has := map[string]string{}
	for _, h := range append(c.Hosts(), Bystander, Manager) {
		if other, ok := has[c.Address(h)]; ok {
			t.Errorf("%s and %s have the address %s", h, other, c.Address(h))
		}
		has[c.Address(h)] = h
	}
	if has["10.77.1.3"] != "s3" || has["10.77.1.102"] != "c2" {
		t.Error(has)
	}
}

// TestDelayRules: a rule is read, or refused with what to write.
func TestDelayRules(t *testing.T) {
	for text, want := range map[string]delayRule{
		"s3-osd2 40ms 100%": {"s3-osd2", 40 * time.Millisecond, 100},
		"s3-osd2 200ms 5%":  {"s3-osd2", 200 * time.Millisecond, 5},
		"none":              {},
	} {
		if got, err := parseDelay(text); err != nil || got != want {
			t.Errorf("%q is read as %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "s3", "s3 soon 5%", "s3 -1s 5%", "s3 1s 101%", "s3 1s x"} {
		if r, err := parseDelay(text); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

// TestImages: a file that is mounted has the bytes of the image, and is as slow as its rule says.
func TestImages(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root mounts without help")
	}
	dir, mount := t.TempDir(), t.TempDir()
	for _, name := range []string{"s1-a", "s1-b"} {
		if err := os.WriteFile(filepath.Join(dir, name), bytes.Repeat([]byte("x"), 8192), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- Images(t.Context(), dir, mount) }()
	rules := filepath.Join(mount, delaysFile)
	for range 500 {
		if _, err := os.Stat(rules); err == nil {
			break
		}
		select {
		case err := <-ended:
			t.Skipf("nothing can be mounted here: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(mount, 0); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	took := func(name string) time.Duration {
		t.Helper()
		file, err := os.OpenFile(filepath.Join(mount, name), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		began := time.Now()
		if _, err := file.WriteAt([]byte("yes"), 4096); err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		got := make([]byte, 5)
		if _, err := file.ReadAt(got, 4094); err != nil || string(got) != "xxyes" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		return took
	}
	const late = 300 * time.Millisecond
	if err := os.WriteFile(rules, []byte("s1-b 300ms 100%\n"), 0); err != nil {
		t.Fatal(err)
	}
	if a, b := took("s1-a"), took("s1-b"); b < late || a > b {
		t.Errorf("a write to the slow image takes %v, to the other %v", b, a)
	}
	if err := os.WriteFile(rules, []byte("none\n"), 0); err != nil {
		t.Fatal(err)
	}
	if b := min(took("s1-b"), took("s1-b"), took("s1-b")); b >= late {
		t.Errorf("the image is still slow: %v", b)
	}
	if err := os.WriteFile(rules, []byte("nonsense\n"), 0); err == nil {
		t.Error("nonsense is taken for a rule")
	}
}
