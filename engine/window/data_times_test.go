package window_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// rack returns some servers with a drive each, and with an interface each if wanted.
func rack(servers int, interfaces bool) *blame.Map {
	s := &topology.System{Groups: []topology.PeerGroup{{ID: 1, Name: "all"}}}
	for i := range servers {
		name := fmt.Sprintf("h%d", i+1)
		s.Servers = append(s.Servers, name)
		s.Components = append(s.Components, topology.Component{Name: name + "/sda", Server: name, Group: 1})
		s.Groups[0].Members = append(s.Groups[0].Members, i)
	}
	for i := range servers {
		if interfaces {
			s.Components = append(s.Components, topology.Component{Name: s.Servers[i] + "/eth0", Server: s.Servers[i], Kind: topology.Interface})
		}
	}
	return blame.NewMap(s)
}

func schema(m *blame.Map, step int64, metrics ...metric.Metric) table.Schema {
	return table.Schema{StepSeconds: step, Metrics: metrics, Components: len(m.System.Components)}
}

// TestSilent: a server that has sent data is silent after five minutes and after four
// rows, whichever is later.
func TestSilent(t *testing.T) {
	const epoch = 1_000_000_800
	for _, tt := range []struct {
		step   int64
		sparse bool
		rows   int // without a word of the second server, after which it is silent; 0: never
	}{{15, false, 20}, {1, false, 300}, {60, false, 5}, {100, false, 4}, {3600, false, 4}, {15, true, 0}} {
		m := rack(3, false)
		s := schema(m, tt.step, metric.Await)
		s.Sparse = tt.sparse
		h := window.NewDataTimes(criteria.DefaultOptions(), m, s)
		row := table.NewRow(s)
		silent := 0
		for n := range 400 {
			row.Clear()
			row.End = epoch + int64(n+1)*tt.step
			row.Values[0][0] = 1
			if n == 0 {
				row.Values[0][1] = 0 // it is there, and does nothing
			}
			h.Row(row)
			if h.IsSilent(1) && silent == 0 {
				silent = n
			}
			if h.IsSilent(0) || h.IsSilent(2) {
				t.Fatalf("step %d, row %d: a server that speaks, or never spoke, is silent", tt.step, n)
			}
		}
		if silent != tt.rows || h.LastData[1] != epoch+tt.step || h.LastData[2] != 0 || h.Begin != epoch || h.Last != epoch+400*tt.step {
			t.Errorf("step %d: silent after %d rows, want %d; %+v", tt.step, silent, tt.rows, h.LastData)
		}
		row.Values[0][1] = 1
		if h.Row(row); h.IsSilent(1) || !slices.Equal(h.HasData, []bool{true, true, false}) {
			t.Errorf("step %d: a server that is back is silent, heard %v", tt.step, h.HasData)
		}
	}
}

// TestHeardByRow: Heard in a row takes precedence over its values.
func TestHeardByRow(t *testing.T) {
	m := rack(2, false)
	s := schema(m, 15, metric.Await)
	s.Servers = 2
	h := window.NewDataTimes(criteria.DefaultOptions(), m, s)
	row := table.NewRow(s)
	row.End, row.Heard[1] = 30, true // it has lost its devices
	if h.Row(row); !slices.Equal(h.HasData, []bool{false, true}) || h.Begin != 15 {
		t.Errorf("heard %v, from %d on", h.HasData, h.Begin)
	}
}

// TestIdle: a server without load while others have load is idle. If all are without
// load, none is. Each letter is one second of a server: w has load, n has noise on its
// network, . has no load, a blank is missing.
func TestIdle(t *testing.T) {
	for _, tt := range []struct {
		name    string
		span    int64
		first   string // of the first server; the second works as others says
		others  string
		want    []window.Idleness
		excused bool // at the end
	}{
		{"works", 3, "wwwwww", "wwwwww", nil, false},
		{"rests", 3, "ww...w", "wwwwww", []window.Idleness{{Server: 0, From: 102, To: 105, Times: 1, Seconds: 3}}, false},
		{"not for long", 3, "www..w", "wwwwww", nil, false},
		{"to the end", 4, "ww....", "wwwwww", []window.Idleness{{Server: 0, From: 102, To: 106, Times: 1, Seconds: 4}}, true},
		{"half of it at the end", 4, "wwww..", "wwwwww", nil, true},
		{"less at the end", 4, "wwwww.", "wwwwww", nil, false},
		{"twice", 2, "..w...w", "wwwwwww", []window.Idleness{{Server: 0, From: 100, To: 106, Times: 2, Seconds: 5}}, false},
		{"noise is no work", 3, "wnnnnn", "wwwwww", []window.Idleness{{Server: 0, From: 101, To: 106, Times: 1, Seconds: 5}}, true},
		{"all rest", 3, "w.....", "w.....", nil, false},
		{"all rest in between", 3, "w.....", "ww...w", []window.Idleness{{Server: 0, From: 101, To: 106, Times: 1, Seconds: 5}}, true},
		{"nothing is known", 3, "w     ", "wwwwww", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := rack(2, true)
			s := schema(m, 1, metric.Await, metric.TPS, metric.RxByt)
			d := window.NewIdleServers(m, s, tt.span)
			row := table.NewRow(s)
			for i := range tt.first {
				row.Clear()
				row.End = 101 + int64(i)
				for server, does := range []byte{tt.first[i], tt.others[i]} {
					work(row, server, does)
				}
				d.Row(row)
			}
			if got := d.List(); !slices.Equal(got, tt.want) || d.IsIdleNow(0) != tt.excused {
				t.Errorf("idle %+v, want %+v; excused %t", got, tt.want, d.IsIdleNow(0))
			}
		})
	}
}

func work(row *table.Row, server int, does byte) {
	drive, nic := server, 2+server
	switch does {
	case ' ':
		return
	case 'w':
		row.Values[1][drive], row.Values[2][nic] = 10, 1e6
	case 'n':
		row.Values[1][drive], row.Values[2][nic] = 0, metric.RxByt.Noise/2
	default:
		row.Values[1][drive], row.Values[2][nic] = 0, 0
	}
	row.Values[0][drive] = 5
}
