package collect

import (
	"net/netip"
	"slices"

	"github.com/limpet-storage/limpet/sysstat"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/tcpstat"
)

// windows reads the congestion windows of one machine's connections from its
// records. A server has one average, over its sockets to clients; a client has
// one for each host of the system, over its connections to it.
//
// Storage is served over connections that the client opens. Of a remote host
// that also has connections the other way round, only the former count: on the
// server those that it accepted, on the client those that it dialled.
type windows struct {
	book      *book
	client    bool
	component int // of a server: the host that it is, -1 where it is none
	row       int // of a server: where its average goes, -1: nowhere
	share     *share
	peers     []tcpstat.Peer

	talks    bool                // a client: it has a connection to a server
	disputed map[netip.Addr]bool // remote addresses that are of several machines
	damaged  int                 // records whose items cannot be read
	err      error               // of the first of them
}

// newWindows reads nothing of a server unless cwnd_out is chosen. A machine
// that is no server is looked at in any case, until it proves to be a client.
func newWindows(name string, a *Activity) windows {
	w := windows{book: a.book, client: !a.book.serves[name], component: -1, row: a.choice.out, disputed: map[netip.Addr]bool{}}
	if w.client {
		w.share = a.inward.of(len(a.clients))
	} else if host, ok := a.system.FindHost(name); ok {
		w.component = host
	}
	return w
}

// width is how many averages there are.
func (w *windows) width() int {
	switch {
	case w.client && w.share != nil:
		return len(w.book.hosts)
	case w.component >= 0 && w.row >= 0:
		return 1
	}
	return 0
}

// read takes the windows of a record.
func (w *windows) read(rec *sysstat.Record, r *table.Reading) {
	if len(r.Cwnds) == 0 && (!w.client || w.talks) {
		return
	}
	clear(r.Cwnds)
	w.decode(rec)
	for i := range w.peers {
		p := &w.peers[i]
		if i > 0 && p.Remote == w.peers[i-1].Remote && p.Dialled != w.client {
			continue // it has connections on the side that counts
		}
		if w.client {
			w.addInward(p, r.Cwnds)
		} else {
			w.addOutward(p, r.Cwnds)
		}
	}
}

// addOutward takes the windows of a server towards a client, by socket.
func (w *windows) addOutward(p *tcpstat.Peer, cwnds []table.Average) {
	if o := w.book.owner(p.Remote); !o.server && (o.watched || !w.book.watching) {
		cwnds[0].Add(p.Cwnd, float64(p.Sockets))
	}
}

// addInward takes the windows of a client towards a server. Clients count
// alike, however many sockets each of them has.
func (w *windows) addInward(p *tcpstat.Peer, cwnds []table.Average) {
	owner := w.book.owner(p.Remote)
	w.talks = w.talks || owner.server
	if owner.disputed {
		w.disputed[p.Remote] = true
	}
	if owner.host >= 0 && len(cwnds) > 0 {
		cwnds[owner.host].Add(p.Cwnd, 1)
	}
}

// decode lists the remote hosts with established sockets in the order of their
// addresses, the side that counts first.
func (w *windows) decode(rec *sysstat.Record) {
	w.peers = w.peers[:0]
	raw, count, size := rec.Items(tcpstat.ID)
	for range count {
		var p tcpstat.Peer
		if err := tcpstat.Decode(raw[:size], &p); err != nil {
			w.damage(err)
			return
		}
		if raw = raw[size:]; p.Sockets > 0 && !p.Remote.IsLoopback() {
			w.peers = append(w.peers, p)
		}
	}
	slices.SortStableFunc(w.peers, func(a, b tcpstat.Peer) int {
		if order := a.Remote.Compare(b.Remote); order != 0 || a.Dialled == b.Dialled {
			return order
		}
		if a.Dialled == w.client {
			return -1
		}
		return 1
	})
}

// damage drops the connections of a record.
func (w *windows) damage(err error) {
	w.peers = w.peers[:0]
	w.damaged++
	if w.err == nil {
		w.err = err
	}
}

// put sets the value of a server, or hands on the share of a client, for the
// step at a place of the batch.
func (w *windows) put(s *table.Step, row *table.Row, at int) {
	switch {
	case len(s.Cwnds) == 0:
	case w.client:
		w.share.set(at, s.Cwnds)
	default:
		row.Values[w.row][w.component] = s.Cwnds[0].Value()
	}
}
