package metrics_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/metrics"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, metrics.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, metrics.Read) }
