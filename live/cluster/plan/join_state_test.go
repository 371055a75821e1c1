package plan

import (
	"flag"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state/formtest"
)

var update = flag.Bool("update", false, "write the golden of what is sent")

// TestSent fails if the bytes of a step have changed and formVersion has not: nodes of two versions
// would misread each other.
func TestSent(t *testing.T) {
	s, schema := world(t)
	row := rows(schema, 1)[0]
	plain := NewCut(2, s, schema).Step(row, 1, 1)
	row.Gauges[1].Clients = []table.ClientTraffic{{Name: "c1", BytesPerSecond: 7}}
	step := NewCut(2, s, schema).Step(row, 1, 1)
	sent := formtest.Form{
		Golden: "testdata/sent.txt", Version: formVersion, Raise: "formVersion in live/cluster/plan/cut.go",
		Lines: slices.Concat(formtest.ByteLines("a step", step), formtest.ByteLines("a step without traffic by client", plain)),
	}
	sent.Check(t, *update)
}
