package cluster

import (
	"flag"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/state/formtest"
)

var update = flag.Bool("update", false, "write the golden of what is said")

// TestSaid fails where a record is written in another form than before, and
// saidVersion is as before.
func TestSaid(t *testing.T) {
	s := Said{Number: 300, Fence: 7, Kind: 2, Cause: time.Unix(1_300_000_500, 9), Data: []byte("data")}
	said := formtest.Form{
		Golden: "testdata/said.txt", Version: saidVersion, Raise: "saidVersion in scale/replica/said.go", Lines: formtest.ByteLines("a record", s.bytes()),
	}
	said.Check(t, *update)
}
