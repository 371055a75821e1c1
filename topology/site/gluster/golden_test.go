package gluster_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/gluster"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, gluster.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, gluster.Read) }
