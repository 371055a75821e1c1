package lsblk_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/lsblk"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, lsblk.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, lsblk.Read) }
