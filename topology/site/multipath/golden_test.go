package multipath_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/multipath"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, multipath.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, multipath.Read) }
