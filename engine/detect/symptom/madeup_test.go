package symptom

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/topology"
)

// shape is a system of equal servers. Its servers belong to the sets in turn, and only
// servers of one set are peers.
type shape struct{ Servers, Drives, Interfaces, Hosts, Sets int }

// plain is a system with a drive, an interface and connections on each server, all
// peers.
func plain(servers int) shape {
	return shape{Servers: servers, Drives: 1, Interfaces: 1, Hosts: 1, Sets: 1}
}

// System returns drives, then interfaces, then hosts, each server by server.
func (s shape) System() *topology.System {
	out := &topology.System{}
	for i := range s.Servers {
		out.Servers = append(out.Servers, fmt.Sprintf("ios%d", i+1))
	}
	for kind, each := range []int{topology.Attachment: s.Drives, topology.Interface: s.Interfaces, topology.Host: s.Hosts} {
		first := len(out.Groups)
		for set := range s.Sets {
			out.Groups = append(out.Groups, topology.PeerGroup{ID: first + set + 1, Name: fmt.Sprintf("%v %d", topology.Kind(kind), set)})
		}
		for i := range s.Servers * each {
			server := i / each
			g := &out.Groups[first+server%s.Sets]
			g.Members = append(g.Members, len(out.Components))
			out.Components = append(out.Components, topology.Component{
				Name: fmt.Sprintf("ios%d/%d.%d", server+1, kind, i%each), Kind: topology.Kind(kind), Server: out.Servers[server], Group: g.ID,
			})
		}
	}
	return out
}

// machine is a server in one second, by column; missing where it is not measured.
type machine [window.NumColumns]float64

// Sizes in bytes.
const (
	bytesPerMegabyte = 1e6
	fullFrame        = 1448
)

// usualMachine is a server that reads 20 MB/s and writes 10 MB/s for its clients, in two
// fifths of its drive's time. It lacks the columns of newer recorders.
func usualMachine() machine {
	m := machine{
		window.TPS: 100, window.Read: 20 * bytesPerMegabyte / sectorBytes, window.Written: 10 * bytesPerMegabyte / sectorBytes, window.Await: 20, window.Util: 40,
		window.RxBytes: 10 * bytesPerMegabyte, window.TxBytes: 20 * bytesPerMegabyte, window.RxPackets: 10 * bytesPerMegabyte / fullFrame, window.TxPackets: 20 * bytesPerMegabyte / fullFrame,
		window.CwndOut: 30, window.CwndIn: 30, window.DlvOut: 14000, window.DlvIn: 7000,
	}
	for c := window.IfSpeed; c < window.NumColumns; c++ {
		m[c] = table.Missing
	}
	return m
}

// alike returns n servers, each with the same changes.
func alike(n int, changes ...func(*machine)) []machine {
	list := make([]machine, n)
	for i := range list {
		list[i] = usualMachine()
		for _, change := range changes {
			change(&list[i])
		}
	}
	return list
}

// Reads adds reads of so many megabytes per second.
func (m *machine) Reads(mb float64) { m[window.Read] += mb * bytesPerMegabyte / sectorBytes }

// Writes adds writes.
func (m *machine) Writes(mb float64) { m[window.Written] += mb * bytesPerMegabyte / sectorBytes }

// Receives adds traffic in frames of a size.
func (m *machine) Receives(mb, frame float64) {
	m[window.RxBytes] += mb * bytesPerMegabyte
	m[window.RxPackets] += mb * bytesPerMegabyte / frame
}

// Sends adds traffic in the other direction.
func (m *machine) Sends(mb, frame float64) {
	m[window.TxBytes] += mb * bytesPerMegabyte
	m[window.TxPackets] += mb * bytesPerMegabyte / frame
}

// Loses makes a percentage of the segments be sent again, each way, on connections with
// the given congestion windows.
func (m *machine) Loses(percent, cwnd float64) {
	for _, w := range window.Directions {
		m[w.Resent], m[w.Cwnd] = m[w.Delivered]*percent/(100-percent), cwnd
	}
}

// begin is a multiple of every shift in the tests.
const begin = 1251763200

