package storcli_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/sitetest"
	"github.com/limpet-storage/limpet/topology/site/storcli"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, storcli.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, storcli.Read) }
