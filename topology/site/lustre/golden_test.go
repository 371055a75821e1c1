package lustre_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/lustre"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, lustre.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, lustre.Read) }
