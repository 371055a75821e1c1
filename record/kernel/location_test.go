package kernel

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestSeat: where drives sit and what they are attached to, by SAS, SATA and NVMe.
func TestSeat(t *testing.T) {
	root := t.TempDir()
	write := func(name, value string) {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(value+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const sas = "host6/port-6:0/expander-6:0/port-6:0:3/end_device-6:0:3/target6:0:3/6:0:3:0"
	write(sas+"/rev", "SN03")
	write("host6/port-6:0/expander-6:0/sas_device/expander-6:0/sas_address", "0x500605b0000272bf")
	write("host6/port-6:0/expander-6:0/port-6:0:3/phy-6:0:3/sas_phy/phy-6:0:3/negotiated_linkrate", "12.0 Gbit")
	write("enclosure/6:0:24:0/id", "0x500605b000027200")
	write("enclosure/6:0:24:0/Slot 03/slot", "3")
	if err := os.Symlink(filepath.Join(root, "enclosure/6:0:24:0/Slot 03"), filepath.Join(root, sas, "enclosure_device:Slot 03")); err != nil {
		t.Fatal(err)
	}
	write("ata3/host2/target2:0:0/2:0:0:0/rev", "CC52")
	write("ata3/link3/ata_link/link3/sata_spd", "6.0 Gbps")
	write("nvme/nvme0/firmware_rev", "GDC5302Q")
	write("nvme/nvme0/device/current_link_speed", "16.0 GT/s PCIe")
	write("nvme/nvme0/device/current_link_width", "4")
	for device, want := range map[string]sysstat.Device{
		sas:                              {Firmware: "SN03", Slot: "3", Enclosure: "0x500605b000027200", Expander: "0x500605b0000272bf", Link: "12.0 Gbit"},
		"ata3/host2/target2:0:0/2:0:0:0": {Firmware: "CC52", Link: "6.0 Gbps"},
		"nvme/nvme0":                     {Firmware: "GDC5302Q", Link: "16.0 GT/s PCIe x4"},
		"nothing":                        {},
	} {
		var got sysstat.Device
		addLocation(&got, filepath.Join(root, device))
		if got.Firmware != want.Firmware || got.Slot != want.Slot || got.Enclosure != want.Enclosure || got.Expander != want.Expander || got.Link != want.Link {
			t.Errorf("%s: %+v, want %+v", device, got, want)
		}
		var inv sysstat.Inventory
		for _, comment := range got.Comments() {
			inv.Add(comment)
		}
		if back, _ := inv.Device(0, 0); back.Firmware != want.Firmware || back.Link != want.Link || back.Slot != want.Slot || back.Enclosure != want.Enclosure {
			t.Errorf("%s is read back as %+v", device, back)
		}
	}
}
