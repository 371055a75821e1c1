package kernel

import (
	"fmt"
	"strings"
	"testing"
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
