package symptom

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

// shape is what a system of equal servers is made of. Its servers belong to
// the sets in turn, and only those of one set are peers.
type shape struct{ servers, drives, interfaces, hosts, sets int }

// plainShape is a drive, an interface and connections a server, all peers.
func plainShape(servers int) shape {
	return shape{servers: servers, drives: 1, interfaces: 1, hosts: 1, sets: 1}
}

// system lists drives, then interfaces, then hosts, each server by server.
func (s shape) system() *topology.System {
	out := &topology.System{}
	for i := range s.servers {
		out.Servers = append(out.Servers, fmt.Sprintf("ios%d", i+1))
	}
	for kind, each := range []int{topology.Attachment: s.drives, topology.Interface: s.interfaces, topology.Host: s.hosts} {
		first := len(out.Groups)
		for set := range s.sets {
			out.Groups = append(out.Groups, topology.PeerGroup{ID: first + set + 1, Name: fmt.Sprintf("%v %d", topology.Kind(kind), set)})
		}
		for i := range s.servers * each {
			server := i / each
			g := &out.Groups[first+server%s.sets]
			g.Members = append(g.Members, len(out.Components))
			out.Components = append(out.Components, topology.Component{
				Name: fmt.Sprintf("ios%d/%d.%d", server+1, kind, i%each), Kind: topology.Kind(kind), Server: out.Servers[server], Group: g.ID,
			})
		}
	}
	return out
}

// kinds of component that metrics are of.
var kinds = [...]topology.Kind{metric.OfDevice: topology.Attachment, metric.OfInterface: topology.Interface, metric.OfHost: topology.Host}

// A machine is what a server does in a second, by column; missing what is not
// measured.
type machine [numColumns]float64

const (
	megabyte   = 1e6
	smallFrame = 512
	fullFrame  = 1448
)

// usual is a server that reads and writes a little for its clients.
func usual() machine {
	return machine{
		tps: 100, rd: 20 * megabyte / sector, wr: 10 * megabyte / sector, wait: 20, util: 40,
		rxByt: 10 * megabyte, txByt: 20 * megabyte, rxPck: 10 * megabyte / fullFrame, txPck: 20 * megabyte / fullFrame,
		cwndOut: 30, cwndIn: 30, retrOut: 0, retrIn: 0, dlvOut: 14000, dlvIn: 7000,
	}
}

// peers are n equal servers.
func peers(n int) []machine {
	list := make([]machine, n)
	for i := range list {
		list[i] = usual()
	}
	return list
}

// schemaOf holds every metric that symptoms are made of, once a second.
func schemaOf(system *topology.System) table.Schema {
	return table.Schema{StepSeconds: 1, Metrics: columns[:], Components: len(system.Components), Load: -1}
}

// fill sets the values that the components of a server share.
func fill(row *table.Row, system *topology.System, machines []machine) {
	for c, server := range system.ServerOf() {
		for m := range columns {
			if kinds[columns[m].Subject] == system.Components[c].Kind {
				row.Values[m][c] = machines[server][m]
			}
		}
	}
}

// rowOf is a row in which machines do the same as ever.
func rowOf(d *Detector, machines []machine) *table.Row {
	row := table.NewRow(schemaOf(d.places.System))
	fill(row, d.places.System, machines)
	return row
}

// bounds are those that the tables of tests are about.
func bounds() Options {
	o := DefaultOptions()
	o.BusierPercent = 10
	return o
}

// begin is a multiple of every shift that tests use.
const begin = 1251763200

// stream pushes as many seconds of the same, and returns the signs of each
// window.
func stream(t *testing.T, s shape, machines []machine, seconds int) [][]sign {
	t.Helper()
	system := s.system()
	x, err := newExaminer(bounds(), place.NewMap(system), schemaOf(system))
	if err != nil {
		t.Fatal(err)
	}
	row := table.NewRow(schemaOf(system))
	fill(row, system, machines)
	var windows [][]sign
	for i := range seconds {
		row.End = begin + int64(i) + 1
		x.push(row, func(w *window) { windows = append(windows, append([]sign{}, w.signs...)) })
	}
	return windows
}

// signsOf are the signs of one window of servers that have one component of a kind.
func signsOf(t *testing.T, machines []machine) []sign {
	t.Helper()
	windows := stream(t, plainShape(len(machines)), machines, 64)
	if len(windows) != 1 {
		t.Fatalf("64 s make %d windows", len(windows))
	}
	return windows[0]
}

// of finds the sign of a server; nil where it has none.
func of(list []sign, machines, server int, kind Kind) *sign {
	for i := range list {
		if list[i].kind == kind && list[i].Component%machines == server {
			return &list[i]
		}
	}
	return nil
}

// A bound case is one server, the first, beside its peers.
type bound struct {
	peers []machine // by default seven that are alike
	own   func(*machine)
	kind  Kind
	score float64 // missing: there is no sign
	odd   bool
	doubt string
	also  []Kind // that are odd as well
}

// hold judges the first server and says that nobody else is odd.
func (b *bound) hold(t *testing.T) {
	machines := slices.Clone(b.peers)
	if machines == nil {
		machines = peers(7)
	}
	if b.own != nil {
		b.own(&machines[0])
	}
	list := signsOf(t, machines)
	b.judge(t, of(list, len(machines), 0, b.kind))
	for i := range list {
		s := &list[i]
		if s.odd && (s.Component%len(machines) > 0 || s.kind != b.kind && !slices.Contains(b.also, s.kind)) {
			t.Errorf("odd as well: %+v", *s)
		}
	}
	for _, kind := range b.also {
		if s := of(list, len(machines), 0, kind); s == nil || !s.odd {
			t.Errorf("kind %d is not odd: %+v", kind, s)
		}
	}
}

func (b *bound) judge(t *testing.T, s *sign) {
	switch {
	case s == nil:
		if !table.IsMissing(b.score) {
			t.Errorf("no sign, want a score of %g", b.score)
		}
	case table.IsMissing(b.score):
		t.Errorf("%+v, want no sign", *s)
	case !near(s.Score, b.score) || s.odd != b.odd || s.doubt != b.doubt:
		t.Errorf("score %g, odd %t, doubt %q, want %g, %t, %q", s.Score, s.odd, s.doubt, b.score, b.odd, b.doubt)
	}
}

// near compares what was added up in another order.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}
