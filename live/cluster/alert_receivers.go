// Each node writes its receivers of alerts into the log of alerts. So the node that decides which
// alerts fire knows the receivers of all nodes. If two nodes have different receivers, limpet
// reports the difference.

package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/plan"
)

// nodeReceivers are the receivers of one node.
type nodeReceivers struct {
	Node      string
	Seen      int64 // Unix time at which the node last wrote this entry
	Receivers []alert.Receiver
	Settings  string // options of alerts without the receivers, as JSON
	StepForm  int    // newest version of step messages that the node can read (plan.FormVersion); 0 if an older version of limpet wrote the entry
}

// writeReceiversEvery is the interval at which a node writes its receivers again, because the other
// nodes ignore old entries (method recent).
const writeReceiversEvery = time.Hour

// announceReceivers writes the receivers of this node into the log, after each change and at
// regular intervals. The first time, beginAlerts writes the receivers.
func (g *Gather) announceReceivers(ctx context.Context) error {
	wait := writeReceiversEvery
	for {
		select {
		case <-time.After(wait):
		case <-g.newReceivers:
		case <-ctx.Done():
			return nil
		}
		wait = writeReceiversEvery
		if _, err := g.writeReceivers(ctx); err != nil && ctx.Err() == nil {
			g.o.Warn(fmt.Sprintf("the other nodes do not know the receivers of alerts of this node: %v; limpet tries again", err))
			wait = g.o.Bus.LeaseTime
		}
	}
}

// writeReceivers writes the list of all nodes with their receivers into the log, with a new entry
// for this node. It returns the number of the record in the log.
func (g *Gather) writeReceivers(ctx context.Context) (uint64, error) {
	mine, err := g.myReceivers()
	if err != nil {
		return 0, err
	}
	for ctx.Err() == nil {
		last, err := g.alerts.log.Last(ctx, receiversSubject)
		if err != nil && !errors.Is(err, bus.ErrNone) {
			return 0, err
		}
		m := AlertMessage{Node: g.o.Node, Nodes: []nodeReceivers{mine}}
		if err == nil {
			if _, before, err := ParseAlert(last); err == nil {
				m.Nodes = append(m.Nodes, slices.DeleteFunc(g.recent(before.Nodes), func(n nodeReceivers) bool { return n.Node == g.o.Node })...)
			}
		}
		slices.SortFunc(m.Nodes, func(a, b nodeReceivers) int { return cmp.Compare(a.Node, b.Node) })
		data, err := m.encode()
		if err != nil {
			return 0, err
		}
		out := Output{Kind: receiversKind, Cause: g.o.Now(), Data: data}
		id := fmt.Sprintf("receivers %s after %d", g.o.Node, last.Seq)
		seq, err := g.alerts.log.Put(ctx, bus.Record{Subject: receiversSubject, ID: id, Data: out.encode()}, last.Seq)
		if !errors.Is(err, bus.ErrConflict) {
			return seq, err
		}
	}
	return 0, ctx.Err()
}

// myReceivers returns the entry of this node.
func (g *Gather) myReceivers() (nodeReceivers, error) {
	g.mu.Lock()
	o := g.o.Alert
	g.mu.Unlock()
	list := o.Receivers
	o.Receivers, o.QuietBefore = nil, 0
	settings, err := json.Marshal(o)
	return nodeReceivers{Node: g.o.Node, Seen: g.o.Now().Unix(), Receivers: list, Settings: string(settings), StepForm: plan.FormVersion}, err
}

// repeatReceivers makes this node write its entry again if another node has written the list
// without the StepForm of this node. This happens if the other node has an older version of limpet.
// An older version does not know the field StepForm, and leaves it out. If this node has already
// read a newer list, repeatReceivers does nothing.
func (g *Gather) repeatReceivers(seq uint64, k Kind, m *AlertMessage) {
	if k != receiversKind || m.Node == g.o.Node || g.alerts.hasRosterAfter(seq) {
		return
	}
	if slices.ContainsFunc(m.Nodes, func(n nodeReceivers) bool { return n.Node == g.o.Node && n.StepForm == plan.FormVersion }) {
		return
	}
	select {
	case g.newReceivers <- struct{}{}:
	default:
	}
}

// nodesWithin is the longest time for which awaitNodes waits.
const nodesWithin = 10 * time.Second

