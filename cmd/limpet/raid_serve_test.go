//go:build linux

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/nbd"
	"github.com/limpet-storage/limpet/raid/nbd/nbdtest"
)

// stuck is a member whose writes hang from a moment on.
type stuck struct {
	raid.Member
	from *atomic.Bool
}

func (s stuck) WriteAt(p []byte, off int64) (int, error) {
	if s.from.Load() {
		select {}
	}
	return s.Member.WriteAt(p, off)
}

// dialSoon connects to a server that is starting.
func dialSoon(t *testing.T, path string) *nbdtest.Client {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		c, err := nbdtest.Dial("unix:"+path, nil)
		if err == nil {
			t.Cleanup(func() { c.Close() })
			return c
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// answered is what a command prints, warned or not.
func answered(t *testing.T, args ...string) string {
	t.Helper()
	var out, trouble bytes.Buffer
	if code := run(t.Context(), args, nil, &out, &trouble); code != 0 {
		t.Errorf("%q exits with %d: %s", args, code, trouble.String())
	}
	return out.String()
}

// TestRaidServeEnds: more members hang than parity covers, and a client waits
// for its write. Interrupted once, the server ends after farewellTime, which is at
// most five seconds.
func TestRaidServeEnds(t *testing.T) {
	if farewellTime > 5*time.Second {
		t.Errorf("farewellTime is %v", farewellTime)
	}
	_, members := newMembers(t)
	socket := filepath.Join(t.TempDir(), "s")
	var hang atomic.Bool
	f := raidServeFlags{listen: "unix:" + socket, delay: delayFlags{"none"}, options: nbd.DefaultOptions()}
	f.wrap = func(_ int, m raid.Member) raid.Member { return stuck{m, &hang} }
	f.export.Name = "array"
	cmd := &cobra.Command{}
	cmd.SetOut(io.Discard)
	ctx, stop := context.WithCancel(t.Context())
	cmd.SetContext(ctx)
	ended := make(chan error, 1)
	go func() { ended <- f.run(cmd, members) }()
	c := dialSoon(t, socket)
	if _, err := c.WriteAt([]byte("sound"), 0); err != nil {
		t.Fatal(err)
	}
	hang.Store(true)
	go c.WriteAt([]byte("stuck"), 0)
	time.Sleep(100 * time.Millisecond)
	asked := time.Now()
	stop()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "members or clients did not answer within "+farewellTime.String()) {
			t.Errorf("after %v: %v", time.Since(asked), err)
		}
	case <-time.After(time.Minute):
		t.Error("it did not end")
	}
}

// TestRaidServeKept: while an array is served a member is lost and a spare takes
// its place; another is put in by command; it is scrubbed by command; and how
// that goes can be asked.
func TestRaidServeKept(t *testing.T) {
	dir, members := newMembers(t)
	spare, fresh := filepath.Join(dir, "spare"), filepath.Join(dir, "fresh")
	for _, path := range []string{spare, fresh} {
		if err := os.WriteFile(path, make([]byte, 3<<20), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	socket, control := filepath.Join(dir, "s"), filepath.Join(dir, "c")
	ctx, stop := context.WithCancel(context.Background())
	ended, trouble := make(chan int, 1), &complaints{}
	go func() {
		ended <- run(ctx, append([]string{"raid", "serve", "--listen", "unix:" + socket, "--control", control, "--spare", spare}, members...), nil, io.Discard, trouble)
	}()
	c := dialSoon(t, socket)
	held := bytes.Repeat([]byte("limpet"), 50_000)
	if _, err := c.WriteAt(held, 12345); err != nil {
		t.Fatal(err)
	}
	lose := func(path string) {
		if err := os.Truncate(path, 4096); err != nil {
			t.Fatal(err)
		}
		if _, err := c.WriteAt(held[:6], 12345); err != nil {
			t.Fatal(err)
		}
	}
	lose(members[1])
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(answered(t, "raid", "status", "--at", control), "1  active  "+spare); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the spare does not become active", trouble.String())
		}
	}
	lose(members[3])
	if out := answered(t, "raid", "rebuild", "--at", control, "--new", "Q", fresh); !strings.Contains(out, "Q  active  "+fresh) {
		t.Errorf("rebuilt by command: %s", out)
	}
	if out := answered(t, "raid", "scrub", "--repair", "--at", control); !strings.Contains(out, "scrub is done: 0 stripes had faults, 0 of these stripes were repaired") {
		t.Errorf("scrubbed by command: %s", out)
	}
	got := make([]byte, len(held))
	if _, err := c.ReadAt(got, 12345); err != nil || !bytes.Equal(got, held) {
		t.Errorf("the array holds something else: %v", err)
	}
	c.Close()
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("it exits with %d: %s", code, trouble.String())
	}
	if out := said(t, "raid", "scrub", members[0], spare, members[2], fresh); !strings.Contains(out, " 0 faults") {
		t.Errorf("what it left: %s", out)
	}
}
