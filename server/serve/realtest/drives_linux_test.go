package realtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// blkio is where control groups of the first version bound the use of block devices.
const blkio = "/sys/fs/cgroup/blkio"

// A drive is a loop device over a file, with a control group for who reads it. The
// requests of a loop device count as those of its reader. So a throttle on the disk below
// makes this drive slow, and no other.
type drive struct {
	name  string // loop3
	group string // directory of its control group
	below string // number of the disk that the file is on: 254:0
}

// makeDrives makes drives, which end with the test.
func makeDrives(t *testing.T, n int) []drive {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: makes loop devices and control groups")
	}
	if _, err := os.Stat(filepath.Join(blkio, "blkio.throttle.read_iops_device")); err != nil {
		t.Skipf("the control group blkio of the first version is absent: %v", err)
	}
	dir := t.TempDir()
	var list []drive
	for i := range n {
		file := filepath.Join(dir, fmt.Sprint("drive", i))
		if err := os.WriteFile(file, make([]byte, 64<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		d := drive{below: diskBelow(t, file), group: filepath.Join(blkio, fmt.Sprintf("limpet-%d-%d", os.Getpid(), i))}
		out, err := exec.Command("losetup", "--find", "--show", "--direct-io=on", file).CombinedOutput()
		if err != nil {
			t.Skipf("no loop devices: %v %s", err, out)
		}
		path := strings.TrimSpace(string(out))
		t.Cleanup(func() { _ = exec.Command("losetup", "--detach", path).Run() })
		d.name = filepath.Base(path)
		if err := os.Mkdir(d.group, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Remove(d.group) })
		list = append(list, d)
	}
	return list
}

// diskBelow is the number of the whole disk that a file is on.
func diskBelow(t *testing.T, file string) string {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Stat(file, &st); err != nil {
		t.Fatal(err)
	}
	number := fmt.Sprintf("%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev))
	at, err := filepath.EvalSymlinks("/sys/dev/block/" + number)
	if err != nil {
		t.Skipf("%s is on no disk that could be throttled: set TMPDIR to a directory on one", file)
	}
	if _, err := os.Stat(filepath.Join(at, "partition")); err != nil {
		return number
	}
	whole, err := os.ReadFile(filepath.Join(filepath.Dir(at), "dev"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(whole))
}

// throttle bounds the reads of a drive in a second; 0 ends that.
func (d drive) throttle(t *testing.T, perSecond int) {
	t.Helper()
	rule := fmt.Sprintf("%s %d", d.below, perSecond)
	if err := os.WriteFile(filepath.Join(d.group, "blkio.throttle.read_iops_device"), []byte(rule), 0); err != nil {
		t.Fatal(err)
	}
}

// read has fio read blocks of a drive at a steady rate until the test ends.
func (d drive) read(t *testing.T, perSecond int) {
	t.Helper()
	start(t, "sh", "-c", `echo $$ > "$0/cgroup.procs" && exec fio "$@"`, d.group,
		"--name="+d.name, "--filename=/dev/"+d.name, "--thread", "--direct=1", "--rw=randread", "--bs=4k", "--ioengine=psync",
		fmt.Sprint("--rate_iops=", perSecond), "--rate_ignore_thinktime=1", "--time_based", "--runtime=1d")
}
