package symptom

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// TestCephServers: of two drives of a server of Ceph, one may serve more than the other, and a server
// may forward what it receives. A process that reads a drive, or sends to a third party, is still
// found. Without Ceph, each of the two is a hog.
func TestCephServers(t *testing.T) {
	const servers, each = 6, 2
	o := defaultLimits()
	disks := newDiskDetector(o, 100)
	for name, tt := range map[string]struct {
		plain                   bool       // the drives are not of Ceph
		reads                   [2]float64 // MB/s of the two drives of the first server beyond those of its peers
		writes                  float64    // MB/s of the first drive beyond those of its peers
		sends, receives         float64    // MB/s of the first server beyond its peers
		wantDiskHog, wantNetHog bool
	}{
		"like its peers":                            {},
		"one drive serves more, the other less":     {reads: [2]float64{15, -15}},
		"the same without Ceph":                     {plain: true, reads: [2]float64{15, -15}, wantDiskHog: true},
		"one drive serves more, and it is sent":     {reads: [2]float64{15, 0}, sends: 15},
		"a process reads one drive":                 {reads: [2]float64{15, 0}, wantDiskHog: true},
		"a primary sends two copies of each object": {sends: 20, receives: 10},
		"a primary also serves more reads":          {reads: [2]float64{5, 5}, sends: 30, receives: 10},
		"and a process sends to a third party":      {reads: [2]float64{5, 5}, sends: 60, receives: 10, wantNetHog: true},
		"a primary writes more, and is sent more":   {writes: 10, sends: 20, receives: 10},
		"and a process receives":                    {writes: 10, sends: 20, receives: 45, wantNetHog: true},
		"the same without Ceph, forwarded":          {plain: true, sends: 20, receives: 10, wantNetHog: true},
		"a process sends to a third party":          {sends: 20, wantNetHog: true},
		"a process receives":                        {receives: 20, wantNetHog: true},
	} {
		system := shape{Servers: servers, Drives: each, Interfaces: 1, Hosts: 1, Sets: 1}.System()
		for c := range servers * each {
			if !tt.plain {
				system.Components[c].Storage = "ceph"
			}
		}
		totals := window.NewTotals(schema(system, 1), shiftSeconds, winSeconds/shiftSeconds)
		w := newWindow(blame.NewMap(system), totals, winSeconds)
		row := table.NewRow(schema(system, 1))
		machines := alike(servers)
		machines[0].Sends(tt.sends, fullFrame)
		machines[0].Receives(tt.receives, fullFrame)
		for second := range int64(winSeconds) {
			row.End = begin + second + 1
			fill(row, system, machines)
			row.Values[window.Written][0] += tt.writes * bytesPerMegabyte / sectorBytes
			for drive, mb := range tt.reads {
				row.Values[window.Read][drive] += mb * bytesPerMegabyte / sectorBytes
			}
			totals.Row(row, func(end int64, steps int) {
				if w.Measure(end, steps) {
					disks.Examine(w)
					o.examineNetwork(w)
				}
			})
		}
		odd := map[finding.Symptom]bool{}
		for _, s := range w.Signs {
			if s.Anomalous {
				odd[s.Symptom] = true
				if server := system.Components[s.Component].Server; server != "ios1" {
					t.Errorf("%s: symptom %d of %s is odd", name, s.Symptom, server)
				}
			}
		}
		if disk, net := odd[finding.Loaded], odd[finding.Sends] || odd[finding.Receives]; disk != tt.wantDiskHog || net != tt.wantNetHog {
			t.Errorf("%s: disk-hog %t, network-hog %t, want %t and %t", name, disk, net, tt.wantDiskHog, tt.wantNetHog)
		}
	}
}

// TestCephQueues: the loads of six OSDs differ, and the busiest is saturated, as measured on a real Ceph
// without a fault. No drive is accused. Without Ceph, or with another order of loads and waits, the
// drive with the longest wait is accused; so is a drive whose fault begins while all clients slow down.
func TestCephQueues(t *testing.T) {
	type load struct{ requests, read, await, util float64 } // read in kB/s
	measured := []load{{113, 3898, 10.1, 56}, {73, 2579, 0.3, 2}, {85, 2998, 0.9, 5}, {95, 3526, 2.3, 12}, {61, 2117, 0.3, 2}, {98, 3411, 1.3, 8}}
	inOrder := func(order ...int) []load { // the first drive waits longest, with the load of another drive
		list := slices.Clone(measured)
		for i, other := range order {
			list[i].requests, list[i].read = measured[other].requests, measured[other].read
		}
		return list
	}
	slowed := slices.Clone(measured)
	for i := range slowed {
		slowed[i].requests, slowed[i].read = slowed[i].requests/5, slowed[i].read/5
	}
	slowed[0].await, slowed[0].util = 120, 99
	two := slices.Clone(slowed) // the drive with more work waits longer
	two[3].await, two[3].util = 90, 99
	for name, tt := range map[string]struct {
		plain bool
		first []load // before the window that is judged
		loads []load
		want  bool // the first drive is accused
	}{
		"as measured":                       {loads: measured},
		"the same without Ceph":             {plain: true, loads: measured, want: true},
		"the longest wait at a median load": {loads: inOrder(2, 1, 0), want: true},
		"a fault slows down all clients":    {first: measured, loads: slowed, want: true},
		"two faults":                        {first: measured, loads: two, want: true},
	} {
		o := defaultLimits()
		system := plain(len(measured)).System()
		for c := range measured {
			if !tt.plain {
				system.Components[c].Storage = "ceph"
			}
		}
		disks := newDiskDetector(o, len(system.Components))
		totals := window.NewTotals(schema(system, 1), shiftSeconds, winSeconds/shiftSeconds)
		w := newWindow(blame.NewMap(system), totals, winSeconds)
		row := table.NewRow(schema(system, 1))
		second, accused := int64(0), map[int]bool{}
		for _, loads := range [][]load{tt.first, tt.loads} {
			machines := alike(len(measured))
			for i, l := range loads {
				m := &machines[i]
				m[window.TPS], m[window.Read], m[window.Written], m[window.Await], m[window.Util] = l.requests, l.read*1000/sectorBytes, 0, l.await, l.util
				m[window.RxBytes], m[window.TxBytes] = 0, l.read*1000
			}
			for range winSeconds {
				if loads == nil {
					break
				}
				second++
				row.End = begin + second
				fill(row, system, machines)
				totals.Row(row, func(end int64, steps int) {
					if w.Measure(end, steps) {
						clear(accused)
						disks.Examine(w)
						for _, s := range w.Signs {
							if s.Symptom == finding.Waits && s.Anomalous {
								accused[s.Component] = true
							}
						}
					}
				})
			}
		}
		if name == "two faults" && !accused[3] {
			t.Errorf("%s: only drives %v are accused", name, accused)
		}
		if accused[0] != tt.want || !tt.plain && !tt.want && len(accused) > 0 {
			t.Errorf("%s: drives %v are accused", name, accused)
		}
	}
}
