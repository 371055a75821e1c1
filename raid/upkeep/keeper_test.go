package upkeep

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
)

const memberSize = 3 << 20

func newFile(t *testing.T, path string) *member.File {
	t.Helper()
	f, err := member.CreateFile(path, memberSize)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// newArray is six files with noise in them.
func newArray(t *testing.T) (a *raid.Array, dir string, held []byte) {
	t.Helper()
	dir = t.TempDir()
	members := make([]raid.Member, 6)
	for i := range members {
		members[i] = newFile(t, filepath.Join(dir, strconv.Itoa(i)))
	}
	if _, err := raid.Create(members, raid.DefaultCreateOptions()); err != nil {
		t.Fatal(err)
	}
	o := raid.DefaultOptions()
	o.Window = 16
	a, err := raid.Open(members, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	held = make([]byte, a.Size())
	rand.NewChaCha8([32]byte{4}).Read(held)
	if _, err := a.WriteAt(held, 0); err != nil {
		t.Fatal(err)
	}
	return a, dir, held
}

// said keeps reports.
type said struct {
	mu   sync.Mutex
	text []string
}

func (s *said) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, text)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.text, "\n")
}

func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// TestSpare loses a member: a spare takes its place and is filled, while the
// array is read.
func TestSpare(t *testing.T) {
	a, dir, held := newArray(t)
	var heard said
	k, err := New(a, Options{Spares: []raid.Member{newFile(t, filepath.Join(dir, "spare"))}, Report: heard.add})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if got := k.Spares(); len(got) != 1 {
		t.Errorf("spares %q", got)
	}
	if err := os.Truncate(filepath.Join(dir, "2"), 5000); err != nil {
		t.Fatal(err)
	}
	if _, err := a.WriteAt(held[:100], 0); err != nil {
		t.Fatal(err)
	}
	soon(t, "the spare is active", func() bool {
		m := a.Status().Members[2]
		return m.State == raid.Active && strings.HasSuffix(m.Name, "spare")
	})
	got := make([]byte, len(held))
	if _, err := a.ReadAt(got, 0); err != nil || !bytes.Equal(got, held) {
		t.Errorf("the array holds something else: %v", err)
	}
	soon(t, "the rebuild ended", func() bool { return k.Job().Kind == Rebuild && !k.Job().Ended.IsZero() })
	if text := heard.String(); !strings.Contains(text, "replaces member 2: when you open the array again, name the spare instead of this member") || !strings.Contains(text, "rebuild is done") {
		t.Errorf("said is %q", text)
	}
}

// TestUnfitSpare: one that holds something, or is short, is refused at once.
func TestUnfitSpare(t *testing.T) {
	a, dir, held := newArray(t)
	full := newFile(t, filepath.Join(dir, "full"))
	defer full.Close()
	if err := os.WriteFile(filepath.Join(dir, "full"), append(held[:4096:4096], make([]byte, memberSize-4096)...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(a, Options{Spares: []raid.Member{full}}); err == nil || !strings.Contains(err.Error(), "already has data: give another") {
		t.Errorf("got %v", err)
	}
}

// TestScrub scrubs when it is time and when it is told, slowly, and can be
// broken off.
func TestScrub(t *testing.T) {
	a, _, _ := newArray(t)
	k, err := New(a, Options{ScrubEvery: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	soon(t, "a scrub is done", func() bool { j := k.Job(); return j.Kind == Scrub && !j.Ended.IsZero() && j.Done == j.Total })
	if a.Status().ScrubEnd.IsZero() {
		t.Error("it is not remembered")
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	k, err = New(a, Options{BytesPerSecond: 100 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if err := k.Scrub(true); err != nil {
		t.Fatal(err)
	}
	if err := k.Scrub(true); err == nil {
		t.Error("two scrubs run")
	}
	soon(t, "it has begun", func() bool { return k.Job().Done > 0 })
	k.Cancel()
	soon(t, "it has ended", func() bool { return k.Job().Err != "" })
	if s := a.Status().Scrubbed; s == 0 || s != k.Job().Done {
		t.Errorf("remembered are %d stripes, done %d", s, k.Job().Done)
	}
}
