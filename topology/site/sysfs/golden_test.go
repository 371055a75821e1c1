package sysfs_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/sitetest"
	"github.com/limpet-storage/limpet/topology/site/sysfs"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, sysfs.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, sysfs.Read) }
