package recorded_test

import (
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/topology/site/recorded"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, recorded.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, recorded.Read) }

// TestNames: a device of an activity file has the name that sar prints, as everywhere.
func TestNames(t *testing.T) {
	inv, err := recorded.File(checkout.Path(t, "record/sysstat/testdata/sa-disk"))
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.Devices) != 1 || inv.Devices[0].Name != "vda" || inv.Devices[0].Number != "254:0" {
		t.Errorf("%+v, want vda", inv.Devices)
	}
}
