//go:build linux

package journal

import (
	"errors"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/limpet-storage/limpet/lab/faultfs"
)

// TestFaults makes each operation fail in each way while rows come in. The journal stays usable, a log never
// lacks a row in its middle, and once the disk works again a snapshot repairs the journal.
func TestFaults(t *testing.T) {
	for _, rules := range []string{
		"write *.log: eio", "write *.log: enospc", "write *.log from 3: enospc\nwrite *.log: short 20",
		"write *.log from 2 to 3: eio", "fsync *.log: eio", "fsync: enospc", "write *.tmp: enospc",
		"write *.tmp from 2: enospc\nwrite *.tmp: short 10", "fsync *.tmp: eio", "create *.tmp: enospc",
		"create *.log: enospc", "rename: eio", "fsync from 3: eio", "remove: eio", "write: short 7",
	} {
		t.Run(rules, func(t *testing.T) { tryFaults(t, rules) })
	}
}

func tryFaults(t *testing.T, rules string) {
	f := faultfs.Mount(t)
	j, _ := open1(t, f.Dir)
	snap(t, j, small, 0)
	n, harmless := 0, strings.HasPrefix(rules, "remove") || rules == "write: short 7"
	for ; n < 5; n++ {
		add(t, j, small, n)
	}
	f.Inject(rules)
	failed := 0
	for ; n < 25; n++ {
		err := addErr(j, small, n)
		if err == nil {
			err = j.Sync()
		}
		if n%4 == 0 && err == nil {
			err = j.Snapshot(small, nil, blob(n+1))
		}
		if err == nil {
			continue
		}
		if failed++; !errors.Is(err, syscall.EIO) && !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), f.Dir) {
			t.Fatal(err)
		}
	}
	if (failed > 0) == harmless {
		t.Errorf("%d failures", failed)
	}
	killed := copyOf(t, f.Dir) // what a process finds after a kill
	f.Inject("")
	_, r := open1(t, killed)
	got := count(r) + len(records(t, r, small))
	check(t, r, small, got)
	if got < 5 || harmless && got != n {
		t.Errorf("%d of %d records are there after a kill: %q", got, n, r.Troubles)
	}
	snap(t, j, small, n)
	add(t, j, small, n)
	must(t, j.Sync())
	must(t, j.Close())
	_, r = open1(t, f.Dir)
	if check(t, r, small, n+1); len(r.Troubles) > 0 {
		t.Errorf("after the snapshot: %q", r.Troubles)
	}
}

// TestPowerCut cuts the power at many instants, on many disks: everything that was synced is there, and nothing
// is there that was not written.
func TestPowerCut(t *testing.T) {
	f := faultfs.Mount(t)
	j, _ := open1(t, f.Dir)
	snap(t, j, small, 0)
	rng := rand.New(rand.NewPCG(3, 4))
	synced, cuts := 0, 0
	verify := func() {
		cuts++
		_, r := open1(t, f.CutPower(t, rng.Uint64()))
		n := count(r) + len(records(t, r, small))
		if check(t, r, small, n); n < synced {
			t.Fatalf("%d records of %d that were synced: %+v", n, synced, r.Troubles)
		}
	}
	f.Before(func(faultfs.Op, string) {
		if rng.IntN(4) == 0 {
			verify()
		}
	})
	for n := 0; n < 60; {
		add(t, j, small, n)
		if n++; rng.IntN(3) == 0 {
			must(t, j.Sync())
			synced = n
		}
		if rng.IntN(9) == 0 {
			snap(t, j, small, n)
			synced = n
		}
	}
	f.Before(nil)
	if verify(); cuts < 20 {
		t.Errorf("power was cut %d times", cuts)
	}
}
