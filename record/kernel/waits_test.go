package kernel

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/hoststat"
)

const diskLine = "   8       0 sda %d 0 80 5 20 2 160 10 %d 12 15 0 0 0 0\n"

// TestWaits: what tasks and requests wait for is read from each of its places, and a disk with requests
// under way that completes none stands still.
func TestWaits(t *testing.T) {
	root := machine(t, "linux-4.19")
	put(t, root, "proc/pressure/cpu", "some avg10=0.33 avg60=0.96 avg300=2.18 total=258\n")
	put(t, root, "proc/pressure/io", "some avg10=0.33 avg60=0.96 avg300=2.18 total=2582893857\nfull avg10=0.32 avg60=0.89 avg300=1.61 total=765535980\n")
	put(t, root, "proc/schedstat", "version 15\ntimestamp 4295\ncpu0 0 0 0 0 0 0 75311271 1943 2049\ndomain0 3 1 2 3\ncpu1 0 0 0 0 0 0 1 57 2\n")
	put(t, root, "proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 0 1 2\nctxt 3\nprocs_running 1\nprocs_blocked 4\nsoftirq 1\n")
	put(t, root, "proc/diskstats", fmt.Sprintf(diskLine, 10, 0))
	k := open(t, Options{Root: root})
	s := sample(t, k)
	var h hoststat.Sample
	k.Waits(&h)
	want := hoststat.Sample{RunDelayNs: 2000, Tasks: hoststat.Tasks{Blocked: 4}, InFlight: h.InFlight}
	want.Pressure[hoststat.CPU].Some = 258
	want.Pressure[hoststat.IO] = hoststat.Pressure{Some: 2582893857, Full: 765535980}
	if !reflect.DeepEqual(h, want) || len(h.InFlight) > 0 {
		t.Errorf("got %+v, want %+v", h, want)
	}
	for i, step := range []struct {
		ios, inFlight int
		still         bool
		done          uint64
	}{
		{12, 3, false, 2}, // first look at requests under way
		{12, 3, true, 0},
		{13, 3, false, 1},
		{13, 0, false, 0},
		{13, 3, false, 0}, // they may be new
		{13, 3, true, 0},
		{14, 0, false, 1},
		{14, 0, false, 0}, // tasks are blocked, and no disk works
		{14, 0, false, 0},
		{14, 0, true, 0},
		{14, 0, false, 0},
	} {
		put(t, root, "proc/diskstats", fmt.Sprintf(diskLine, step.ios, step.inFlight))
		if err := k.Sample(s); err != nil {
			t.Fatal(err)
		}
		k.Waits(&h)
		if k.StandsStill() != step.still || h.Completed != step.done || (len(h.InFlight) > 0) != (step.inFlight > 0) {
			t.Errorf("sample %d: stands still %v, in flight %v", i, k.StandsStill(), h.InFlight)
		}
	}
	put(t, root, "proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\nprocs_blocked 0\n")
	if err := k.Sample(s); err != nil {
		t.Fatal(err)
	}
	if k.StandsStill() {
		t.Error("an idle machine stands still")
	}
}

