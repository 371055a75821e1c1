package evaluate

import (
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/topology"
)

// TestFaultsOfServersShowWhereTheyCan: a server's disk fault is expected on its
// drive alone; what shows on its interface is right too, but no miss.
func TestFaultsOfServersShowWhereTheyCan(t *testing.T) {
	text := "servers: ios[1-3]\ndrives:\n  - devices: sdb\n    peers: all\ninterfaces:\n  - names: eth0\nhosts: ios[1-3]\n"
	system, _, err := topology.Parse("t.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := map[simulate.Kind]topology.Kind{
		simulate.DiskHog: topology.Attachment, simulate.DiskBusy: topology.Attachment,
		simulate.NetworkHog: topology.Interface, simulate.PacketLoss: topology.Host,
	}
	for kind, on := range want {
		s, err := showsOn(system, &simulate.Fault{Kind: kind, Component: "ios2"})
		if err != nil || len(s.Expected) != 1 || len(s.Allowed) != 2 {
			t.Fatalf("%s: %+v, %v", kind, s, err)
		}
		if c := system.Components[s.Expected[0]]; c.Kind != on || c.Server != "ios2" {
			t.Errorf("%s is expected on %s", kind, c.Name)
		}
	}
}
