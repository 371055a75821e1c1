package beegfs_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/beegfs"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, beegfs.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, beegfs.Read) }
