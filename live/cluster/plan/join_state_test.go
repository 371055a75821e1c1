package plan

import (
	"flag"
	"testing"

	"github.com/limpet-storage/limpet/internal/state/formtest"
)

var update = flag.Bool("update", false, "write the golden of what is sent")

// TestSent fails if the bytes of a step have changed and formVersion has not: nodes of two versions
// would misread each other.
func TestSent(t *testing.T) {
	s, schema := world(t)
	step := NewCut(2, s, schema).Step(rows(schema, 1)[0], 1, 1)
	sent := formtest.Form{
		Golden: "testdata/sent.txt", Version: formVersion, Raise: "formVersion in live/cluster/plan/cut.go", Lines: formtest.ByteLines("a step", step),
	}
	sent.Check(t, *update)
}
