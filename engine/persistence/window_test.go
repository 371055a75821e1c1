package persistence

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// TestGroupsStandAlone: the comparisons of a group do not depend on the other components
// of the system, wherever these are, nor on whether load is measured beside the metric.
// Of every four components the first is of another group, the second of the group, the
// third of a group that is too small, and the last of another kind.
func TestGroupsStandAlone(t *testing.T) {
	const members, steps = 8, 400
	series := noisy(members, steps, 6)
	scale(series[2][150:], 3)
	for _, load := range []bool{false, true} {
		crowd, schema := crowded(members, load)
		alone, narrow := peers(members)
		narrow.Metrics, narrow.Load = schema.Metrics, schema.Load
		got := comparisonsOf(t, crowd, schema, 1, series, func(i int) int { return 4*i + 1 })
		want := comparisonsOf(t, alone, narrow, 0, series, func(i int) int { return i })
		if len(want) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("load measured: %t: %d windows in a crowd are not the %d of the group alone", load, len(got), len(want))
		}
	}
}

// crowded returns a system of four groups of one server, and its schema.
func crowded(members int, load bool) (*topology.System, table.Schema) {
	s := &topology.System{Servers: []string{"fs1"}, Groups: make([]topology.PeerGroup, 4)}
	for c := range 4 * members {
		kind := topology.Attachment
		if c%4 == 3 {
			kind = topology.Host
		}
		s.Components = append(s.Components, topology.Component{Name: fmt.Sprint(c), Kind: kind, Server: "fs1"})
		if g := &s.Groups[c%4]; c%4 != 2 || len(g.Members) < topology.MinPeers-1 {
			g.ID, g.Name = c%4+1, fmt.Sprint(c%4)
			g.Members = append(g.Members, c)
		}
	}
	schema := table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await, metric.TPS}, Components: 4 * members, Load: -1}
	if load {
		schema.Load = 1
	}
	return s, schema
}

// comparisonsOf returns the comparisons of a group whose members have the series, by
// member. All other components have values of their own.
func comparisonsOf(t *testing.T, system *topology.System, schema table.Schema, group int, series [][]float64, place func(i int) int) [][]Verdict {
	t.Helper()
	d, err := New(DefaultOptions(), system, schema, []string{"await"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]Verdict
	for step := range series[0] {
		row := table.NewRow(schema)
		row.End = int64(step+1) * schema.StepSeconds
		for c := range schema.Components {
			row.Values[0][c], row.Values[1][c] = float64(step*c%97), float64(step*c%7)
		}
		for i := range series {
			row.Values[0][place(i)], row.Values[1][place(i)] = series[i][step], float64((step+i)%5)
		}
		d.Push(row, func(w *Window) {
			if w.Group == group {
				all = append(all, append([]Verdict(nil), w.Verdicts...))
			}
		})
	}
	for _, comparisons := range all {
		for i := range comparisons {
			comparisons[i].Component = i
		}
	}
	return all
}
