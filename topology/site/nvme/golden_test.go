package nvme_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/nvme"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, nvme.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, nvme.Read) }
