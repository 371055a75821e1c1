package record

import (
	"bytes"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/lab/faultfs"
	"github.com/limpet-storage/limpet/record/dayfile"
)

// A powerCut is a disk as it was left.
type powerCut struct {
	at  time.Time
	dir string
}

// TestPowerCut cuts power at odd moments over midnight. A recorder that is
// started on the disk that is left goes on there, and what was recorded longer
// ago than a sync may take is all to be read.
func TestPowerCut(t *testing.T) {
	f := faultfs.Mount(t)
	begin := at("2026-03-01 23:58:00")
	var cuts []powerCut
	outer := t // whose directories last longer
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, begin)
		h.opts.Dir, h.machine.disks, h.opts.Sync, h.opts.Compress = f.Dir, 30, 10*time.Second, Zstd
		h.prepare = func(*Recorder) {}
		h.run(func() {
			rng := rand.New(rand.NewPCG(5, 5))
			for seed := range uint64(30) {
				time.Sleep(time.Duration(rng.IntN(9000)) * time.Millisecond)
				now, _ := h.clock.Now()
				cuts = append(cuts, powerCut{now, f.CutPower(outer, seed)})
			}
		})
	})
	for _, cut := range cuts {
		synctest.Test(t, func(t *testing.T) { recovered(t, begin, cut) })
	}
}

// recovered starts the recorder on a disk that is left, and reads all of it.
func recovered(t *testing.T, begin time.Time, cut powerCut) {
	h := newHost(t, cut.at.Add(time.Minute))
	h.opts.Dir = cut.dir
	h.record(5 * time.Second)
	seconds := map[int64]bool{}
	for _, name := range h.names() {
		for _, at := range readTorn(t, filepath.Join(cut.dir, name)).times {
			seconds[at] = true
		}
	}
	const syncing = 12 * time.Second // the sync, a sample, and the first sync of a name
	missing := 0
	for at := begin.Add(time.Second); at.Before(cut.at.Add(-syncing)); at = at.Add(time.Second) {
		if !seconds[at.Unix()] {
			missing++
		}
	}
	if after := cut.at.Add(time.Minute + 2*time.Second); missing > 0 || !seconds[after.Unix()] {
		t.Errorf("cut at %s: %d samples are missing, it goes on %v; there are %q", cut.at.Format("15:04:05.000"), missing, seconds[after.Unix()], h.names())
	}
}

// TestBadDisk: a disk fails now and then, in the middle of records and while
// files are begun. Samples are lost meanwhile, and that is written down; what
// is written is whole.
func TestBadDisk(t *testing.T) {
	f := faultfs.Mount(t)
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		h := newHost(t, at("2026-03-01 23:55:00"))
		h.opts.Dir, h.machine.disks = f.Dir, 10
		h.opts.Log = slog.New(slog.NewTextHandler(&said, nil))
		h.run(func() {
			for _, rules := range []string{
				"write: eio", "write: enospc", "write from 3: eio\nwrite: short 100", "create: eio", "rename: enospc", "truncate: eio\nwrite: short 7\nwrite from 2: eio",
			} {
				time.Sleep(time.Minute)
				f.Inject(rules)
				time.Sleep(20 * time.Second)
				f.Inject("")
			}
			time.Sleep(time.Minute)
		})
		samples := 0
		var gaps []string
		for _, name := range h.names() {
			c := h.read(name)
			samples += len(c.times)
			gaps = append(gaps, slices.DeleteFunc(c.comments, func(s string) bool { return !strings.HasPrefix(s, "gap ") })...)
		}
		if samples < 7*60-10 || samples > 7*60+2*20+10 || len(gaps) < 4 {
			t.Errorf("%d samples, gaps %q, files %q", samples, gaps, h.names())
		}
		if slices.ContainsFunc(names(t, f.Dir), func(name string) bool { return strings.HasSuffix(name, dayfile.PartSuffix) }) {
			t.Errorf("left are %q", names(t, f.Dir))
		}
		if strings.Count(said.String(), "level=ERROR") < 4 {
			t.Errorf("the log says\n%s", &said)
		}
	})
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
