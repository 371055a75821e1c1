package record

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestDays: three days at a second, joined again without a second missing.
func TestDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-02-27 22:30:00"))
		h.record(49*time.Hour + 500*time.Millisecond)
		h.wantNames(
			"fs1-20260227T223000Z.sa", "fs1-20260228T000005Z.sa", "fs1-20260301T000005Z.sa",
		)
		day := h.read("fs1-20260228T000005Z.sa")
		if len(day.times) != 86401 || day.ios[0] == 0 {
			t.Errorf("%d samples a day, the first has %d I/Os", len(day.times), day.ios[0])
		}
		if day.times[0] != at("2026-02-28 00:00:05").Unix() || day.times[86400] != at("2026-03-01 00:00:05").Unix() {
			t.Errorf("a day from %d to %d", day.times[0], day.times[86400])
		}
		checkJoined(t, h, at("2026-02-27 22:30:01").Unix(), 49*3600)
	})
}

func checkJoined(t *testing.T, h *host, first int64, samples int) {
	t.Helper()
	var paths []string
	for _, n := range h.names() {
		paths = append(paths, filepath.Join(h.opts.Dir, n))
	}
	j, err := sysstat.OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	n := 0
	for rec, err := j.Next(); err == nil; rec, err = j.Next() {
		if rec.Type != sysstat.Stats {
			continue
		}
		if rec.Time != first+int64(n) || rec.Restarted {
			t.Fatalf("sample %d is of %d, restarted %v", n, rec.Time-first, rec.Restarted)
		}
		n++
	}
	if n != samples || len(j.Warnings()) > 0 {
		t.Errorf("%d samples, want %d; warnings %v", n, samples, j.Warnings())
	}
}

// TestClock: steps of the clock a second after a file began, and the files
// that there are then.
func TestClock(t *testing.T) {
	const today = "fs1-20260301T000005Z.sa"
	cases := []struct {
		step  time.Duration
		clock string // the comment
		file  string // that has it
		want  []string
	}{
		{-5 * time.Second, "clock -5.0s", today, []string{"fs1-20260228T235900Z.sa", today}},
		{-900 * time.Millisecond, "clock -0.9s", today, []string{"fs1-20260228T235900Z.sa", today}},
		// A second file of the day before; then the first of today goes on.
		{
			-10 * time.Second, "clock -10.0s", "fs1-20260228T235957Z.sa",
			[]string{"fs1-20260228T235900Z.sa", "fs1-20260228T235957Z.sa", today},
		},
		{time.Minute, "clock +60.0s", today, []string{"fs1-20260228T235900Z.sa", today}},
		{
			25 * time.Hour, "clock +90000.0s", "fs1-20260302T010007Z.sa",
			[]string{"fs1-20260228T235900Z.sa", today, "fs1-20260302T010007Z.sa"},
		},
		{
			-24 * time.Hour, "clock -86400.0s", "fs1-20260228T000007Z.sa",
			[]string{"fs1-20260228T000007Z.sa", "fs1-20260228T235900Z.sa", today},
		},
	}
	for _, c := range cases {
		t.Run(c.clock, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHost(t, at("2026-02-28 23:59:00"))
				h.run(func() {
					time.Sleep(66500 * time.Millisecond) // to 00:00:06.5
					h.clock.step(c.step)
					time.Sleep(30 * time.Second)
				})
				h.wantNames(c.want...)
				if got := h.read(c.file); !slices.Contains(got.comments, c.clock) || got.restarts > 0 {
					t.Errorf("%s: %d restarts, comments %q", c.file, got.restarts, got.comments)
				}
				checkAllTaken(t, h)
			})
		})
	}
}

// checkAllTaken: each sample that was taken stands in some file.
func checkAllTaken(t *testing.T, h *host) {
	t.Helper()
	found := map[uint64]bool{}
	for _, n := range h.names() {
		for _, ios := range h.read(n).ios {
			found[ios] = true
		}
	}
	for n := uint64(1); n <= h.machine.taken; n++ {
		if !found[n] {
			t.Errorf("sample %d of %d is nowhere", n, h.machine.taken)
		}
	}
}

// TestNoClock: nothing is written before the clock is set.
func TestNoClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("1970-01-01 00:00:10"))
		h.run(func() {
			time.Sleep(time.Minute)
			h.wantNames()
			h.clock.step(at("2026-03-01 12:00:00").Sub(at("1970-01-01 00:01:10")))
			time.Sleep(15 * time.Second)
		})
		if names := h.names(); len(names) != 1 || len(h.read(names[0]).times) < 5 {
			t.Errorf("files: %q", names)
		}
	})
}

