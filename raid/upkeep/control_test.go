package upkeep

import (
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
)

// TestOrders gives all orders over a socket: how it stands, a scrub, a member
// for a lost one.
func TestOrders(t *testing.T) {
	dir := t.TempDir()
	members := make([]raid.Member, 4)
	for i := range members {
		f, err := member.CreateFile(filepath.Join(dir, strconv.Itoa(i)), 3<<20)
		if err != nil {
			t.Fatal(err)
		}
		members[i] = f
	}
	if _, err := raid.Create(members, raid.DefaultCreateOptions()); err != nil {
		t.Fatal(err)
	}
	a, err := raid.Open(members, raid.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	noise := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	if _, err := a.WriteAt(noise, 0); err != nil {
		t.Fatal(err)
	}
	k, err := New(a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	socket := filepath.Join(dir, "control")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: &Handler{a, k}, ReadHeaderTimeout: time.Second}
	go server.Serve(l)
	defer server.Close()
	c := NewClient("unix:" + socket)

	s, err := c.Scrub(t.Context(), true)
	if err != nil || s.Job.Kind != Scrub || len(s.Members) != 4 || s.Members[3].Role != "Q" || s.Members[0].State != "active" {
		t.Fatalf("%+v, %v", s, err)
	}
	until(t, c, func(s Status) bool { return s.ScrubEnd != nil && s.Job.Done == s.Stripes })

	fresh, err := member.CreateFile(filepath.Join(dir, "new"), 3<<20)
	if err != nil {
		t.Fatal(err)
	}
	fresh.Close()
	if _, err := c.Rebuild(t.Context(), 1, fresh.String(), false); err == nil || !strings.Contains(err.Error(), "not lost") {
		t.Errorf("a member that is not lost was replaced: %v", err)
	}
	if err := os.Truncate(filepath.Join(dir, "1"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := a.WriteAt(noise, 4096); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Rebuild(t.Context(), 1, fresh.String(), false); err != nil {
		t.Fatal(err)
	}
	until(t, c, func(s Status) bool {
		return s.Members[1].State == "active" && strings.HasSuffix(s.Members[1].Name, "new")
	})
	if _, err := c.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := NewClient(filepath.Join(dir, "none")).Status(t.Context()); err == nil || !strings.Contains(err.Error(), "limpet raid serve does not answer at the control socket") {
		t.Errorf("got %v", err)
	}
}

func until(t *testing.T, c *Client, is func(Status) bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		s, err := c.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if is(s) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("not in time: %+v", s)
		}
	}
}
