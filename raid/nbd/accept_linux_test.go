package nbd

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestConnections: clients beyond the bound are turned away and counted, that
// is said once, and whoever leaves makes room.
func TestConnections(t *testing.T) {
	e, _ := testExport()
	o := DefaultOptions()
	o.Connections = 2
	var mu sync.Mutex
	var said []string
	o.Report = func(_ net.Addr, err error) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, err.Error())
	}
	s, path := serve(t, e, o)
	first, second := dial(t, path), dial(t, path)
	first.enter()
	second.enter()
	for range 3 {
		if _, err := dial(t, path).Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("a third client: %v", err)
		}
	}
	first.Close()
	for s.Counters().Connections > 1 {
		time.Sleep(time.Millisecond)
	}
	dial(t, path).enter()
	mu.Lock()
	defer mu.Unlock()
	if n := s.Counters().Refused; n != 3 || len(said) != 1 || said[0] != "new connections are refused, because 2 connections are open, which is the limit" {
		t.Errorf("%d were refused, said is %q", n, said)
	}
}

// scarce has this test's process serve with few descriptors, at a path.
const scarce = "LIMPET_TEST_NBD_SCARCE"

// serveScarcely serves with thirty descriptors.
func serveScarcely(t *testing.T, path string) {
	few := syscall.Rlimit{Cur: 30, Max: 30}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	l, err := Listen("unix:"+path, false)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := testExport()
	o := DefaultOptions()
	o.Connections = 1000
	o.Report = func(client net.Addr, err error) {
		if client == nil {
			os.Stdout.WriteString(err.Error() + "\n")
		}
	}
	s, err := NewServer(e, o)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("ended: " + s.Serve(l).Error())
}

// TestDescriptorsRunOut: idle clients take all descriptors of a server. It
// says so, and serves when they are gone.
func TestDescriptorsRunOut(t *testing.T) {
	if path := os.Getenv(scarce); path != "" {
		serveScarcely(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "s")
	cmd := exec.Command(os.Args[0], "-test.run=^TestDescriptorsRunOut$")
	cmd.Env = append(os.Environ(), scarce+"="+path)
	var said strings.Builder
	cmd.Stdout = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if c, err := net.Dial("unix", path); err == nil { // it listens
			c.Close()
			break
		}
	}
	var idle []*client
	for range 60 {
		idle = append(idle, dial(t, path))
	}
	time.Sleep(300 * time.Millisecond)
	for _, c := range idle {
		c.Close()
	}
	dial(t, path).enter()
	cmd.Process.Kill()
	cmd.Wait()
	if got := said.String(); strings.Count(got, "no connection can be accepted; limpet tries again: ") != 1 || strings.Contains(got, "ended") {
		t.Errorf("said is %q", got)
	}
}
