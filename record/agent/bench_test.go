package agent

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A file server of the paper's size, and its clients.
const (
	serverDisks   = 72
	serverSockets = 100
)

// What a recorder may cost such a server.
const (
	maxShare    = 0.3 // % of a core, at a sample a second
	maxResident = 30  // MB
)

// BenchmarkBesideSadc has limpet-record, as it is installed, and sadc sample
// the same machine in the same seconds, and holds against each other what
// processor time each spent on a sample, the kernel's included. It has
// connections to count that sadc does not; sadc takes what it takes by default,
// memory, paging, queues, pressure and the like.
func BenchmarkBesideSadc(b *testing.B) {
	program := sadc(b)
	for _, l := range loops(b, serverDisks) {
		l.work(b, 1, 1)
	}
	enterNetwork(b)
	connectMany(b, "198.18", serverSockets)
	recorder := filepath.Join(b.TempDir(), "limpet-record")
	if out, err := exec.Command("go", "build", "-o", recorder, checkout.Path(b, "cmd/limpet-record")).CombinedOutput(); err != nil {
		b.Fatalf("go build: %v: %s", err, out)
	}
	for b.Loop() {
		ours := launch(b, recorder, "--dir", b.TempDir())
		theirs := launch(b, program, "-S", "DISK,SNMP", "1", filepath.Join(b.TempDir(), "sa"))
		time.Sleep(3 * time.Second) // until both know the devices
		const samples = 20
		began, oursBefore, theirsBefore := time.Now(), cpuOf(b, ours), cpuOf(b, theirs)
		time.Sleep(samples * time.Second)
		spent, sadcs := cpuOf(b, ours)-oursBefore, cpuOf(b, theirs)-theirsBefore
		share := 100 * spent.Seconds() / time.Since(began).Seconds()
		resident := peakMemory(b, ours)
		b.ReportMetric(0, "ns/op") // is what was waited
		b.ReportMetric(float64(spent.Microseconds())/samples, "µs/sample")
		b.ReportMetric(float64(sadcs.Microseconds())/samples, "sadc-µs/sample")
		b.ReportMetric(share, "%core")
		b.ReportMetric(resident, "MB-resident")
		if spent > sadcs || share > maxShare || resident > maxResident {
			b.Errorf("%v for %d samples, sadc %v, %.2f %% of a core, %.1f MB", spent, samples, sadcs, share, resident)
		}
	}
}

// BenchmarkSteady is a recorder of the same machine in this process, at samples
// so frequent that what happens seldom does not hide.
func BenchmarkSteady(b *testing.B) {
	for _, l := range loops(b, serverDisks) {
		l.work(b, 1, 1)
	}
	connectMany(b, "127.84", serverSockets)
	for b.Loop() {
		o := DefaultOptions()
		o.TCP.Loopback = true
		o.Record.Dir, o.Record.Interval = b.TempDir(), 50*time.Millisecond
		b.ReportMetric(allocations(b, o, 5*time.Second), "allocs/sample")
		b.ReportMetric(0, "ns/op") // is what was waited
	}
}

