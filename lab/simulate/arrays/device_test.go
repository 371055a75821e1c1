package arrays

import (
	"testing"

	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/topology"
)

// TestSdNumber holds the numbers against the names that sysstat reads from
// them.
func TestSdNumber(t *testing.T) {
	names, err := topology.Expand("sd[a-iv]") // all 256 that have numbers here
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != 256 {
		t.Fatalf("%d names", len(names))
	}
	for _, name := range names {
		major, minor, ok := sdNumber(name)
		if got := devname.Of(major, minor); !ok || got != name {
			t.Errorf("%s has %d:%d, which is %s", name, major, minor, got)
		}
	}
	for _, name := range []string{"", "sd", "sdA", "sda1", "dm-3", "sdiw", "nvme0n1"} {
		if major, minor, ok := sdNumber(name); ok {
			t.Errorf("%q is taken for %d:%d", name, major, minor)
		}
	}
}

func TestNewDevice(t *testing.T) {
	sd := newDevice(&topology.Component{Device: "sdq", LUN: "1.16"}, 3)
	if sd.name != "sdq" || sd.major != 65 || sd.minor != 0 {
		t.Errorf("sdq is %+v", sd)
	}
	dm := newDevice(&topology.Component{Device: "ost1_lun00", LUN: "1.00"}, 3)
	if dm.name != "ost1_lun00" || dm.major != dmMajor || dm.minor != 3 {
		t.Errorf("ost1_lun00 is %+v", dm)
	}
	wwn := "600a098000bf4c1d0000a5b15e1c2f00"
	known := newDevice(&topology.Component{WWN: wwn, LUN: "0.00"}, 0)
	if got := known.inventory().WWN; got != "0x"+wwn || known.name != "dm-0" {
		t.Errorf("a device of WWN %s is %s of %s", wwn, known.name, got)
	}
	short := newDevice(&topology.Component{WWN: "5000c500a1b2c3d4"}, 0)
	if got := short.inventory().WWN; got != "0x5000c500a1b2c3d4" {
		t.Errorf("a WWN of 16 digits became %s", got)
	}
}
