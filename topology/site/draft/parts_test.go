package draft_test

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
	"github.com/limpet-storage/limpet/topology/site/draft"
)

// TestParts: what tools say of single drives reaches the topology, and is read back.
func TestParts(t *testing.T) {
	var inv site.Inventory
	for i, name := range []string{"sdb", "sdc", "sdd"} {
		inv.Devices = append(inv.Devices, site.Device{
			At: site.At{File: "lsblk", Line: i}, Host: "nas1", Name: name, Kind: site.Drive, Serial: "ZL2A" + name, Firmware: "SN03", Kernel: "5.14.0",
			Enclosure: "c0/e252", Slot: string(rune('3' + i)), Link: "12.0 Gbit", Pool: "tank/raidz2-0",
		})
	}
	inv.Devices = append(inv.Devices, site.Device{Host: "nas1", Name: "sde", Kind: site.Drive, Pool: "md0", Redundancy: "raid6"})
	inv.Volumes = []site.Volume{{System: "lustre", Name: "work-OST0007", Servers: []string{"nas1"}, Host: "nas1", Device: "sde"}}
	text, err := draft.Topology(site.Join(inv), draft.Options{Name: "nas", Source: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := topology.Parse("nas.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	sdb, _ := s.Lookup("nas1/sdb")
	sde, _ := s.Lookup("nas1/sde")
	want := topology.Part{
		Serial: "ZL2Asdb", Firmware: "SN03", Enclosure: "c0/e252", Link: "12.0 Gbit", Kernel: "5.14.0", Storage: "zfs", Redundancy: "raidz2", Pool: "tank/raidz2-0",
	}
	if got := s.Components[sdb].Part; got != want {
		t.Errorf("%+v\nwant\n%+v\n%s", got, want, text)
	}
	want = topology.Part{Kernel: "5.14.0", Storage: "md", Redundancy: "raid6", Pool: "md0", Volume: "work-OST0007"}
	if got := s.Components[sde].Part; got != want {
		t.Errorf("%+v\nwant\n%+v\n%s", got, want, text)
	}
	if !strings.Contains(string(text), "\nkind: lustre\n") {
		t.Errorf("no kind:\n%s", text)
	}
}