// TestRestart: the recorder, or the host, is started again.
func TestRestart(t *testing.T) {
	cases := []struct {
		name     string
		begin    string
		away     time.Duration
		reboot   bool
		cpus     int
		want     []string
		restarts int
	}{
		{"recorder", "2026-03-01 12:00:00", 20 * time.Second, false, 1, []string{"fs1-20260301T120000Z.sa"}, 0},
		{
			"host", "2026-03-01 12:00:00", 20 * time.Second, true, 1,
			[]string{"fs1-20260301T120000Z.sa", "fs1-20260301T120030Z.sa"},
			1,
		},
		{
			"host, up for longer than before", "2026-03-01 12:00:00", 3 * time.Hour, true, 1,
			[]string{"fs1-20260301T120000Z.sa", "fs1-20260301T150010Z.sa"},
			1,
		},
		{"around midnight", "2026-03-01 23:59:45", 7 * time.Second, false, 1, []string{"fs1-20260301T235945Z.sa"}, 0},
		{
			"on another day", "2026-03-01 12:00:00", 24 * time.Hour, false, 1,
			[]string{"fs1-20260301T120000Z.sa", "fs1-20260302T120010Z.sa"},
			0,
		},
		{
			"with another number of CPUs", "2026-03-01 12:00:00", time.Minute, false, 2,
			[]string{"fs1-20260301T120000Z.sa", "fs1-20260301T120110Z.sa"},
			0,
		},
		{
			"at once, with another number of CPUs", "2026-03-01 12:00:00", -10 * time.Second, false, 2,
			[]string{"fs1-20260301T120000Z.sa", "fs1-20260301T120001Z.sa"},
			0,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHost(t, at(c.begin))
				h.record(8500 * time.Millisecond)
				time.Sleep(1500 * time.Millisecond)
				if c.reboot {
					h.reboot()
				}
				if c.away < 0 {
					h.clock.step(c.away)
				}
				time.Sleep(c.away)
				h.opts.File.CPUs = c.cpus
				h.record(2500 * time.Millisecond)
				h.wantNames(c.want...)
				last := h.read(c.want[len(c.want)-1])
				if last.restarts != c.restarts || c.restarts > 0 && last.first != sysstat.Restart {
					t.Errorf("%d restart records, the first record is a %v", last.restarts, last.first)
				}
				if n := count(last.comments, "dev 8:0=sda"); n != 3-len(c.want) {
					t.Errorf("the inventory stands there %d times", n)
				}
				if n := len(last.times); n != 2 && len(c.want) == 2 || n != 10 && len(c.want) == 1 {
					t.Errorf("%d samples", n)
				}
			})
		})
	}
}

func count(list []string, s string) (n int) {
	for _, l := range list {
		if l == s {
			n++
		}
	}
	return n
}

// TestFuture: a file from when the clock was wrong, by years or by hours, does
// not keep today's from being gone on with.
func TestFuture(t *testing.T) {
	for wrong, file := range map[string]string{
		"2099-01-01 12:00:00": "fs1-20990101T120000Z.sa",
		"2026-03-02 06:00:00": "fs1-20260302T060000Z.sa",
	} {
		t.Run(wrong, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHost(t, at(wrong))
				h.record(5 * time.Second)
				h.clock.step(at("2026-03-01 12:00:00").Sub(at(wrong).Add(5 * time.Second)))
				for range 3 {
					h.record(5400 * time.Millisecond)
				}
				h.wantNames("fs1-20260301T120000Z.sa", file)
				if got := h.read("fs1-20260301T120000Z.sa"); len(got.times) != 16 {
					t.Errorf("%d samples", len(got.times))
				}
			})
		})
	}
}

// TestNotReread: once it records, the recorder opens no file of another day,
// nor one of this day that takes long to read. It would cut a torn one.
func TestNotReread(t *testing.T) {
	dir, path := closedFile(t)
	r, err := New(keeperOf(dir, Plain).opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.opened = true
	for _, c := range []struct {
		size int64
		at   string
		read bool
	}{
		{100_000, "2026-03-02 12:00:00", false},
		{rereadBytes + 1, "2026-03-01 13:00:00", false},
		{100_000, "2026-03-01 13:00:00", true},
	} {
		if err := os.Truncate(path, c.size); err != nil {
			t.Fatal(err)
		}
		if _, err := r.resume(at(c.at)); err != nil || (r.out != nil) != c.read {
			t.Fatalf("%d bytes at %s: gone on in is %v, error %v", c.size, c.at, r.out != nil, err)
		}
		if cut := stat(t, path).Size() < c.size; cut != c.read {
			t.Errorf("%d bytes at %s: cut is %v", c.size, c.at, cut)
		}
	}
	if err := r.out.close(); err != nil {
		t.Error(err)
	}
}

// TestLate: each late sample is marked, in a storm several at once, and those
// at the end too.
func TestLate(t *testing.T) {
	for _, c := range []struct{ length, fewest, most int }{{7, 4, 5}, {150, 25, 36}} {
		synctest.Test(t, func(t *testing.T) {
			h := newHost(t, at("2026-03-01 12:00:00"))
			h.machine.takes = 1300 * time.Millisecond
			h.record(time.Duration(c.length) * time.Second)
			got := h.read("fs1-20260301T120000Z.sa")
			marks := slices.DeleteFunc(got.comments, func(s string) bool { return !strings.HasPrefix(s, "late ") })
			if n := len(marks); n < c.fewest || n > c.most {
				t.Errorf("%d s: %d remarks: %q", c.length, n, marks)
			}
			if n := lateSamples(t, marks); n != len(got.times)-1 { // all but the first
				t.Errorf("%d s: %d of %d samples are marked: %q", c.length, n, len(got.times), marks)
			}
		})
	}
}

// lateSamples is how many samples remarks tell of.
func lateSamples(t *testing.T, marks []string) (sum int) {
	t.Helper()
	for _, m := range marks {
		_, rest, several := strings.Cut(m, " at most, ")
		n := 1
		if several {
			if _, err := fmt.Sscan(rest, &n); err != nil {
				t.Errorf("%q: %v", m, err)
			}
		}
		sum += n
	}
	return sum
}

// TestInventory: it is written again when it changes, not every minute.
func TestInventory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		h.run(func() {
			time.Sleep(150 * time.Second)
			h.machine.shows("dev 8:0=sda", "dev 8:16=sdb")
			time.Sleep(10 * time.Minute)
			h.machine.shows("dev 8:16=sdb")
			time.Sleep(10 * time.Minute)
		})
		want := []string{"dev 8:0=sda", "dev 8:0=sda", "dev 8:16=sdb", "dev 8:16=sdb"}
		if got := h.read("fs1-20260301T120000Z.sa"); !slices.Equal(got.comments, want) {
			t.Errorf("got %q, want %q", got.comments, want)
		}
	})
}