// TestWaitsAllocateNothing where nothing stands still.
func TestWaitsAllocateNothing(t *testing.T) {
	k := open(t, DefaultOptions())
	var h hoststat.Sample
	k.Waits(&h)
	if n := testing.AllocsPerRun(50, func() { k.Waits(&h) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestTasks counts tasks of this machine that it stops, and reads states behind any name.
func TestTasks(t *testing.T) {
	root := t.TempDir()
	for i, stat := range []string{"7 (a) D 1", "8 (b) c) R) T 1", "9 (D) S 1", "10 (kworker/0:1) D 2"} {
		dir := fmt.Sprintf("proc/%d/task/%d", 7+i, 7+i)
		put(t, root, dir+"/stat", stat)
		put(t, root, dir+"/wchan", "io_schedule")
	}
	k := tasks{dir: filepath.Join(root, "proc")}
	var got hoststat.Tasks
	k.look(&got)
	want := hoststat.Tasks{Looked: true, Stopped: 1, Waits: []hoststat.Wait{{Function: "io_schedule", Tasks: 2}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestManyTasks: one look reads a bounded number of tasks, and later looks read the others.
func TestManyTasks(t *testing.T) {
	root := t.TempDir()
	for i := range 3 * mostTasks / 2 {
		put(t, root, fmt.Sprintf("proc/%d/task/%d/stat", i+1, i+1), "1 (a) T 1")
	}
	k := tasks{dir: filepath.Join(root, "proc")}
	var got hoststat.Tasks
	k.look(&got)
	first := k.next
	k.look(&got)
	if got.Stopped != mostTasks || first != mostTasks+1 || k.next != mostTasks/2+1 {
		t.Errorf("%d tasks, next are %d and %d", got.Stopped, first, k.next)
	}
}

// TestStoppedTask finds a process of this machine that a signal has stopped.
func TestStoppedTask(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("needs sleep: ", err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	k := open(t, DefaultOptions())
	var got hoststat.Tasks
	for range 600 {
		if k.LookAtTasks(&got); got.Stopped > 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("no stopped task is found: %+v", got)
}

// TestRoom: writable file systems on recorded devices are measured once, by the disk of a partition.
func TestRoom(t *testing.T) {
	root := machine(t, "linux-4.19")
	put(t, root, "sys/dev/block/8:1", "-> ../../block/sda/sda1")
	put(t, root, "sys/class/block/zram0", "-> ../../block/zram0")
	put(t, root, "dev/zram0", "")
	put(t, root, "proc/self/mountinfo", `36 25 8:1 / /data\040one rw,noatime shared:1 - xfs /dev/sda1 rw,attr2
37 25 8:1 /x /bound rw,noatime shared:1 - xfs /dev/sda1 rw,attr2
41 25 0:32 /sub /home rw,relatime shared:9 - btrfs /dev/zram0 rw,space_cache=v2
42 25 8:1 / /image ro,relatime - squashfs /dev/sda1 ro
43 25 0:5 / /proc rw,nosuid - proc proc rw
44 25 7:9 / /gone rw - ext4 /dev/loop9 rw
`)
	for _, dir := range []string{"data one", "home"} {
		put(t, root, dir+"/file", "x")
	}
	put(t, root, "sys/class/nvme/nvme0/hwmon2/temp1_input", "85100\n")
	put(t, root, "sys/class/nvme/nvme0/hwmon2/temp1_max", "84850\n")
	put(t, root, "sys/class/nvme/nvme0/hwmon2/temp1_alarm", "1\n")
	put(t, root, "sys/class/nvme/nvme0/nvme0n1/dev", "259:0\n")
	list, drives, err := open(t, Options{Root: root}).SpaceAndHealth()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Mount != "/data one" || list[0].Major != 8 || list[0].Minor != 0 || list[1].Mount != "/home" || list[1].Major != 251 || list[1].Minor != 1 {
		t.Fatalf("%+v", list)
	}
	var real syscall.Statfs_t
	if err := syscall.Statfs(root, &real); err != nil || list[0].Bytes != real.Blocks*uint64(real.Bsize) || list[0].FreeBytes == 0 {
		t.Errorf("%+v, %v", list[0], err)
	}
	if want := (hoststat.Drive{Major: 259, MilliCelsius: 85100, Limit: 84850, Alarm: true}); len(drives) != 1 || drives[0] != want {
		t.Errorf("drives %+v", drives)
	}
	if list, drives, err := open(t, Options{Root: root, Devices: []string{"zram*"}}).SpaceAndHealth(); err != nil || len(list) != 1 || list[0].Mount != "/home" || len(drives) != 0 {
		t.Errorf("of chosen devices %+v, %+v, %v", list, drives, err)
	}
}

// FuzzWaits: no text of the kernel makes a parser fail.
func FuzzWaits(f *testing.F) {
	f.Add([]byte("some avg10=0.33 total=258\nfull total=7\ncpu0 0 0 0 0 0 0 75311271 1943 2049\nprocs_blocked 4\n"))
	f.Add([]byte("36 25 8:1 / /data\\040one rw - xfs /dev/sda1 rw\n7 (a) D"))
	f.Fuzz(func(t *testing.T, text []byte) {
		parsePressure(text)
		parseRunDelay(text)
		parseBlocked(text)
		parseMount(string(text))
		if taskState(text) == ')' && len(text) < 3 {
			t.Error("a state without text")
		}
	})
}

// BenchmarkWaits is what waits add to a sample of this machine while nothing stands still, and what a look at
// its tasks takes.
func BenchmarkWaits(b *testing.B) {
	k := open(b, DefaultOptions())
	var h hoststat.Sample
	b.Run("waits", func(b *testing.B) {
		for b.Loop() {
			k.Waits(&h)
		}
	})
	b.Run("tasks", func(b *testing.B) {
		for b.Loop() {
			k.LookAtTasks(&h.Tasks)
		}
	})
	b.Run("room", func(b *testing.B) {
		for b.Loop() {
			_, _, _ = k.SpaceAndHealth() // of this machine, whatever it has
		}
	})
}
