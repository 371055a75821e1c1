package symptom

import (
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
		sends, receives         float64    // MB/s of the first server beyond its peers
		wantDiskHog, wantNetHog bool
	}{
		"like its peers":                            {},
		"one drive serves more, the other less":     {reads: [2]float64{15, -15}},
		"the same without Ceph":                     {plain: true, reads: [2]float64{15, -15}, wantDiskHog: true},
		"one drive serves more, and it is sent":     {reads: [2]float64{15, 0}, sends: 15},
		"a process reads one drive":                 {reads: [2]float64{15, 0}, wantDiskHog: true},
		"a primary sends two copies of each object": {sends: 20, receives: 10},
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
