package ses_test

import (
	"testing"

	"github.com/limpet-storage/limpet/topology/site/ses"
	"github.com/limpet-storage/limpet/topology/site/sitetest"
)

func TestGolden(t *testing.T) { sitetest.Golden(t, ses.Read) }

func FuzzRead(f *testing.F) { sitetest.Fuzz(f, ses.Read) }
