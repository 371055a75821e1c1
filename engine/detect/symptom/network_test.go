package symptom

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
)

// linked sets the speed of a link, in gigabits per second.
func linked(gigabits float64) func(*machine) {
	return func(m *machine) { m[window.IfSpeed] = gigabits * 125e6 }
}

// TestTraffic: at the peers an interface receives 10 and sends 20 MB/s.
func TestTraffic(t *testing.T) {
	o := defaultLimits()
	quiet := func(m *machine) { m[window.RxBytes], m[window.RxPackets] = 0, 0 }
	busy := func(m *machine) { m.Sends(80, fullFrame) }
	sends := func(mb float64) func(*machine) { return func(m *machine) { m.Sends(mb, fullFrame) } }
	receives := func(mb float64) func(*machine) { return func(m *machine) { m.Receives(mb, fullFrame) } }
	asked := func(m *machine) { m.Receives(40, 250); m.Sends(40, 250) }
	for name, tt := range map[string]signCase{
		"like its peers":                        {Symptom: finding.Receives, Score: 0},
		"full frames count whole":               {Own: func(m *machine) { m.Receives(10, fullFrame); m.Sends(0.2, 66) }, Symptom: finding.Receives, Score: 10, Odd: true},
		"frames fuller than full count whole":   {Own: func(m *machine) { m.Receives(10, 9000) }, Symptom: finding.Receives, Score: 10, Odd: true},
		"sends bulk, and hears it acknowledged": {Own: func(m *machine) { m.Sends(10, fullFrame); m.Receives(0.2, 66) }, Symptom: finding.Sends, Score: 10, Odd: true},
		"bulk among requests": { // as many bytes in full frames as in small ones
			Own: func(m *machine) { m.Receives(10, fullFrame); m.Receives(10, 512) }, Symptom: finding.Receives, Score: 10, Odd: true,
		},
		"is asked for names, many times its peers": {Own: asked, Symptom: finding.Receives, Score: 0},
		"answers, many times its peers":            {Own: asked, Symptom: finding.Sends, Score: 0},
		"acknowledges twice as much":               {Own: func(m *machine) { m.Sends(5, 66) }, Symptom: finding.Sends, Score: 0},
		"receives what it writes":                  {Own: func(m *machine) { m.Receives(10, fullFrame); m.Writes(10) }, Symptom: finding.Receives, Score: 0, Also: []finding.Symptom{finding.Serves}},
		"receives more than it writes":             {Own: func(m *machine) { m.Receives(20, fullFrame); m.Writes(10) }, Symptom: finding.Receives, Score: 10, Odd: true},
		"sends what it reads":                      {Own: func(m *machine) { m.Sends(10, fullFrame); m.Reads(10) }, Symptom: finding.Sends, Score: 0},
		"sends from memory what clients ask for":   {Own: func(m *machine) { m.Sends(10, fullFrame); m[window.DlvOut] *= 1.5 }, Symptom: finding.Sends, Score: 0},
		"sends more than clients ask for":          {Own: func(m *machine) { m.Sends(10, fullFrame); m[window.DlvOut] *= 1.2 }, Symptom: finding.Sends, Score: 6, Odd: true},
		"receives what clients send":               {Own: func(m *machine) { m.Receives(10, fullFrame); m[window.DlvIn] *= 2 }, Symptom: finding.Receives, Score: 0},
		"hardly more than clients ask for":         {Own: func(m *machine) { m.Sends(10, fullFrame); m[window.DlvOut] *= 1.3 }, Symptom: finding.Sends, Score: 4},
		"nobody knows the clients":                 {Peers: alike(7, func(m *machine) { m[window.DlvOut] = 0 }), Own: sends(10), Symptom: finding.Sends, Score: 10, Odd: true},
		"writes do not explain what is sent":       {Own: func(m *machine) { m.Sends(10, fullFrame); m.Writes(5) }, Symptom: finding.Sends, Score: 10, Odd: true},
		"reads less than its peers, sends as much": {Own: func(m *machine) { m[window.Read] = 0 }, Symptom: finding.Sends, Score: 0}, // a cache is no fault
		"less than a fifth beyond busy peers":      {Peers: alike(7, busy), Own: sends(19.9), Symptom: finding.Sends, Score: 19.9},
		"more than a fifth beyond busy peers":      {Peers: alike(7, busy), Own: sends(20.1), Symptom: finding.Sends, Score: 20.1, Odd: true},
		"less than a megabyte":                     {Peers: alike(7, quiet), Own: receives(0.9), Symptom: finding.Receives, Score: 0.9},
		"more than a megabyte":                     {Peers: alike(7, quiet), Own: receives(1.1), Symptom: finding.Receives, Score: 1.1, Odd: true},
		"a hundredth of a slow link":               {Peers: alike(7, quiet, linked(0.1)), Own: receives(0.13), Symptom: finding.Receives, Score: 0.13, Odd: true},
		"less than a hundredth of a slow link":     {Peers: alike(7, quiet, linked(0.1)), Own: receives(0.12), Symptom: finding.Receives, Score: 0.12},
		"less than a hundredth of a fast link":     {Peers: alike(7, quiet, linked(10), sends(100)), Own: receives(12.4), Symptom: finding.Receives, Score: 12.4},
		"a hundredth of a fast link":               {Peers: alike(7, quiet, linked(10), sends(100)), Own: receives(12.6), Symptom: finding.Receives, Score: 12.6, Odd: true},
		"a link that is slower than it says":       {Peers: alike(7, quiet, linked(10)), Own: receives(4.1), Symptom: finding.Receives, Score: 4.1, Odd: true},
	} {
		t.Run(name, func(t *testing.T) { tt.Hold(t, o.examineNetwork) })
	}
}

