package arrays

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// A tape is all records of a server's activity file.
type tape struct {
	server    string
	times     []int64
	uptimes   []uint64
	disks     []map[string]sysstat.Disk // by device name
	networks  []sysstat.Interface
	cpus      [][]sysstat.CPU
	inventory *sysstat.Inventory
}

func play(t *testing.T, path string) *tape {
	t.Helper()
	r, err := sysstat.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := &tape{server: r.Header().Hostname, inventory: r.Inventory()}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type == sysstat.Stats {
			p.take(rec)
		}
	}
	if w := r.Warnings(); len(w) > 0 {
		t.Errorf("%s: %v", path, w)
	}
	return p
}

func (p *tape) take(rec *sysstat.Record) {
	p.times, p.uptimes = append(p.times, rec.Time), append(p.uptimes, rec.Uptime)
	disks := rec.Disks(nil)
	byName := map[string]sysstat.Disk{}
	for i, name := range p.inventory.Names(disks, nil) {
		byName[name] = disks[i]
	}
	p.disks = append(p.disks, byName)
	p.networks = append(p.networks, rec.Interfaces(nil)...)
	p.cpus = append(p.cpus, rec.CPUs(nil))
}

// tapes plays the activity files of all servers.
func tapes(t *testing.T, s *Scenario) []*tape {
	t.Helper()
	dir, _ := write(t, s)
	paths, err := filepath.Glob(filepath.Join(dir, simulate.ActivityDir, "*"))
	if err != nil || len(paths) != 8 {
		t.Fatalf("%d activity files, %v", len(paths), err)
	}
	var all []*tape
	for _, path := range paths {
		all = append(all, play(t, path))
	}
	return all
}

func counted(d sysstat.Disk) metric.Disk {
	return metric.Disk{
		IOs: d.IOs, ReadSectors: d.ReadSectors, WriteSectors: d.WriteSectors,
		ReadMs: d.ReadTicks, WriteMs: d.WriteTicks, BusyMs: d.BusyTicks, QueueMs: d.QueueTicks,
	}
}

// TestRecords wants a record every five seconds, and devices that are in it
// until the very second in which their controller fails.
func TestRecords(t *testing.T) {
	s := brief(1)
	for _, p := range tapes(t, s) {
		if len(p.times) != 121 {
			t.Fatalf("%s has %d records, want 121", p.server, len(p.times))
		}
		for i := range p.times {
			if want := s.Start.Unix() + 5*int64(i); p.times[i] != want {
				t.Fatalf("%s: record %d is of %d, want %d", p.server, i, p.times[i], want)
			}
			if i > 0 && p.uptimes[i]-p.uptimes[i-1] != 500 {
				t.Fatalf("%s: record %d: %d/100 s since the one before", p.server, i, p.uptimes[i]-p.uptimes[i-1])
			}
			want := 24
			if failed := p.times[i] > s.Events[0].From.Unix(); failed && (p.server == "fs5" || p.server == "fs6") {
				want = 0
			}
			if len(p.disks[i]) != want {
				t.Fatalf("%s: record %d has %d devices, want %d", p.server, i, len(p.disks[i]), want)
			}
		}
	}
}

// TestCounters wants counters that only rise, times that go with the
// requests, and network and processors that go with the disks.
func TestCounters(t *testing.T) {
	busy := 0
	for _, p := range tapes(t, brief(1)) {
		for i := 1; i < len(p.times); i++ {
			moved := uint64(0)
			for name, now := range p.disks[i] {
				before, ok := p.disks[i-1][name]
				work, rose := difference(now, before)
				if !ok || !rose {
					t.Fatalf("%s: %s of record %d fell from %+v to %+v", p.server, name, i, before, now)
				}
				if what := inconsistent(work, 5000); what != "" {
					t.Fatalf("%s: %s of record %d: %s: %+v", p.server, name, i, what, work)
				}
				moved += work.Read * 512
				if work.IOs > 0 {
					busy++
				}
			}
			if sent := p.networks[i].TxBytes - p.networks[i-1].TxBytes; sent < moved {
				t.Fatalf("%s: record %d: %d bytes read, %d sent", p.server, i, moved, sent)
			}
			if total := jiffies(p.cpus[i][0]) - jiffies(p.cpus[i-1][0]); total < 1980 || total > 2020 {
				t.Fatalf("%s: record %d: %d jiffies of 4 CPUs in 5 s", p.server, i, total)
			}
		}
	}
	if busy < 48*100 {
		t.Errorf("only %d busy intervals", busy)
	}
}