// schema holds every metric of the totals.
func schema(system *topology.System, stepSeconds int64) table.Schema {
	return table.Schema{StepSeconds: stepSeconds, Metrics: window.Columns[:], Components: len(system.Components), Load: -1}
}

// subjects are the kinds of components that metrics are measured on.
var subjects = [...]topology.Kind{metric.SubjectDevice: topology.Attachment, metric.SubjectInterface: topology.Interface, metric.SubjectHost: topology.Host}

// fill sets the values that the components of a server share.
func fill(row *table.Row, system *topology.System, machines []machine) {
	for c, server := range system.ServerOf() {
		for m := range window.Columns {
			if subjects[window.Columns[m].Subject] == system.Components[c].Kind {
				row.Values[m][c] = machines[server][m]
			}
		}
	}
}

// The windows of tests: F10's.
const (
	winSeconds   = 64
	shiftSeconds = 32
)

// defaultLimits returns the default bounds of symptoms.
func defaultLimits() limits { return limits{DefaultOptions(), criteria.DefaultOptions()} }

// windows examines seconds of machines, and returns the signs of each window.
func windows(s shape, seconds [][]machine, examine func(*Window)) [][]Sign {
	system := s.System()
	totals := window.NewTotals(schema(system, 1), shiftSeconds, winSeconds/shiftSeconds)
	w := newWindow(blame.NewMap(system), totals, winSeconds)
	row := table.NewRow(schema(system, 1))
	var all [][]Sign
	for i, machines := range seconds {
		row.End = begin + int64(i) + 1
		fill(row, system, machines)
		totals.Row(row, func(end int64, steps int) {
			if w.Measure(end, steps) {
				examine(w)
				all = append(all, slices.Clone(w.Signs))
			}
		})
	}
	return all
}

// steady repeats machines for a number of seconds.
func steady(machines []machine, seconds int) [][]machine {
	return slices.Repeat([][]machine{machines}, seconds)
}

// of returns the sign of a server of a plain shape, or nil.
func of(list []Sign, servers, server int, symptom finding.Symptom) *Sign {
	at := slices.IndexFunc(list, func(s Sign) bool { return s.Symptom == symptom && s.Component%servers == server })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// signCase is one server, the first, beside its peers in one window.
type signCase struct {
	Peers   []machine // by default seven that are alike
	Own     func(*machine)
	Symptom finding.Symptom
	Score   float64 // missing: there is no sign
	Odd     bool
	Doubt   finding.Doubt
	Also    []finding.Symptom // that are odd as well
}

// Hold examines the first server, and checks that no other server is odd.
func (x *signCase) Hold(t *testing.T, examine func(*Window)) {
	t.Helper()
	machines := slices.Clone(x.Peers)
	if machines == nil {
		machines = alike(7)
	}
	if x.Own != nil {
		x.Own(&machines[0])
	}
	list := windows(plain(len(machines)), steady(machines, winSeconds), examine)[0]
	x.compare(t, of(list, len(machines), 0, x.Symptom))
	for i := range list {
		s := &list[i]
		if s.Anomalous && (s.Component%len(machines) > 0 || s.Symptom != x.Symptom && !slices.Contains(x.Also, s.Symptom)) {
			t.Errorf("odd as well: %+v", *s)
		}
	}
	for _, symptom := range x.Also {
		if s := of(list, len(machines), 0, symptom); s == nil || !s.Anomalous {
			t.Errorf("symptom %d is not odd: %+v", symptom, s)
		}
	}
}

func (x *signCase) compare(t *testing.T, s *Sign) {
	t.Helper()
	switch {
	case s == nil:
		if !table.IsMissing(x.Score) {
			t.Errorf("no sign, want a score of %g", x.Score)
		}
	case table.IsMissing(x.Score):
		t.Errorf("%+v, want no sign", *s)
	case !near(s.Score, x.Score) || s.Anomalous != x.Odd || s.Doubt != x.Doubt:
		t.Errorf("score %g, odd %t, doubt %d, want %g, %t, %d", s.Score, s.Anomalous, s.Doubt, x.Score, x.Odd, x.Doubt)
	}
}

// near compares sums that were added in different orders.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}
