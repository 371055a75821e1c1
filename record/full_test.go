package record

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// smallDisk mounts a file system of so many bytes.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a small tmpfs")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fill takes what is left of a disk.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !isFull(err) {
		t.Fatal(err)
	}
}

// TestFullDisk: a disk fills up, and there is room again half an hour later.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "size=1m")
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		h := newHost(t, at("2026-03-01 12:00:00"))
		h.opts.Dir, h.opts.ResumeBytes, h.machine.disks = dir, 300<<10, 10
		h.opts.Log = slog.New(slog.NewTextHandler(&said, nil))
		heard := &counter{}
		h.opts.Listener = heard
		hog := filepath.Join(dir, "hog")
		h.run(func() {
			time.Sleep(time.Minute)
			fill(t, hog)
			time.Sleep(30*time.Minute - time.Minute)
			h.read("fs1-20260301T120000Z.sa") // is whole
			if err := os.Truncate(hog, stat(t, hog).Size()-64<<10); err != nil {
				t.Error(err)
			}
			time.Sleep(10 * time.Minute) // for there is not room enough
			if err := os.Remove(hog); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Minute + 500*time.Millisecond)
		})
		h.wantNames("fs1-20260301T120000Z.sa")
		got := h.read("fs1-20260301T120000Z.sa")
		if n := len(got.times); n < 60+50 || n > 60+65 {
			t.Errorf("%d samples", n)
		}
		if heard.n != 2460 {
			t.Errorf("the listener heard %d", heard.n)
		}
		gaps := slices.DeleteFunc(got.comments, func(s string) bool { return !strings.HasPrefix(s, "gap ") })
		if len(gaps) != 1 || !strings.HasSuffix(gaps[0], "s: no space left on device") {
			t.Errorf("gaps %q", gaps)
		}
		if log := said.String(); strings.Count(log, "level=ERROR") != 1 || strings.Count(log, "recording continues") != 1 || strings.Contains(log, dayfile.PartSuffix) {
			t.Errorf("the log says\n%s", log)
		}
	})
}

// TestFullForAWhile: a disk that fills again and again, over midnight, with
// comments to be written; nothing is torn, nothing is said twice.
func TestFullForAWhile(t *testing.T) {
	dir := smallDisk(t, "size=512k")
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 23:50:00"))
		h.opts.Dir, h.opts.ResumeBytes, h.machine.disks = dir, 0, 10
		h.machine.inventory = slices.Repeat([]string{"dev 8:0=sda"}, 50)
		hog := filepath.Join(dir, "hog")
		h.run(func() {
			time.Sleep(5 * time.Second)
			for range 20 {
				fill(t, hog)
				time.Sleep(45 * time.Second)
				if err := os.Truncate(hog, max(0, stat(t, hog).Size()-16<<10)); err != nil {
					t.Fatal(err)
				}
				time.Sleep(15 * time.Second)
			}
			os.Remove(hog)
			time.Sleep(time.Minute)
		})
		var times []int64
		said := 0
		for _, n := range h.names() {
			got := h.read(n)
			times = append(times, got.times...)
			said += strings.Count(strings.Join(got.comments, "\n"), "gap ")
		}
		gaps := 0
		for i := 1; i < len(times); i++ {
			if times[i] > times[i-1]+1 {
				gaps++
			}
		}
		if len(h.names()) != 2 || gaps != 20 || said != gaps {
			t.Errorf("%d gaps, of which %d are told, in %q", gaps, said, h.names())
		}
	})
}

// TestFullAtStart: the recorder starts on a full disk, and waits. The disk has
// never the room that usually has to be free.
func TestFullAtStart(t *testing.T) {
	dir := smallDisk(t, "size=256k")
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		h.opts.Dir = dir
		hog := filepath.Join(dir, "hog")
		fill(t, hog)
		h.run(func() {
			time.Sleep(time.Minute)
			os.Remove(hog)
			time.Sleep(20 * time.Second)
		})
		if names := h.names(); len(names) != 1 || len(h.read(names[0]).times) < 5 {
			t.Errorf("files %q", names)
		}
	})
}

// TestFullForPacking: a file that cannot be compressed for want of room stays,
// nothing else is left, and it is tried again.
func TestFullForPacking(t *testing.T) {
	dir := smallDisk(t, "size=2200k")
	from, path := closedFile(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(dir, filepath.Base(path))
	if err := os.WriteFile(moved, b, 0o600); err != nil {
		t.Fatal(err)
	}
	hog := filepath.Join(dir, "hog")
	fill(t, hog)
	k := keeperOf(dir, Zstd)
	k.pass(t.Context())
	if entries, _ := os.ReadDir(dir); len(entries) != 2 || k.left[moved] {
		t.Errorf("left are %v", entries)
	}
	os.Remove(hog)
	k.pass(t.Context())
	if !exists(moved+".zst") || exists(moved) {
		t.Error("it was not compressed later")
	}
	checkFiles(t, dir, readFile(t, filepath.Join(from, filepath.Base(path))))
}

// counter counts what it hears.
type counter struct{ n int }

func (c *counter) Hear(time.Time, uint64, *sysstat.Sample) { c.n++ }
