package kernel

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// FuzzDisk: a plain twin reads the same of every line that is taken.
func FuzzDisk(f *testing.F) {
	f.Add("   8       0 sda 24012 311 1847102 9120 88121 5312 3184522 71245 0 60212 82104 1 0 8 2 1204 1739")
	f.Add("   8    1 sda1 10 80 20 160")
	f.Add(" 253 0 dm-0 1 2 3 4 5 6 7 8 9 10 11")
	f.Add("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 x 12")
	f.Fuzz(func(t *testing.T, line string) {
		name, got, done, ok := parseDisk(words(line))
		if !ok {
			return
		}
		wantName, want := plainDisk(line)
		if string(name) != wantName || got != want || done.all() != want.IOs {
			t.Fatalf("%q: got %s %+v, want %s %+v", line, name, got, wantName, want)
		}
	})
}

// plainDisk reads a line that has all that it must; a counter that is no
// number ends it.
func plainDisk(line string) (name string, d sysstat.Disk) {
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' })
	v := map[int]uint64{}
	for i, f := range fields {
		n, err := strconv.ParseUint(f, 10, 64)
		if err != nil && i != 2 {
			break
		}
		v[i] = n
	}
	return fields[2], sysstat.Disk{
		Major: uint32(v[0]), Minor: uint32(v[1]), IOs: v[3] + v[7] + v[14],
		ReadSectors: v[5], ReadTicks: uint32(v[6]), WriteSectors: v[9], WriteTicks: uint32(v[10]),
		BusyTicks: uint32(v[12]), QueueTicks: uint32(v[13]), DiscardSectors: v[16], DiscardTicks: uint32(v[17]),
	}
}

func FuzzInterface(f *testing.F) {
	f.Add("  eth0: 627947667   40245    0    0    0     0          0         0  4059914   42192    0    0    0     0       0          0")
	f.Add(" face |bytes    packets errs drop fifo frame compressed multicast|bytes")
	f.Add("eth0:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16")
	f.Fuzz(func(t *testing.T, line string) {
		name, work, faults, ok := parseInterface(words(line))
		if !ok {
			return
		}
		again := fmt.Sprintf("%s:%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", name,
			work.RxBytes, work.RxPackets, faults.RxErrors, faults.RxDropped, faults.RxFIFO, faults.RxFrame, work.RxCompressed, work.Multicast,
			work.TxBytes, work.TxPackets, faults.TxErrors, faults.TxDropped, faults.TxFIFO, faults.Collisions, faults.TxCarrier, work.TxCompressed)
		name2, work2, faults2, ok := parseInterface(words(again))
		if !ok || !bytes.Equal(name, name2) || work != work2 || faults != faults2 {
			t.Fatalf("%q: %q reads differently", line, again)
		}
	})
}

func FuzzCPUs(f *testing.F) {
	f.Add("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu2 1 2 3 4\nintr 1 2 3\n")
	f.Add("cpu99999999 1\ncpux 1\ncpu8191 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if cpus := appendCPUs(nil, []byte(text)); len(cpus) > maxCPUs+1 {
			t.Fatalf("%d processors", len(cpus))
		}
	})
}

func FuzzTCP(f *testing.F) {
	f.Add(" 1 200 120000 -1 1805 1643 5 3 0 55996 58003 9 0 16 0")
	f.Add(" RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens")
	f.Fuzz(func(t *testing.T, line string) {
		var s sysstat.Sample
		if !parseTCP(words(line), &s) {
			if s.TCP != (sysstat.TCP{}) || s.TCPErrors != (sysstat.TCPErrors{}) {
				t.Fatalf("%q: refused, yet %+v %+v", line, s.TCP, s.TCPErrors)
			}
			return
		}
		fields := words(line)
		for range 5 {
			fields.next()
		}
		if n, ok := fields.number(); !ok || n != s.TCP.PassiveOpens {
			t.Fatalf("%q: %+v", line, s.TCP)
		}
	})
}

func FuzzUptime(f *testing.F) {
	f.Add("25766.58 15275.66\n")
	f.Add("1.2.3")
	f.Fuzz(func(t *testing.T, text string) {
		if n, ok := parseUptime([]byte(text)); ok {
			again := fmt.Sprintf("%d.%02d", n/100, n%100)
			if m, ok := parseUptime([]byte(again)); !ok || m != n {
				t.Fatalf("%q: %d, %q: %d", text, n, again, m)
			}
		}
	})
}

// FuzzLink: the WWN of a link is the one that its text leads back to.
func FuzzLink(f *testing.F) {
	f.Add("wwn-0x5000c500a1b2c3d4")
	f.Add("wwn-0x600605b00a2bdf00242b28c10dcb1999-part2")
	f.Fuzz(func(t *testing.T, name string) {
		id, ok := parseLink(name)
		if !ok || id.String() == "" {
			return
		}
		if again, ok := parseLink("wwn-" + id.String()); !ok || again.wwn != id.wwn {
			t.Fatalf("%q: %s", name, id)
		}
	})
}

// FuzzAttributes: whatever a device says of itself makes comments that an
// inventory takes.
func FuzzAttributes(f *testing.F) {
	f.Add("8:16", "naa.5000c500a1b2c3d4", "3600605b00a2bdf00242b28c10dcb1999", "\x00\x80\x00\x08ZL2A9XYZ", "10000")
	f.Add("0:0", "t10.ATA", "eui.1", "", "-1")
	f.Fuzz(func(t *testing.T, dev, wwid, id, page, speed string) {
		if mbit := parseSpeed([]byte(speed)); mbit == unknownSpeed {
			t.Fatalf("%q is a speed", speed)
		}
		major, minor, ok := parseDevice(dev)
		if !ok {
			return
		}
		d := sysstat.Device{Major: major, Minor: minor, Name: "x", WWN: parseWWID(wwid), Model: parseMapID(id), Serial: serialPage(page)}
		var inv sysstat.Inventory
		for _, c := range d.Comments() {
			if !inv.Add(c) {
				t.Fatalf("%q is not taken", c)
			}
		}
	})
}
