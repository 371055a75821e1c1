package ssacli_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/sitetest"
	"github.com/limpet-storage/limpet/topology/site/ssacli"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, ssacli.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, ssacli.Read) }
