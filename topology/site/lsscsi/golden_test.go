package lsscsi_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/lsscsi"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, lsscsi.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, lsscsi.Read) }