// difference wants all counters risen, in plain numbers and not modulo.
func difference(now, before sysstat.Disk) (metric.DiskWork, bool) {
	a, b := counted(now), counted(before)
	work, ok := a.Since(&b)
	return work, ok && now.ReadTicks >= before.ReadTicks && now.WriteTicks >= before.WriteTicks &&
		now.BusyTicks >= before.BusyTicks && now.QueueTicks >= before.QueueTicks
}

// inconsistent says which law an interval of so many ms breaks. Each counter
// is rounded by itself, so two may be 2 ms apart.
func inconsistent(w metric.DiskWork, ms uint64) string {
	switch {
	case w.QueueMs > w.WaitMs+2 || w.WaitMs > w.QueueMs+2:
		return "the queue is not what waited (Little's law)"
	case w.BusyMs > ms+1:
		return "busy for longer than there was time"
	case w.BusyMs > w.QueueMs+2:
		return "busy without requests under way"
	case w.IOs == 0 && (w.Moved > 0 || w.WaitMs > 0):
		return "work without requests"
	case w.Moved < w.IOs*8: // sectors
		return "requests of less than a page"
	}
	return ""
}

func jiffies(c sysstat.CPU) uint64 { return c.System + c.SoftIRQ + c.IOWait + c.Idle }

// TestInventory wants every device to be found in the topology, by its name
// and with the WWN that it has on each server.
func TestInventory(t *testing.T) {
	s := brief(1)
	system, err := s.System()
	if err != nil {
		t.Fatal(err)
	}
	wwns := map[string]string{}
	for _, p := range tapes(t, s) {
		for name, disk := range p.disks[0] {
			known, ok := p.inventory.Device(disk.Major, disk.Minor)
			c, found := system.Find(p.server, topology.Device{Name: name, Major: disk.Major, Minor: disk.Minor, WWN: known.WWN})
			if !ok || !found || known.Model != "S2A9900" || known.Size != 8e12 {
				t.Fatalf("%s of %s is %+v", name, p.server, known)
			}
			if want := fmt.Sprintf("0x%016x%016x", disk.WWN[0], disk.WWN[1]); known.WWN != want {
				t.Errorf("%s of %s has WWN %s in the record and %s in the inventory", name, p.server, want, known.WWN)
			}
			lun := system.Components[c].LUN
			if wwns[known.WWN] == "" {
				wwns[known.WWN] = lun
			}
			if wwns[known.WWN] != lun {
				t.Errorf("WWN %s is LUN %s and LUN %s", known.WWN, wwns[known.WWN], lun)
			}
		}
	}
	if len(wwns) != 48 {
		t.Errorf("%d WWNs, want 48", len(wwns))
	}
}

// TestRowsAreThoseOfFiles folds the files by hand.
func TestRowsAreThoseOfFiles(t *testing.T) {
	s := brief(1)
	f := shoot(t, s, 15)
	compared := 0
	for _, p := range tapes(t, s) {
		at := map[int64]int{}
		for i, end := range p.times {
			at[end] = i
		}
		for _, row := range f.rows {
			now, whole := at[row.End]
			before := at[row.End-15]
			if !whole { // the files end within the step
				continue
			}
			for name, disk := range p.disks[now] {
				c, _ := f.system.Find(p.server, topology.Device{Name: name})
				a, b := counted(disk), counted(p.disks[before][name])
				work, _ := a.Since(&b)
				for m, want := range work.Values(15) {
					if got := row.Values[m][c]; got != want {
						t.Fatalf("%s of %s at %d: %s is %v, the file says %v", name, p.server, row.End, metric.Device()[m].Name, got, want)
					}
					compared++
				}
			}
		}
	}
	if compared < 8*144*38 {
		t.Errorf("only %d values compared", compared)
	}
}
