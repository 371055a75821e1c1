package raid

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/policy"
)

// A process that is to be killed finds here where its array is, and its seed.
const (
	killDir  = "LIMPET_RAID_KILL_DIR"
	killSeed = "LIMPET_RAID_KILL_SEED"
	writers  = 3
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDir); dir != "" {
		seed, _ := strconv.ParseUint(os.Getenv(killSeed), 10, 64)
		if err := writeUntilKilled(dir, seed, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// openDir opens the array of the files 0, 1, 2 … in a directory.
func openDir(dir string, o Options) (*Array, error) {
	members, err := openMembers(dir)
	if err != nil {
		return nil, err
	}
	return Open(members, o)
}

func openMembers(dir string) (members []Member, err error) {
	for {
		f, err := member.OpenFile(filepath.Join(dir, strconv.Itoa(len(members))))
		if errors.Is(err, os.ErrNotExist) {
			return members, nil
		}
		if err != nil {
			return nil, err
		}
		members = append(members, f)
	}
}

func createDir(t testing.TB, dir string, g Geometry) {
	t.Helper()
	members := make([]Member, g.Members())
	for i := range members {
		f, err := member.CreateFile(filepath.Join(dir, strconv.Itoa(i)), g.MemberSize())
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		members[i] = f
	}
	if _, err := Create(members, CreateOptions{Journal: g.Journal, Checksums: g.Checksums}); err != nil {
		t.Fatal(err)
	}
}

// draw is the next write of a writer: the same for whoever has the seed.
func draw(rng *rand.Rand, share int64) (p []byte, off int64) {
	off = rng.Int64N(share)
	n := 1 + rng.Int64N(min(share-off, 3*testGeometry.stripeSize()))
	return noise(rng.Uint64(), int(n)), off
}

// writeUntilKilled says which writer begins a write and which has ended one.
func writeUntilKilled(dir string, seed uint64, out io.Writer) error {
	a, err := openDir(dir, testOptions(policy.Adaptive))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "open")
	share := a.Size() / writers
	errs := make(chan error)
	for w := range int64(writers) {
		go func() {
			rng := rand.New(rand.NewPCG(seed, uint64(w)))
			for {
				p, off := draw(rng, share)
				fmt.Fprintf(out, "begin %d\n", w)
				if _, err := a.WriteAt(p, w*share+off); err != nil {
					errs <- err
				}
				fmt.Fprintf(out, "end %d\n", w)
			}
		}()
	}
	return <-errs
}

// TestKill kills a writing process at random moments, hundreds of times, and
// looks at what it left.
func TestKill(t *testing.T) {
	rounds := 250
	if testing.Short() {
		rounds = 10
	}
	dir := t.TempDir()
	createDir(t, dir, testGeometry)
	share := testGeometry.Size() / writers
	var shares [writers]history
	for w := range shares {
		shares[w].acknowledged = make([]byte, share)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	interrupted := 0
	for round := range uint64(rounds) {
		killed(t, dir, round, time.Duration(rng.Int64N(int64(30*time.Millisecond))), &shares, share)
		a, err := openDir(dir, testOptions(policy.Normal))
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		got := readAll(t, a)
		for w := range shares {
			own := got[int64(w)*share : int64(w+1)*share]
			if !shares[w].allows(own) {
				t.Fatalf("round %d: writer %d finds what it never wrote", round, w)
			}
			if shares[w].possible != nil {
				interrupted++
			}
			shares[w] = history{acknowledged: own}
		}
		checkScrub(t, a)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if interrupted < rounds {
		t.Errorf("only %d writes were interrupted in %d rounds", interrupted, rounds)
	}
}

// killed runs a process for a while after it has opened the array, and notes
// what it did.
func killed(t *testing.T, dir string, seed uint64, after time.Duration, shares *[writers]history, share int64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killDir+"="+dir, killSeed+"="+strconv.FormatUint(seed, 10))
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "open" {
		cmd.Wait()
		t.Fatalf("the process did not open the array: %s", said.Bytes())
	}
	time.AfterFunc(after, func() { cmd.Process.Kill() })
	follow(lines, seed, shares, share)
	if err := cmd.Wait(); err == nil || said.Len() > 0 {
		t.Fatalf("the process was not killed: %v: %s", err, said.Bytes())
	}
}

func follow(lines *bufio.Scanner, seed uint64, shares *[writers]history, share int64) {
	var rngs [writers]*rand.Rand
	for w := range rngs {
		rngs[w] = rand.New(rand.NewPCG(seed, uint64(w)))
	}
	for lines.Scan() {
		var what string
		var w int64
		if n, _ := fmt.Sscanf(lines.Text(), "%s %d", &what, &w); n < 2 {
			continue // cut by the kill
		}
		if what == "end" {
			shares[w].acknowledge()
			continue
		}
		p, off := draw(rngs[w], share)
		shares[w].begin(testGeometry, p, w*share+off, w*share)
	}
}
