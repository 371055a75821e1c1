package ceph_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/ceph"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, ceph.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, ceph.Read) }
