package zfs_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/sitetest"
	"github.com/limpet-storage/limpet/topology/site/zfs"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, zfs.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, zfs.Read) }
