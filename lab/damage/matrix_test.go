package damage

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	allCases = flag.Bool("damage.all", false, "run all cases, not only some drawn cases")
	seed     = flag.Uint64("damage.seed", 1, "seed of the draw, of random cuts and of changed bits")
	only     = flag.String("damage.only", "", "run only cases whose name contains this text")
	flips    = flag.Int("damage.bits", 5, "bits of each file that are changed, one in each case")
	verbose  = flag.Bool("damage.print", false, "print what each case reports")
)

// drawn is the number of cases of each state that the test runs without -damage.all.
const drawn = 9

// state is a kind of saved state.
type state struct {
	name string
	// write writes a state into directories: as a clean stop leaves it, as a kill leaves it, as an
	// older version, and, if there is such a thing, as a backup restores it.
	write func(t *testing.T, d dirs)
	// open opens a state, and returns what is left of it.
	open func(t *testing.T, dir string) answer
	// boundaries returns the offsets in a file at which one structure ends and the next begins.
	boundaries func(path string, data []byte) []int64
	// unprotected reports whether nobody can notice a loss, because the format of a file has no
	// checksum, and because nothing acknowledges what is in it.
	unprotected func(path, harm string) bool
}

// dirs are the directories that a state is written to.
type dirs struct{ clean, killed, backup, older string }

// answer is what a start with a state shows.
type answer struct {
	starts bool
	says   string // everything that the program reports about the state, or the reason why it does not start
	// has is everything that was acknowledged, a line each.
	has []string
}

// harm is one way to damage a file.
type harm struct {
	name string
	do   func(path string, older []byte) error
}

// one is a case of the matrix.
type one struct {
	stop, path string
	harm       harm
	unnoticed  bool // nobody can notice a loss
}

func (c *one) name() string { return c.stop + "/" + c.path + "/" + c.harm.name }

// byProgram ends the name of a harm by a program, which changes the time of a file. A disk does not.
const byProgram = " by a program"

// changedLedger reports whether a program changes a bit of the ledger. Its checksums must show this.
func (c *one) changedLedger() bool {
	return c.path == "ledger.sqlite" && strings.HasSuffix(c.harm.name, byProgram)
}

// counts are the answers to the four questions.
type counts struct{ cases, starts, refused, says, loses, silent, unprotected int }

// TestMatrix damages every file of every state.
func TestMatrix(t *testing.T) {
	var total counts
	for _, s := range []state{serveState, nodeState, arrayState, recorderState, changesState} {
		t.Run(s.name, func(t *testing.T) {
			n := s.run(t)
			t.Logf("%-9s %4d cases: %4d start, %4d are refused; %4d are reported, %4d lose something, %d of these in silence, %d where nobody can know",
				s.name, n.cases, n.starts, n.refused, n.says, n.loses, n.silent, n.unprotected)
			total.cases, total.silent = total.cases+n.cases, total.silent+n.silent
		})
	}
	t.Logf("%d cases, %d with a silent loss", total.cases, total.silent)
}

func (s *state) run(t *testing.T) (n counts) {
	base := t.TempDir()
	d := dirs{filepath.Join(base, "clean"), filepath.Join(base, "kill"), filepath.Join(base, "backup"), filepath.Join(base, "older")}
	stops, older := map[string]string{"clean": d.clean, "kill": d.killed}, d.older
	s.write(t, d)
	if _, err := os.Stat(d.backup); err == nil {
		stops["backup"] = d.backup
	}
	whole := map[string]answer{}
	for _, stop := range slices.Sorted(maps.Keys(stops)) {
		dir := filepath.Join(base, "whole-"+stop, "state")
		copyState(t, stops[stop], dir)
		whole[stop] = s.open(t, dir)
		if got := whole[stop]; !got.starts || got.says != "" || len(got.has) == 0 {
			t.Fatalf("the whole state after a %s stop: starts %v, has %d, says %q", stop, got.starts, len(got.has), got.says)
		}
	}
	if missing := less(whole["clean"].has, whole["kill"].has); len(missing) > 0 {
		t.Fatalf("a kill loses %q", missing)
	}
	rng := rand.New(rand.NewPCG(*seed, 38))
	cases := s.cases(t, stops, rng)
	if !*allCases && *only == "" {
		rng.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		n := 0
		cases = slices.DeleteFunc(cases, func(c one) bool { n++; return n > drawn && !c.changedLedger() })
	}
	var mu sync.Mutex
	t.Run("cases", func(t *testing.T) {
		for i, c := range cases {
			if !strings.Contains(c.name(), *only) {
				continue
			}
			t.Run(c.name(), func(t *testing.T) {
				t.Parallel()
				dir := filepath.Join(base, fmt.Sprint("case", i), "state")
				copyState(t, stops[c.stop], dir)
				got := s.try(t, &c, dir, filepath.Join(older, c.path), whole[c.stop])
				mu.Lock()
				n.add(got)
				mu.Unlock()
			})
		}
	})
	return n
}

