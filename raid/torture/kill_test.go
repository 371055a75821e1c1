package torture

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/nbd"
	"github.com/limpet-storage/limpet/raid/nbd/nbdtest"
)

// serves has this test's process serve the array in a directory.
const serves = "LIMPET_TORTURE_SERVES"

func serveFiles(t *testing.T, dir string) {
	members := make([]raid.Member, geometry.Members())
	for i := range members {
		f, err := member.OpenFile(filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			t.Fatal(err)
		}
		members[i] = f
	}
	a, err := raid.Open(members, raid.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	s, err := nbd.NewServer(nbd.Export{Name: "array", Device: a}, nbd.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	l, err := nbd.Listen("unix:"+filepath.Join(dir, "s"), false)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("ready")
	s.Serve(l)
}

// TestKilledServer kills the process that serves an array of files, again and
// again, while clients work.
func TestKilledServer(t *testing.T) {
	if dir := os.Getenv(serves); dir != "" {
		serveFiles(t, dir)
		return
	}
	b := newBench(t, *first)
	dir := t.TempDir()
	members := make([]raid.Member, geometry.Members())
	for i := range members {
		f, err := member.CreateFile(filepath.Join(dir, strconv.Itoa(i)), geometry.MemberSize())
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		members[i] = f
	}
	if _, err := raid.Create(members, raid.CreateOptions{Journal: geometry.Journal, Checksums: true}); err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		m.Close()
	}
	for end := time.Now().Add(*lasts); time.Now().Before(end) && !t.Failed(); {
		b.counts.rounds.Add(1)
		b.killed(dir)
	}
	t.Logf("seed %d: %v", *first, b.counts)
	if b.counts.wrong.Load() != 0 {
		t.Error("wrong bytes were read")
	}
}

// killed is one life of a process.
func (b *bench) killed(dir string) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledServer$")
	cmd.Env = append(os.Environ(), serves+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "ready" {
		b.t.Errorf("the server says %s", lines.Text())
	}
	var all sync.WaitGroup
	for _, o := range b.oracles {
		c, err := nbdtest.Dial("unix:"+filepath.Join(dir, "s"), nil)
		if err != nil {
			b.t.Error(err)
			break
		}
		all.Go(func() {
			defer c.Close()
			if err := o.settle(c); err != nil {
				return // killed already
			}
			o.work(c)
		})
	}
	time.Sleep(time.Duration(50+b.rng.IntN(300)) * time.Millisecond)
	if err := cmd.Process.Kill(); err != nil {
		b.t.Error(err)
	}
	b.counts.kills.Add(1)
	all.Wait()
	cmd.Wait()
}
