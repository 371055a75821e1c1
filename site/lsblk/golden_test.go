package lsblk_test

import (
	"testing"

	"github.com/limpet-storage/limpet/site/lsblk"
	"github.com/limpet-storage/limpet/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, lsblk.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, lsblk.Read) }
