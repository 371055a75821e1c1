package journal

import (
	"flag"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state/formtest"
)

var update = flag.Bool("update", false, "write the golden of what is saved")

// TestSaved fails if the bytes of heads or records have changed and version has not.
func TestSaved(t *testing.T) {
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: 3, Servers: 2, Latencies: true}
	row := table.NewRow(schema)
	row.End, row.Heard = 1_300_000_515, []bool{true, false}
	copy(row.Values[0], []float64{1, 2, 2})
	row.LatencyOf(1)[0].Bytes = 4096
	row.Upkeep[2] = table.Checking
	row.Gauges[0] = table.ServerGauges{Known: true, PausesBegan: 2, Clients: []table.ClientTraffic{{Name: "c1", BytesPerSecond: 7}}}
	form := FormOf(schema)
	record := form.AppendRow(make([]byte, recordHeadBytes), row)
	seal(record, Row, 7)
	note := append(make([]byte, recordHeadBytes), "muted"...)
	seal(note, Note, 8)
	head := fileHead{Generation: 3, Next: 7, Last: 1_300_000_500, first: 5, second: 6}
	saved := formtest.Form{Golden: "testdata/saved.txt", Version: version, Raise: "version in live/journal/file.go", Lines: slices.Concat(
		formtest.ByteLines("the head of a log", head.bytes(logMagic)),
		formtest.ByteLines("the head of a snapshot", head.bytes(snapshotMagic)),
		formtest.ByteLines("the form of rows", form.Text()),
		formtest.ByteLines("a row", record),
		formtest.ByteLines("a note", note),
	)}
	saved.Check(t, *update)
}
