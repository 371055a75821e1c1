package hdfs_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/hdfs"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, hdfs.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, hdfs.Read) }