// awaitNodes waits until this node has read the list of all nodes from the log of alerts. Without
// the list, this node does not know which versions of steps the other nodes can read. So it would
// send its first rows without the traffic between servers and clients (table.ClientTraffic).
// These rows often cover many hours.
func (g *Gather) awaitNodes(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, nodesWithin)
	defer stop()
	for {
		g.alerts.mu.Lock()
		isKnown, moved := len(g.alerts.roster) > 0, g.alerts.moved
		g.alerts.mu.Unlock()
		if isKnown {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

// olderNodes returns the names of the nodes that cannot read messages with steps of the present
// version (plan.FormVersion). It considers the nodes that have written their receivers within
// LogRetention.Rows (by default, one day). The second result is false if this node does not know
// the other nodes yet.
func (g *Gather) olderNodes() (names []string, isKnown bool) {
	all := g.knownNodes()
	for _, n := range all {
		if n.StepForm < plan.FormVersion {
			names = append(names, n.Node)
		}
	}
	return names, len(all) > 0
}

// recent returns the entries of nodes that have written their receivers within the time
// LogRetention.Rows (by default, one day). So if a node is down for less than this time, the
// notifications for its receivers are kept, and are sent later.
func (g *Gather) recent(all []nodeReceivers) []nodeReceivers {
	since := g.o.Now().Add(-g.o.LogRetention.Rows).Unix()
	return slices.DeleteFunc(slices.Clone(all), func(n nodeReceivers) bool { return n.Seen < since })
}

// knownNodes returns the entries of all nodes that have lately written their receivers (recent),
// ordered by name.
func (g *Gather) knownNodes() []nodeReceivers {
	g.alerts.mu.Lock()
	all := g.alerts.roster
	g.alerts.mu.Unlock()
	return g.recent(all)
}

// mayDecide reports whether this node may decide which alerts fire. If other nodes have receivers,
// a node without receivers does not decide. Probably no operator has written alert settings for such
// a node, and its settings are only the defaults.
func (g *Gather) mayDecide() bool {
	g.mu.Lock()
	has := len(g.o.Alert.Receivers) > 0
	g.mu.Unlock()
	return has || !slices.ContainsFunc(g.knownNodes(), func(n nodeReceivers) bool { return n.Node != g.o.Node && len(n.Receivers) > 0 })
}

// allReceivers returns the receivers of this node and of all other nodes. If several nodes have a
// receiver with the same name, the list has only one of these receivers. It is the receiver of this
// node if this node has such a receiver. If not, it is the receiver of the first node in the list of
// nodes that has such a receiver. The caller holds g.mu.
func (g *Gather) allReceivers() []alert.Receiver {
	list := slices.Clone(g.o.Alert.Receivers)
	for _, n := range g.knownNodes() {
		for _, r := range n.Receivers {
			if n.Node != g.o.Node && !slices.ContainsFunc(list, func(has alert.Receiver) bool { return has.Name == r.Name }) {
				list = append(list, r)
			}
		}
	}
	return list
}

// checkReceivers sets the trouble about nodes with different receivers or different settings of
// alerts.
func (g *Gather) checkReceivers() {
	g.store.Troubles.Set("receivers", describeReceivers(g.knownNodes()))
}

// describeReceivers returns a sentence about nodes with different receivers or settings. It returns
// an empty text if there is no difference.
func describeReceivers(nodes []nodeReceivers) string {
	var with []nodeReceivers
	for _, n := range nodes {
		if len(n.Receivers) > 0 {
			with = append(with, n)
		}
	}
	if len(with) == 0 {
		return ""
	}
	if slices.ContainsFunc(nodes, func(n nodeReceivers) bool { return !sameReceivers(n.Receivers, with[0].Receivers) }) {
		var each []string
		for _, n := range nodes {
			names := []string{}
			for _, r := range n.Receivers {
				names = append(names, r.Name)
			}
			each = append(each, fmt.Sprintf("%s has %s", n.Node, cmp.Or(english.List(names), "none")))
		}
		return "the nodes have different receivers of alerts: " + strings.Join(each, "; ") +
			". Only a node that has a receiver can send notifications to this receiver. If all of these nodes are down, the notifications wait. Write the same receivers into the configuration of all nodes"
	}
	if at := slices.IndexFunc(with, func(n nodeReceivers) bool { return n.Settings != with[0].Settings }); at >= 0 {
		return fmt.Sprintf("nodes %s and %s have different alert settings. Only one node decides about alerts, and this node uses its own settings. Write the same settings into the configuration of all nodes", with[0].Node, with[at].Node)
	}
	return ""
}

// sameReceivers reports whether two nodes have the same receivers, in any order.
func sameReceivers(a, b []alert.Receiver) bool {
	byName := func(list []alert.Receiver) []alert.Receiver {
		list = slices.Clone(list)
		slices.SortFunc(list, func(x, y alert.Receiver) int { return cmp.Compare(x.Name, y.Name) })
		return list
	}
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(byName(a), byName(b)))
}

// Decides returns the name of the node that decides which alerts fire. It returns an empty name if
// no node has decided yet.
func (g *Gather) Decides() string {
	g.alerts.mu.Lock()
	defer g.alerts.mu.Unlock()
	return g.alerts.decides
}

// DecidedTo returns the time of the last row for which this node has decided which alerts fire. It
// returns 0 if this node does not decide.
func (g *Gather) DecidedTo() int64 {
	if g.Decides() != g.o.Node {
		return 0
	}
	return g.decidedRow.Load()
}
