//go:build linux

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/raid"
)

// worn is a member that takes no writes.
type worn struct{ raid.Member }

var errWorn = errors.New("worn")

func (worn) Zero(int64, int64) error            { return errWorn }
func (worn) WriteAt([]byte, int64) (int, error) { return 0, errWorn }

// newMembers makes an array of four files.
func newMembers(t *testing.T) (dir string, members []string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"d0", "d1", "p", "q"} {
		members = append(members, filepath.Join(dir, name))
	}
	said(t, append([]string{"raid", "create", "--size", "3M"}, members...)...)
	return dir, members
}

// TestRaidRebuildUnopened has an array that cannot be opened after files were
// made for it: they are removed.
func TestRaidRebuildUnopened(t *testing.T) {
	dir, members := newMembers(t)
	members[1] = filepath.Join(dir, "made")
	f := raidRebuildFlags{raidFlags: raidFlags{degraded: true, policy: "lazy"}, places: []string{"1"}, create: true}
	if err := f.run(&cobra.Command{}, members); err == nil || !strings.Contains(err.Error(), "lazy") {
		t.Fatalf("opened: %v", err)
	}
	if _, err := os.Stat(members[1]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was made is left: %v", err)
	}
}

// TestRaidRebuildUnfit has a file made that turns out to take no writes, and a
// second after it: both are removed.
func TestRaidRebuildUnfit(t *testing.T) {
	dir, members := newMembers(t)
	paths := []string{members[0], filepath.Join(dir, "n1"), members[2], filepath.Join(dir, "n3")}
	known, err := openMembers([]string{members[0], missing, members[2], missing}, true)
	if err != nil {
		t.Fatal(err)
	}
	f := raidRebuildFlags{raidFlags: raidFlags{degraded: true}, create: true}
	fresh, err := f.newcomers(known, paths, []int{1, 3})
	if err != nil {
		t.Fatal(err)
	}
	fresh[0].Member = worn{fresh[0].Member}
	a, err := f.assemble(&cobra.Command{}, known)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := f.replace(&cobra.Command{}, a, fresh); !errors.Is(err, errWorn) {
		t.Errorf("replaced: %v", err)
	}
	for _, n := range fresh {
		if _, err := os.Stat(n.path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", n.path, err)
		}
	}
}
