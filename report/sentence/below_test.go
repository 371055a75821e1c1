package sentence

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestNoSMARTOfWhatHasNone: a device that is made of a file or of others is looked at
// below, and nobody is sent for SMART values that it does not have.
func TestNoSMARTOfWhatHasNone(t *testing.T) {
	system, _, err := topology.Parse("made.yaml", []byte("name: made\nservers: s1\ndrives:\n  - devices: [loop1, md2, vdc, sdd]\n"))
	if err != nil {
		t.Fatal(err)
	}
	o := engine.DefaultOptions()
	v := New(system, table.Schema{StepSeconds: 15, Metrics: metric.Device()}, &o)
	for device, want := range map[string]string{"loop1": "losetup --list /dev/loop1", "md2": "lsblk --inverse /dev/md2", "vdc": "lsblk --inverse /dev/vdc", "sdd": "smartctl -x /dev/sdd"} {
		c, ok := system.Lookup("s1/" + device)
		if !ok {
			t.Fatalf("no %s", device)
		}
		for _, kind := range []finding.Kind{finding.SlowDrive, finding.SlowTail, finding.DiskBusy} {
			in := slowDrive(c, "s1/"+device)
			in.Kind = kind
			first := v.Next(&in)[0]
			if !strings.Contains(first.Command, want) || strings.Contains(first.Text, "Read the SMART values") != (device == "sdd") {
				t.Errorf("%s, %s: %s", device, kind, first)
			}
		}
	}
}
