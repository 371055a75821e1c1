package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
)

// TestScratchRemovesItsOwn has a member appear in the directory while others are
// made: what was made is removed, and nothing else.
func TestScratchRemovesItsOwn(t *testing.T) {
	for _, keep := range []bool{false, true} {
		s := raidScratch{dir: t.TempDir(), size: 4 << 20, keep: keep}
		var names []string
		for _, name := range []string{"member0", "member1", "member2", "member3"} {
			names = append(names, filepath.Join(s.dir, name))
		}
		if err := os.WriteFile(names[2], []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.make(&cobra.Command{}, names, 2); !errors.Is(err, fs.ErrExist) {
			t.Fatalf("got %v", err)
		}
		if got, err := os.ReadFile(names[2]); err != nil || string(got) != "mine" {
			t.Errorf("it holds %q, %v", got, err)
		}
		if there, _ := present(names); len(there) != 1 {
			t.Errorf("left are %v", there)
		}
	}
}
