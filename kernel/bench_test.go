package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/sysstat"
)

// What a server of the issue has.
const (
	manyDevices    = 72
	manyInterfaces = 8
)

// large is a machine of many devices, each with two partitions and a link.
func large(t testing.TB) (root string) {
	root = machine(t, "linux-4.19")
	var stats, nics strings.Builder
	for i := range manyDevices {
		name := fmt.Sprintf("nvme%dn1", i)
		for part, name := range []string{name, name + "p1", name + "p2"} {
			fmt.Fprintf(&stats, " 259 %7d %s 240%d2 311 18471020 91207 88121 5312 31845221 71245 0 60212 82104 0 0 0 0 1204 1739\n", 3*i+part, name, i)
		}
		put(t, root, "sys/block/"+name+"/size", "1\n")
		put(t, root, "sys/class/block/"+name+"p1/partition", "1\n")
		put(t, root, "sys/class/block/"+name+"p2/partition", "2\n")
		put(t, root, fmt.Sprintf("dev/disk/by-id/wwn-0x5000c500a1b2%04x", i), "-> ../../"+name)
	}
	for i := range manyInterfaces {
		fmt.Fprintf(&nics, "  eth%d: 6279%d47667   40245    0    0    0     0          0         0  4059914   42192    0    0    0     0       0          0\n", i, i)
		put(t, root, fmt.Sprintf("sys/class/net/eth%d/duplex", i), "full\n")
		put(t, root, fmt.Sprintf("sys/class/net/eth%d/speed", i), "100000\n")
	}
	put(t, root, "proc/diskstats", stats.String())
	put(t, root, "proc/net/dev", nics.String())
	return root
}

// TestSampleAllocatesNothing once the devices are known, nor on this machine.
func TestSampleAllocatesNothing(t *testing.T) {
	for name, root := range map[string]string{"large": large(t), "this": "/"} {
		k := open(t, Options{Root: root})
		s := sample(t, k)
		if name == "large" && (len(s.Disks) != manyDevices || len(s.Interfaces) != manyInterfaces || s.Disks[1].WWN[0] == 0) {
			t.Fatalf("%d disks, %d interfaces", len(s.Disks), len(s.Interfaces))
		}
		// The links are read again once, and disks may see their first I/O.
		if err := k.Sample(s); err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(100, func() {
			if err := k.Sample(s); err != nil {
				t.Error(err)
			}
			if _, err := k.Uptime(); err != nil {
				t.Error(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %g allocations a sample", name, allocs)
		}
	}
}

// loops makes loop devices that have done some I/O, on files of a megabyte.
func loops(t testing.TB, n int) {
	t.Helper()
	needRoot(t, "makes loop devices")
	dir, before := t.TempDir(), names("/sys/block")
	for i := range n {
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, make([]byte, 1<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("losetup", "--find", "--show", file).CombinedOutput()
		if err != nil {
			t.Skipf("losetup: %v: %s", err, out)
		}
		device := strings.TrimSpace(string(out))
		t.Cleanup(func() { unloop(t, device, before) })
		if b, err := os.ReadFile(device); err != nil || len(b) != 1<<20 {
			t.Fatalf("%s: %d bytes, %v", device, len(b), err)
		}
	}
}

// unloop takes the file from a loop device and, if it was not there before,
// the device from the machine.
func unloop(t testing.TB, device string, before []string) {
	if out, err := exec.Command("losetup", "--detach", device).CombinedOutput(); err != nil {
		t.Errorf("losetup: %v: %s", err, out)
	}
	name := filepath.Base(device)
	control, err := os.Open("/dev/loop-control")
	if err != nil || slices.Contains(before, name) {
		return
	}
	defer control.Close()
	const remove = 0x4c81 // LOOP_CTL_REMOVE
	if minor, ok := number([]byte(strings.TrimPrefix(name, "loop"))); ok {
		syscall.Syscall(syscall.SYS_IOCTL, control.Fd(), remove, uintptr(minor))
	}
}

// TestLoopDevices: many devices come, are listed as sadc lists them, and go.
func TestLoopDevices(t *testing.T) {
	program := sadc(t)
	loops(t, manyDevices)
	k := open(t, Options{Root: "/", Devices: []string{"loop*"}})
	if got := len(sample(t, k).Disks); got < manyDevices {
		t.Errorf("%d loop devices, want %d", got, manyDevices)
	}
	besideSadc(t, program)
}

// BenchmarkSample is a sample of this machine; of a large one the kernel's
// part is missing, so it is what parsing takes.
func BenchmarkSample(b *testing.B) {
	for _, c := range []struct{ name, root string }{{"this", "/"}, {"large", large(b)}} {
		b.Run(c.name, func(b *testing.B) {
			k := open(b, Options{Root: c.root})
			s := sample(b, k)
			b.ReportAllocs()
			for b.Loop() {
				if err := k.Sample(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkInventory(b *testing.B) {
	k := open(b, Options{Root: large(b)})
	for b.Loop() {
		if _, err := k.Inventory(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBesideSadc has sadc and us sample the same machine with 72 loop
// devices, once a second and at the same time, and compares the CPU time that
// each spent, writing included. sadc also takes what it takes by default:
// paging, memory, queues, pressure and the like.
func BenchmarkBesideSadc(b *testing.B) {
	program := sadc(b)
	loops(b, manyDevices)
	const samples = 20
	start := cpuOf(b, exec.Command(program, "-S", "DISK,SNMP", "1", "1", filepath.Join(b.TempDir(), "sa")))
	for b.Loop() {
		theirs := exec.Command(program, "-S", "DISK,SNMP", "1", fmt.Sprint(samples), filepath.Join(b.TempDir(), "sa"))
		done := make(chan time.Duration)
		go func() { done <- cpuOf(b, theirs) }()
		ours := record(b, samples)
		sadcs := <-done - start
		b.ReportMetric(float64(ours.Microseconds())/samples, "µs/sample")
		b.ReportMetric(float64(sadcs.Microseconds())/(samples-1), "sadc-µs/sample")
	}
}

func cpuOf(b *testing.B, c *exec.Cmd) time.Duration {
	if err := c.Run(); err != nil {
		b.Error(err)
		return 0
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// record writes an activity file and is the CPU time of this process for it.
func record(b *testing.B, samples int) time.Duration {
	file, err := os.Create(filepath.Join(b.TempDir(), "ours"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	o := sysstat.DefaultWriterOptions()
	o.Created = time.Now()
	w, err := sysstat.NewWriter(file, o)
	if err != nil {
		b.Fatal(err)
	}
	k := open(b, DefaultOptions())
	s := sample(b, k)
	before := cpuTime(b)
	for range samples {
		time.Sleep(time.Second)
		uptime, err := k.Uptime()
		if err != nil {
			b.Fatal(err)
		}
		if err := k.Sample(s); err != nil {
			b.Fatal(err)
		}
		if err := w.WriteStats(time.Now(), uptime, s); err != nil {
			b.Fatal(err)
		}
	}
	return cpuTime(b) - before
}

func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