// BenchmarkWaits compares the processor time of a sample with waits and without, on a machine with 72 disks and
// 100 connections. Samples with and without waits alternate, so that other work on the machine disturbs both
// alike. The room of file systems is read every ten seconds, so a tenth of it counts for a sample.
func BenchmarkWaits(b *testing.B) {
	for _, l := range loops(b, serverDisks) {
		l.work(b, 1, 1)
	}
	connectMany(b, "127.85", serverSockets)
	machines := [2]*machine{}
	for i, without := range []bool{true, false} {
		o := DefaultOptions()
		o.TCP.Loopback, o.NoLatency, o.NoWaits = true, true, without
		m, err := openMachine(o, slog.New(slog.DiscardHandler))
		if err != nil {
			b.Fatal(err)
		}
		defer m.close()
		machines[i] = m
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	spent := func(f func()) time.Duration {
		before := threadTime(b)
		f()
		return threadTime(b) - before
	}
	const pairs = 2000
	for b.Loop() {
		var times [2][]time.Duration
		var sample [2]sysstat.Sample
		for range pairs {
			for i, m := range machines {
				times[i] = append(times[i], spent(func() {
					if err := m.Sample(&sample[i]); err != nil {
						b.Fatal(err)
					}
				}))
			}
		}
		var rooms []time.Duration
		for range pairs / 20 {
			rooms = append(rooms, spent(func() { _, _, _ = machines[1].kernel.SpaceAndHealth() }))
		}
		micros := func(list []time.Duration) float64 {
			slices.Sort(list)
			return float64(list[len(list)/2].Nanoseconds()) / 1e3
		}
		without, with, room := micros(times[0]), micros(times[1]), micros(rooms)
		b.ReportMetric(0, "ns/op") // is that of all pairs
		b.ReportMetric(without, "without-µs/sample")
		b.ReportMetric(with, "with-µs/sample")
		b.ReportMetric(room, "room-µs")
		b.ReportMetric(100*((with+room/10)/without-1), "%dearer")
	}
}

// threadTime is the processor time that this thread has used.
func threadTime(b *testing.B) time.Duration {
	b.Helper()
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// allocations is how many a sample makes once a recorder is under way.
func allocations(t testing.TB, o Options, during time.Duration) float64 {
	t.Helper()
	stop := start(t, o)
	time.Sleep(during / 2)
	var before, after runtime.MemStats
	first := sizeOf(t, onlyFile(t, o))
	runtime.ReadMemStats(&before)
	time.Sleep(during)
	runtime.ReadMemStats(&after)
	last := sizeOf(t, onlyFile(t, o))
	stop()
	samples := 0.0
	eachStats(t, onlyFile(t, o), func(rec *sysstat.Record, _ *sysstat.Inventory) {
		if rec.Offset >= first && rec.Offset < last {
			samples++
		}
	})
	return float64(after.Mallocs-before.Mallocs) / samples
}

func sizeOf(t testing.TB, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestSteadyAllocs: a recorder under way allocates next to nothing, whatever
// it does seldom included.
func TestSteadyAllocs(t *testing.T) {
	o := plant(t)
	o.NoTCP, o.Listen = true, "127.0.0.1:0"
	o.Record.Interval, o.Record.Sync = time.Millisecond, 50*time.Millisecond
	if n := allocations(t, o, 500*time.Millisecond); !(n < 2) {
		t.Errorf("%.2f allocations a sample", n)
	}
}

// enterNetwork takes this goroutine, and the processes that it starts, into a
// network of their own in which 198.18.0.0/15 is this machine's.
func enterNetwork(b *testing.B) {
	b.Helper()
	runtime.LockOSThread() // for good: the thread ends with the benchmark
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		b.Skipf("no network of its own can be made: %v", err)
	}
	if out, err := exec.Command("sh", "-ec", "ip link set lo up; "+benchNetwork).CombinedOutput(); err != nil {
		b.Skipf("ip: %v: %s", err, out)
	}
}

// launch starts a program that ends with the benchmark.
func launch(b *testing.B, program string, args ...string) (pid int) {
	b.Helper()
	cmd := exec.Command(program, args...)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		cmd.Process.Signal(unix.SIGTERM)
		cmd.Wait()
	})
	return cmd.Process.Pid
}

// cpuOf is the processor time that a process has used, by its own clock.
func cpuOf(b *testing.B, pid int) time.Duration {
	b.Helper()
	const scheduled = 2 // CPUCLOCK_SCHED, of all threads
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// peakMemory is the most that a process had resident, in MB.
func peakMemory(b *testing.B, pid int) (mb float64) {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscanf(peak, "%f kB", &mb); err != nil {
		b.Fatal(err)
	}
	return mb / 1000
}
