package sasircu_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/sasircu"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, sasircu.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, sasircu.Read) }
