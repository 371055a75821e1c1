package cluster

import (
	"flag"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/state/formtest"
)

var update = flag.Bool("update", false, "write the golden of what is said")

// TestSaid fails if the bytes of an output have changed and outputVersion has not.
func TestSaid(t *testing.T) {
	s := Output{Number: 300, Fence: 7, Kind: 2, Cause: time.Unix(1_300_000_500, 9), Data: []byte("data")}
	said := formtest.Form{
		Golden: "testdata/said.txt", Version: outputVersion, Raise: "outputVersion in live/cluster/output.go", Lines: formtest.ByteLines("a record", s.encode()),
	}
	said.Check(t, *update)
}
