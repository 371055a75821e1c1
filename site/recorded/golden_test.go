package recorded_test

import (
	"testing"

	"github.com/limpet-storage/limpet/site/recorded"
	"github.com/limpet-storage/limpet/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, recorded.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, recorded.Read) }
