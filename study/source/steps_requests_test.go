package source

import (
	"io"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/survey"
	"github.com/limpet-storage/limpet/topology"
)

// TestRequests: requests of an hour are added up by drive and told group by group.
func TestRequests(t *testing.T) {
	system := &topology.System{
		Components: []topology.Component{{Name: "a/sda", Server: "a", Group: 1}, {Name: "b/sda", Server: "b", Group: 1}, {Name: "a/sdb", Server: "a", Group: 1}},
		Groups:     []topology.PeerGroup{{ID: 1, Name: "all"}},
	}
	rows := &madeRows{schema: table.Schema{StepSeconds: 1800, Metrics: recorded, Components: 3, Latencies: true}}
	for n := range 4 { // two hours
		row := table.NewRow(rows.schema)
		row.End = int64(1800 * (n + 1))
		for c := range 3 {
			row.Values[0][c], row.Values[2][c] = 1, 2
			row.LatencyOf(c)[blklat.Read].Device = blklat.Histogram{{Bucket: 9, Requests: uint32(c + 1)}}
		}
		rows.rows = append(rows.rows, *row)
	}
	type told struct{ hour, group, drive int32 }
	got := map[told]uint64{}
	o := DefaultStepsOptions()
	o.Requests = func(hour, group int32, drives []survey.Drive) {
		for _, d := range drives {
			got[told{hour, group, d.Drive}] += d.Requests.Requests()
		}
	}
	r, err := Fold(rows, system, o)
	if err != nil {
		t.Fatal(err)
	}
	var b study.Batch
	for err == nil {
		err = r.Next(&b)
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	for hour := range int32(2) {
		for at, want := range map[told]uint64{{hour, 0, 0}: 2, {hour, 1, 1}: 4, {hour, 0, 2}: 6} {
			if got[at] != want {
				t.Errorf("%+v has %d requests, want %d", at, got[at], want)
			}
		}
	}
	if len(got) != 6 {
		t.Errorf("%v", got)
	}
}
