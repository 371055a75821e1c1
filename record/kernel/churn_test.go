package kernel

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// disksOf are the disks of a machine's sample with their WWN.
func disksOf(t *testing.T, k *Kernel) string {
	t.Helper()
	var list []string
	for _, d := range sample(t, k).Disks {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%d:%d %s", d.Major, d.Minor, identity{wwn: d.WWN})))
	}
	return strings.Join(list, ", ")
}

// TestDevicesComeAndGo goes through the life of some devices, a sample a step.
func TestDevicesComeAndGo(t *testing.T) {
	root := machine(t, "linux-4.19")
	k := open(t, Options{Root: root})
	const used = " 1 0 8 1 0 0 0 0 0 1 1\n"
	link := func(wwn, name string) { put(t, root, "dev/disk/by-id/wwn-0x"+wwn, "-> ../../"+name) }
	stats := func(lines ...string) { put(t, root, "proc/diskstats", strings.Join(lines, used)+used) }
	for _, step := range []struct {
		name    string
		do      func()
		want    string
		changes int
	}{
		{"one", func() { stats("8 0 sda") }, "8:0", 2}, // and ib0
		{"as before", func() {}, "8:0", 0},
		{"one that is idle", func() {
			put(t, root, "proc/diskstats", "8 0 sda"+used+"251 1 zram0 0 0 0 0 0 0 0 0 0 0 0\n")
		}, "8:0", 0},
		{"another", func() { stats("8 0 sda", "251 1 zram0") }, "8:0, 251:1", 1},
		{"the first goes", func() { stats("251 1 zram0") }, "251:1", 1},
		{"its name has another number", func() { stats("65 0 sda", "251 1 zram0") }, "65:0, 251:1", 1},
		{"one is listed twice", func() { stats("65 0 sda", "251 1 zram0", "251 1 zram0") }, "65:0, 251:1", 0},
		{"one has no directory yet", func() { stats("65 0 sda", "8 16 sdb") }, "65:0", 1},
		{"now it has", func() { put(t, root, "sys/block/sdb/size", "1\n") }, "65:0, 8:16", 1},
		{"a partition", func() { stats("65 0 sda", "8 1 sda1") }, "65:0", 1},
		{"links appear", func() { link("5000c500a1b2c3d4", "sda") }, "65:0 0x5000c500a1b2c3d4", 0},
		{"and more, of what is not there", func() { link("5000c500a1b2c3d5", "sdb") }, "65:0 0x5000c500a1b2c3d4", 0},
		{"but comes", func() { stats("65 0 sda", "8 16 sdb") }, "65:0 0x5000c500a1b2c3d4, 8:16 0x5000c500a1b2c3d5", 1},
		{"links vanish", func() { os.RemoveAll(filepath.Join(root, "dev/disk")) }, "65:0, 8:16", 0},
		{"and return", func() { link("600605b00a2bdf00242b28c10dcb1999", "sda") }, "65:0 0x600605b00a2bdf00242b28c10dcb1999, 8:16", 0},
		{"nothing is left", func() { put(t, root, "proc/diskstats", "") }, "", 2},
	} {
		changes := k.Changes()
		step.do()
		if got := disksOf(t, k); got != step.want {
			t.Errorf("%s: got %q, want %q", step.name, got, step.want)
		}
		if got := k.Changes() - changes; got != step.changes {
			t.Errorf("%s: %d changes, want %d", step.name, got, step.changes)
		}
	}
}

// TestInterfacesComeAndGo: names go with the counters, links are asked anew.
func TestInterfacesComeAndGo(t *testing.T) {
	root := machine(t, "linux-4.19")
	k := open(t, Options{Root: root})
	s := new(sysstat.Sample)
	counters := " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
	put(t, root, "sys/class/net/eth0/duplex", "half\n")
	put(t, root, "sys/class/net/eth0/speed", "10\n")
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, "ib0 200000 2"},
		{func() { put(t, root, "sys/class/net/ib0/speed", "100000\n") }, "ib0 100000 2"},
		{func() { put(t, root, "sys/class/net/ib0/duplex", "unknown\n") }, "ib0 0 0"},
		{func() { put(t, root, "proc/net/dev", "eth0:"+counters+" ib0:"+counters) }, "eth0 10 1, ib0 0 0"},
		{func() { put(t, root, "proc/net/dev", "eth0:"+counters+"eth0:"+counters) }, "eth0 10 1"},
		{func() { put(t, root, "proc/net/dev", "eth9:"+counters) }, "eth9 0 0"},
		{func() { put(t, root, "proc/net/dev", "") }, ""},
	} {
		step.do()
		if err := k.Sample(s); err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, n := range s.Interfaces {
			list = append(list, fmt.Sprintf("%s %d %d", n.Name, n.SpeedMbit, n.Duplex))
		}
		if got := strings.Join(list, ", "); got != step.want || len(s.InterfaceErrors) != len(s.Interfaces) {
			t.Errorf("got %q, want %q", got, step.want)
		}
	}
}

// TestLongLists: files longer than any buffer at the start are read whole.
func TestLongLists(t *testing.T) {
	root := machine(t, "linux-4.19")
	var b strings.Builder
	const many = 3000
	for i := range many {
		fmt.Fprintf(&b, "259 %d nvme%dn1 1 0 8 1 0 0 0 0 0 1 1 0 0 0 0 0 0\n", i, i)
	}
	put(t, root, "proc/diskstats", b.String())
	k := open(t, Options{Root: root, Partitions: true})
	s := sample(t, k)
	if len(s.Disks) != many || s.Disks[many-1].Minor != many-1 {
		t.Errorf("got %d disks, want %d", len(s.Disks), many)
	}
}

// TestInterfaceReplaced: an interface that was made anew under its old name is
// asked through its own attributes, not those of the one that has gone.
func TestInterfaceReplaced(t *testing.T) {
	needRoot(t, "makes an interface")
	const name = "limpet-test"
	ip := func(args ...string) error { return exec.Command("ip", append([]string{"link"}, args...)...).Run() }
	add := func() {
		if err := errors.Join(ip("add", name, "type", "veth"), ip("set", name, "up")); err != nil {
			t.Skipf("ip link add %s type veth: %v", name, err)
		}
	}
	add()
	t.Cleanup(func() { _ = ip("del", name) })
	k := open(t, Options{Root: "/", Interfaces: []string{name}})
	first := sample(t, k).Interfaces
	if err := ip("del", name); err != nil {
		t.Fatal(err)
	}
	add()
	if again := sample(t, k).Interfaces; len(first) != 1 || first[0].Duplex != sysstat.FullDuplex || len(again) != 1 || again[0].SpeedMbit != first[0].SpeedMbit {
		t.Errorf("got %+v, then %+v", first, again)
	}
}
