package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copyOf copies a directory.
func copyOf(tb testing.TB, dir string) string {
	to := tb.TempDir()
	must(tb, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// goesOn checks that a journal can be written after a defect.
func goesOn(t *testing.T, what string, j *Journal, dir string, r *Recovered) {
	t.Helper()
	n := count(r) + len(records(t, r, small))
	if r.Missing || !r.Found {
		if j.Broken() == nil {
			t.Errorf("%s: rows are missing and the log is not broken", what)
		}
		snap(t, j, small, n)
	}
	n0 := n
	for ; n < n0+3; n++ { // the records of a test are numbered by position
		if err := addErr(j, small, n); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	must(t, j.Close())
	j, again := open1(t, dir)
	if got := count(again) + len(records(t, again, small)); got != n || len(again.Troubles) > 0 {
		t.Errorf("%s: then there are %d records, want %d: %q", what, got, n, again.Troubles)
	}
	must(t, j.Close())
}

// TestCutShort cuts the log at every byte: every record that is whole before the cut is there, no
// trouble is reported, and the journal continues.
func TestCutShort(t *testing.T) {
	whole, _ := generations(t)
	size := fileSize(t, filepath.Join(whole, name(2, logSuffix)))
	scan, err := openLog(filepath.Join(whole, name(2, logSuffix)))
	must(t, err)
	headBytes := scan.ValidBytes
	scan.Close()
	seen := map[int]bool{}
	step := int64(1)
	if testing.Short() {
		step = 3
	}
	for cut := int64(0); cut < size; cut += step {
		dir := copyOf(t, whole)
		must(t, os.Truncate(filepath.Join(dir, name(2, logSuffix)), cut))
		j, r := open1(t, dir)
		n := count(r) + len(records(t, r, small))
		check(t, r, small, n)
		seen[n] = true
		if inHead := cut < headBytes; inHead != r.Missing || inHead != (len(r.Troubles) == 1) {
			t.Fatalf("cut at %d of %d: %+v", cut, size, r)
		}
		if cut%7 == 0 {
			goesOn(t, "cut", j, dir, r)
		}
		must(t, j.Close())
	}
	if len(seen) != 5 {
		t.Errorf("cuts left %v records", seen)
	}
}

func fileSize(tb testing.TB, path string) int64 {
	info, err := os.Stat(path)
	must(tb, err)
	return info.Size()
}

// TestDamaged flips a bit in every byte of every file. No wrong record is ever replayed. Missing
// records are reported. A damaged snapshot costs nothing, because there is the one before it.
func TestDamaged(t *testing.T) {
	whole, all := generations(t)
	step := 1
	if testing.Short() {
		step = 3 // every bit is still flipped in some byte
	}
	for _, damaged := range []string{name(1, snapshotSuffix), name(1, logSuffix), name(2, snapshotSuffix), name(2, logSuffix)} {
		content, err := os.ReadFile(filepath.Join(whole, damaged))
		must(t, err)
		dir := copyOf(t, whole)
		for at := 0; at < len(content); at += step {
			bad := append([]byte{}, content...)
			bad[at] ^= 1 << (at % 8)
			must(t, os.WriteFile(filepath.Join(dir, damaged), bad, 0o600))
			j, r := open1(t, dir)
			n := count(r) + len(records(t, r, small))
			check(t, r, small, n)
			switch {
			case strings.HasPrefix(damaged, "00000001"): // the older generation is not needed
				if n != all || len(r.Troubles) > 0 {
					t.Fatalf("%s, byte %d: %d records, %q", damaged, at, n, r.Troubles)
				}
			case strings.HasSuffix(damaged, snapshotSuffix):
				if n != all || len(r.Troubles) != 1 || count(r) != 0 {
					t.Fatalf("%s, byte %d: %d records, %q", damaged, at, n, r.Troubles)
				}
				must(t, os.Remove(filepath.Join(dir, damaged+asideSuffix)))
			case n >= all || len(r.Troubles) != 1 || !r.Missing:
				t.Fatalf("%s, byte %d: %d records, %+v", damaged, at, n, r)
			}
			if at%23 == 0 {
				goesOn(t, damaged, j, dir, r)
				dir = copyOf(t, whole)
			}
			must(t, j.Close())
		}
	}
}

// TestAllDamaged: without a good snapshot the diagnosis starts again from the beginning, and a
// trouble says so.
func TestAllDamaged(t *testing.T) {
	dir, _ := generations(t)
	for g := uint64(1); g <= 2; g++ {
		must(t, os.Truncate(filepath.Join(dir, name(g, snapshotSuffix)), 50))
	}
	j, r := open1(t, dir)
	if r.Found || len(r.Troubles) != 3 || !strings.Contains(r.Troubles[2], "starts again from the beginning") {
		t.Fatalf("%+v", r)
	}
	goesOn(t, "all damaged", j, dir, r)
}

// TestGap: a gap between the records of two logs is found.
func TestGap(t *testing.T) {
	dir, _ := generations(t)
	log := filepath.Join(dir, name(1, logSuffix))
	must(t, os.Truncate(log, fileSize(t, log)-1))
	must(t, os.Truncate(filepath.Join(dir, name(2, snapshotSuffix)), 50))
	j, r := open1(t, dir)
	check(t, r, small, 4)
	if !r.Missing || len(r.Troubles) != 2 {
		t.Errorf("%+v", r)
	}
	goesOn(t, "gap", j, dir, r)
}

// TestZeros: a log ends where zeros begin: the file had grown before its content was on disk.
func TestZeros(t *testing.T) {
	dir, n := generations(t)
	log := filepath.Join(dir, name(2, logSuffix))
	must(t, os.Truncate(log, fileSize(t, log)+3000))
	_, r := open1(t, dir)
	if check(t, r, small, n); len(r.Troubles) > 0 || r.Missing {
		t.Errorf("%+v", r)
	}
}
