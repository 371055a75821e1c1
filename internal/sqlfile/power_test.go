package sqlfile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPowerCut cuts the power while SQLite copies its log into the file: each sector of the file is old or new. The file
// is opened, and every transaction that had returned is there: checksums of pages never refuse a file that its log
// repairs.
func TestPowerCut(t *testing.T) {
	was := checkpointBytes
	defer func() { checkpointBytes = was }()
	form := Form{Name: "test", ApplicationID: 7, Migrations: []string{`CREATE TABLE words (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT`}}
	dir := t.TempDir()
	path := filepath.Join(dir, "file.sqlite")
	f, err := Open(t.Context(), path, form)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	written := 0
	write := func() {
		if _, err := f.Write(t.Context(), func(tx *Tx) error {
			return tx.Exec(`INSERT INTO words (text) VALUES (?)`, fmt.Sprint(written, strings.Repeat(" ticket", 300)))
		}); err != nil {
			t.Fatal(err)
		}
		written++
	}
	contents := func() map[string][]byte {
		all := map[string][]byte{}
		for _, suffix := range []string{"", "-wal", sumsSuffix} {
			if data, err := os.ReadFile(path + suffix); err == nil {
				all[suffix] = data
			}
		}
		return all
	}
	rng := rand.New(rand.NewPCG(14, 38))
	for round := range 5 {
		checkpointBytes = 1 << 40
		for range 40 {
			write()
		}
		before := contents()
		if before[sumsSuffix] == nil {
			t.Fatal("the file has no checksums")
		}
		checkpointBytes = 1
		write()
		after := contents()
		if string(before[""]) == string(after[""]) || string(before[sumsSuffix]) == string(after[sumsSuffix]) {
			t.Fatal("the log was not copied")
		}
		for cut := range 12 {
			to := filepath.Join(t.TempDir(), "file.sqlite")
			mixed := append([]byte{}, after[""][:len(before[""])+rng.IntN(2)*(len(after[""])-len(before[""]))]...)
			const sector = 512
			for at := 0; at+sector <= len(before[""]); at += sector {
				if rng.IntN(2) == 0 {
					copy(mixed[at:at+sector], before[""][at:])
				}
			}
			sums := before[sumsSuffix]
			if cut%3 == 2 { // all is on disk when the new checksums are
				sums, mixed = after[sumsSuffix], after[""]
			}
			for suffix, data := range map[string][]byte{"": mixed, "-wal": after["-wal"], sumsSuffix: sums} {
				if err := os.WriteFile(to+suffix, data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			left, err := Open(t.Context(), to, form)
			if err != nil {
				t.Fatalf("round %d, cut %d: %v", round, cut, err)
			}
			if why := left.Unchecked(); why != "" {
				t.Errorf("round %d, cut %d: %s", round, cut, why)
			}
			var n int
			if err := left.Readers().QueryRowContext(t.Context(), `SELECT count(*) FROM words`).Scan(&n); err != nil || n != written {
				t.Errorf("round %d, cut %d: %d of %d transactions are left: %v", round, cut, n, written, err)
			}
			if err := left.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
