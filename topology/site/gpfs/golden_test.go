package gpfs_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/gpfs"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, gpfs.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, gpfs.Read) }
