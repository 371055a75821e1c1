package activity

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFollowedEmptyFiles: empty files are not opened, however many there are, and one that is
// written later is used.
func TestFollowedEmptyFiles(t *testing.T) {
	th := newTheatre(t, days(t, 3), Options{})
	const junk = 3000
	for i := range junk {
		th.must(os.WriteFile(th.path(fmt.Sprintf("junk-%05d.sa", i)), nil, 0o600))
	}
	watch := newFileWatch([]string{th.dir})
	changes, err := watch.Scan()
	if err != nil || len(changes) != junk {
		t.Fatalf("%d files, %v", len(changes), err)
	}
	th.begin()
	for _, c := range changes {
		if th.f.note(c) != nil || !th.f.files[c.Path].waiting {
			t.Fatalf("%s is opened, or does not wait for its header", c.Path)
		}
	}
	path := th.path("junk-00007.sa")
	th.must(os.WriteFile(path, []byte("x"), 0o600))
	if changes = watch.Poll([]string{path}); len(changes) != 1 || th.f.note(changes[0]) == nil {
		t.Errorf("a file that is no longer empty is not opened: %v", changes)
	}
	th.play(60)
	th.same()
}

// TestScansRest: a scan that takes long is repeated after nine times its duration, and no
// change is missed meanwhile.
func TestScansRest(t *testing.T) {
	dir := t.TempDir()
	now := time.Unix(1_700_000_000, 0)
	slow := false
	f, err := newFollowing(t.Context(), []string{dir}, Options{}, FollowOptions{Now: func() time.Time {
		if slow {
			now = now.Add(2 * time.Second) // a scan reads the clock twice
		}
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	slow = true
	f.findFiles()
	slow = false
	if f.scanTook != 2*time.Second {
		t.Fatalf("the scan took %v", f.scanTook)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.sa"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f.findFiles()
	if len(f.files) != 0 {
		t.Error("the directory is scanned again at once")
	}
	now = now.Add(scanRest * 2 * time.Second)
	f.findFiles()
	if len(f.files) != 1 || f.scanDue {
		t.Errorf("%d files, a scan is due: %t", len(f.files), f.scanDue)
	}
	now = now.Add(-time.Hour)
	if !f.mayScan(now) {
		t.Error("a clock that was set back delays scans")
	}
}

// TestManyMoves: very many files that appear while as many disappear are not compared pair by
// pair.
func TestManyMoves(t *testing.T) {
	dir := t.TempDir()
	w := newFileWatch([]string{dir})
	const n = 1100
	name := func(i int) string { return filepath.Join(dir, fmt.Sprintf("f%05d", i)) }
	for i := range n {
		if err := os.WriteFile(name(i), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Scan(); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := os.Rename(name(i), name(n+i)); err != nil {
			t.Fatal(err)
		}
	}
	changes, err := w.Scan()
	count := map[Kind]int{}
	for _, c := range changes {
		count[c.Kind]++
	}
	if err != nil || count[appeared] != n || count[Gone] != n {
		t.Errorf("%v, %v", count, err)
	}
}
