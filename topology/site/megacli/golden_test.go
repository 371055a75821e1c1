package megacli_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/megacli"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, megacli.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, megacli.Read) }