// TestTrafficIsShared: the work of a server's drives is the traffic of all its
// interfaces.
func TestTrafficIsShared(t *testing.T) {
	o := defaultLimits()
	for mb, want := range map[float64]float64{15: 0, 30: 15} {
		machines := alike(5)
		machines[0].Writes(30)
		machines[0].Receives(mb, fullFrame)
		shape := shape{Servers: 5, Drives: 1, Interfaces: 2, Hosts: 1, Sets: 1}
		found := 0
		for _, s := range windows(shape, steady(machines, 64), func(w *Window) { o.examineNetwork(w) })[0] {
			if s.Symptom != finding.Receives || shape.System().Components[s.Component].Server != "ios1" {
				continue
			}
			if found++; !near(s.Score, want) || s.Anomalous != (want > 0) {
				t.Errorf("%g MB/s an interface: %+v, want a score of %g", mb, s, want)
			}
		}
		if found != 2 {
			t.Errorf("%d signs of its two interfaces", found)
		}
	}
}

// TestServesMore: what all drives of a server read and write together explains its traffic. A server
// that serves three drives, where each peer serves one, is no network-hog, although no drive has more
// work than its peers' drives. Traffic that its drives did not read or write makes it one.
func TestServesMore(t *testing.T) {
	o := defaultLimits()
	const servers, each = 6, 3
	system := shape{Servers: servers, Drives: each, Interfaces: 1, Hosts: 1, Sets: 1}.System()
	for name, tt := range map[string]struct {
		drives       int     // that the first server serves
		sends        float64 // MB/s beyond its peers
		serves, hogs bool
	}{
		"like its peers":                         {1, 0, false, false},
		"serves three drives":                    {3, 40, true, false},
		"sends more than its three drives read":  {3, 80, false, true},
		"sends what no drive read":               {1, 40, false, true},
		"serves two drives, in part from memory": {2, 24, true, false},
	} {
		totals := window.NewTotals(schema(system, 1), shiftSeconds, winSeconds/shiftSeconds)
		w := newWindow(blame.NewMap(system), totals, winSeconds)
		row := table.NewRow(schema(system, 1))
		machines := alike(servers)
		machines[0].Sends(tt.sends, fullFrame)
		for second := range int64(winSeconds) {
			row.End = begin + second + 1
			fill(row, system, machines)
			for c := range servers * each { // drives that are not served
				if server, drive := c/each, c%each; drive > 0 && (server > 0 || drive >= tt.drives) {
					row.Values[window.TPS][c], row.Values[window.Read][c], row.Values[window.Written][c] = 0, 0, 0
				}
			}
			totals.Row(row, func(end int64, steps int) {
				if w.Measure(end, steps) {
					o.examineNetwork(w)
				}
			})
		}
		odd := map[finding.Symptom]bool{}
		for _, s := range w.Signs {
			if s.Anomalous && system.Components[s.Component].Server == "ios1" {
				odd[s.Symptom] = true
			}
		}
		if odd[finding.Serves] != tt.serves || odd[finding.Sends] != tt.hogs {
			t.Errorf("%s: serves more %t, network-hog %t, want %t and %t", name, odd[finding.Serves], odd[finding.Sends], tt.serves, tt.hogs)
		}
	}
}
