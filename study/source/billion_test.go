package source

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
)

var (
	billion    = flag.Int64("billion", 0, "drive hours that TestBillion studies, about; 0: a few thousand")
	sliceDays  = flag.Int("billion.days", 4, "days that are on disk at a time")
	billionDir = flag.String("billion.dir", "", "where they are; empty: a temporary directory")
)

// sized is a fleet of T16's shape and days with about so many drive hours: 12.6 drives a
// group.
func sized(driveHours int64) fleet.Options {
	o := fleet.DefaultOptions()
	groups := int(driveHours / int64(o.Days) / 24 / 13)
	o.DiskGroups = max(groups*o.DiskGroups/(o.DiskGroups+o.SSDGroups), 6)
	o.SSDGroups = max(groups-o.DiskGroups, 2)
	return o
}

// reduced reduces what lies in a directory, on all cores.
func reduced(ctx context.Context, dir string) (*Source, []*study.Reduction, error) {
	s, err := Open(ctx, []string{dir}, DefaultOptions())
	if err != nil {
		return nil, nil, err
	}
	streams := s.Streams(ctx)
	parts, errs := make([]*study.Reduction, len(streams)), make([]error, len(streams))
	var reducing sync.WaitGroup
	for i, hours := range streams {
		reducing.Go(func() { parts[i], errs[i] = study.Reduce(hours, s.Fleet(), study.DefaultOptions()) })
	}
	reducing.Wait()
	return s, parts, errors.Join(append(errs, s.Close())...)
}

// cost is what something takes.
type cost struct{ wall, cpu time.Duration }

func (c *cost) of(tb testing.TB, do func() error) {
	tb.Helper()
	begun, before := time.Now(), cpuTime(tb)
	if err := do(); err != nil {
		tb.Fatal(err)
	}
	c.wall, c.cpu = c.wall+time.Since(begun), c.cpu+cpuTime(tb)-before
}

func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMB is the most memory that the process had, of Linux; 0 elsewhere.
func peakMB() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kB, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	return kB >> 10
}

// TestBillion studies a fleet that is never on disk as a whole: days are written, reduced
// and removed, and the reductions merged. A few thousand drive hours come out the same as
// if they had been there at once; make billion does it with a billion.
func TestBillion(t *testing.T) {
	o := sized(*billion)
	if *billion == 0 {
		o.Days = 9
	}
	simulated, err := fleet.New(o)
	if err != nil {
		t.Fatal(err)
	}
	dir := *billionDir
	if dir == "" {
		dir = t.TempDir()
	}
	slices, err := simulated.Slices(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer slices.Remove()
	var drawing, studying cost
	var got *study.Reduction
	disk := int64(0)
	for more := true; more; {
		drawing.of(t, func() (err error) { more, err = slices.Write(t.Context(), *sliceDays); return err })
		if !more {
			break
		}
		disk = max(disk, diskBytes(t, dir))
		studying.of(t, func() error {
			s, parts, err := reduced(t.Context(), dir)
			if err != nil {
				return err
			}
			if got != nil {
				parts = append(parts, got)
			}
			got, err = study.Merge(s.Fleet(), parts...)
			return err
		})
		if err := slices.Remove(); err != nil {
			t.Fatal(err)
		}
	}
	rows := got.Accounts[study.All].Rows
	t.Logf("%d drive hours of %d drives in %d groups, %d days on disk at a time (%d MB): studied in %.1f s, CPU %.1f s (%.2f M/core-s), on %d cores; written in %.1f s, CPU %.1f s; at most %d MB of memory, with what writes",
		rows, len(simulated.Drives()), o.DiskGroups+o.SSDGroups, *sliceDays, disk>>20, studying.wall.Seconds(), studying.cpu.Seconds(), float64(rows)/studying.cpu.Seconds()/1e6,
		runtime.GOMAXPROCS(0), drawing.wall.Seconds(), drawing.cpu.Seconds(), peakMB())
	if *billion == 0 {
		sameAtOnce(t, o, got)
	}
}

// sameAtOnce demands the reduction of the files that are all there.
func sameAtOnce(t *testing.T, o fleet.Options, got *study.Reduction) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fleet")
	if _, err := fleet.Write(t.Context(), dir, o, nil); err != nil {
		t.Fatal(err)
	}
	s, parts, err := reduced(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := study.Merge(s.Fleet(), parts...)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("days that were reduced one after the other are not what they are at once: %+v and %+v", got.Accounts[study.All], want.Accounts[study.All])
	}
}

func diskBytes(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
