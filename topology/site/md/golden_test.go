package md_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/md"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, md.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, md.Read) }