// try damages one file, opens the state, and answers the four questions.
func (s *state) try(t *testing.T, c *one, dir, older string, whole answer) counts {
	n := counts{cases: 1}
	old, _ := os.ReadFile(older)
	if err := c.harm.do(filepath.Join(dir, c.path), old); err != nil {
		t.Fatal(err)
	}
	got := s.open(t, dir)
	lost := less(whole.has, got.has)
	if n.starts = 1; !got.starts {
		n.starts, n.refused = 0, 1
		lost = nil // nothing was changed
	}
	if got.says != "" {
		n.says = 1
	} else if !got.starts {
		t.Error("it does not start, and gives no reason")
	}
	if len(lost) > 0 {
		n.loses = 1
	}
	if c.changedLedger() && c.stop != "kill" && got.starts { // after a kill, the write-ahead log may have the page
		t.Errorf("starts with a changed page of the ledger, and says %q", got.says)
	}
	switch silent := len(lost) > 0 && got.says == ""; {
	case silent && c.unnoticed:
		n.unprotected = 1
	case silent:
		n.silent = 1
		t.Errorf("lost in silence: %.600q", lost)
	}
	if *verbose {
		t.Logf("starts %v, loses %d, says %.700q", got.starts, len(lost), strings.ReplaceAll(got.says, dir, "DIR"))
	}
	return n
}

func (n *counts) add(m counts) {
	n.cases, n.starts, n.refused, n.says = n.cases+m.cases, n.starts+m.starts, n.refused+m.refused, n.says+m.says
	n.loses, n.silent, n.unprotected = n.loses+m.loses, n.silent+m.silent, n.unprotected+m.unprotected
}

// cases returns all cases: every stop, every file, every harm.
func (s *state) cases(t *testing.T, stops map[string]string, rng *rand.Rand) (list []one) {
	t.Helper()
	for _, stop := range slices.Sorted(maps.Keys(stops)) {
		for _, path := range filesOf(t, stops[stop]) {
			data, err := os.ReadFile(filepath.Join(stops[stop], path))
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range harms(s.cuts(path, data, rng), data, rng) {
				list = append(list, one{stop, path, h, s.unprotected != nil && s.unprotected(path, h.name)})
			}
		}
	}
	return list
}

// cuts returns the sizes at which a file is cut off: at boundaries, and at random.
func (s *state) cuts(path string, data []byte, rng *rand.Rand) (cuts []int64) {
	size := int64(len(data))
	if size < 2 {
		return nil
	}
	at := s.boundaries(path, data)
	rng.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
	cuts = append(slices.Clone(at[:min(len(at), mostBoundaries)]), size-1, 1+rng.Int64N(size-1), 1+rng.Int64N(size-1))
	slices.Sort(cuts)
	return slices.DeleteFunc(slices.Compact(cuts), func(n int64) bool { return n <= 0 || n >= size })
}

// mostBoundaries is the number of boundaries of a file at which it is cut off.
const mostBoundaries = 8

func harms(cuts []int64, data []byte, rng *rand.Rand) []harm {
	list := []harm{
		{"missing", func(path string, _ []byte) error { return os.Remove(path) }},
		{"empty", func(path string, _ []byte) error { return os.Truncate(path, 0) }},
		{"older", func(path string, older []byte) error {
			if older == nil { // the file did not exist then
				return os.Remove(path)
			}
			return os.WriteFile(path, older, 0o600)
		}},
		{"directory", func(path string, _ []byte) error {
			return cmp.Or(os.Remove(path), os.Mkdir(path, 0o700))
		}},
		{"read-only", func(path string, _ []byte) error { return os.Chmod(path, 0o400) }},
	}
	if os.Getuid() == 0 {
		list = append(list, harm{"foreign owner", func(path string, _ []byte) error { return os.Chown(path, 12345, 12345) }})
	}
	for _, size := range cuts {
		list = append(list, harm{fmt.Sprint("cut at ", size), func(path string, _ []byte) error { return os.Truncate(path, size) }})
	}
	for range min(*flips, len(data)) {
		at, bit := rng.IntN(len(data)), rng.IntN(8)
		list = append(list, harm{fmt.Sprintf("bit %d of byte %d", bit, at), func(path string, _ []byte) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			changed := bytes.Clone(data)
			changed[at] ^= 1 << bit
			// A disk that changes a bit does not change the time of the file.
			return cmp.Or(os.WriteFile(path, changed, 0o600), os.Chtimes(path, time.Time{}, info.ModTime()))
		}})
	}
	for range min(2, len(data)) {
		at, bit := rng.IntN(len(data)), rng.IntN(8)
		list = append(list, harm{fmt.Sprintf("bit %d of byte %d%s", bit, at, byProgram), func(path string, _ []byte) error {
			changed := bytes.Clone(data)
			changed[at] ^= 1 << bit
			return cmp.Or(os.WriteFile(path, changed, 0o600), os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)))
		}})
	}
	return list
}

// filesOf lists the files below a directory.
func filesOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		list = append(list, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// copyState copies a directory with the times of its files.
func copyState(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for _, name := range filesOf(t, from) {
		info, err := os.Stat(filepath.Join(from, name))
		if err == nil {
			err = cmp.Or(os.Chtimes(filepath.Join(to, name), time.Time{}, info.ModTime()), os.Chmod(filepath.Join(to, name), info.Mode()))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// less returns the lines that the second list lacks.
func less(want, got []string) (missing []string) {
	left := map[string]int{}
	for _, line := range got {
		left[line]++
	}
	for _, line := range want {
		if left[line]--; left[line] < 0 {
			missing = append(missing, line)
		}
	}
	return missing
}
