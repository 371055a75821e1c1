// The log of alerts makes the cluster send each notification once. Without the log, each node would
// send the same notification.
//
// One node decides which alerts fire (alert_decide.go). It writes each decision into the log: the
// new states of alerts, and the notifications. Every node applies the decisions to its ledger, in
// the order of the log. So all ledgers have the same alerts and the same notifications, with the
// same keys. For each receiver, one node delivers the notifications (alert_deliver.go). This node
// writes a record before it sends a notification, and a second record when the receiver has
// acknowledged the notification. If this node fails, another node sends the notifications that are
// not acknowledged yet.
//
// Each record of the log has a subject, such as "decide". A node needs a lease to decide which
// alerts fire, to deliver notifications to a receiver, or to carry out actions.
// Each lease is for one subject. The first record that the node writes on this subject is a claim.
// After the claim, only this node can write on the subject, until another node writes a claim. As
// in replica.go, the lease decides which node runs, and the log decides which node can write. The
// log accepts a record only if the node that writes it has seen the last record on the same
// subject. A node that was paused may not know that its lease is lost. The log refuses the records
// of this node. So this node cannot decide, begin a delivery or store an acknowledgement.
//
// The subjects of the log are
//
//	decide         decisions
//	to-RECEIVER    deliveries to one receiver
//	receivers      the receivers of all nodes (alert_receivers.go)
//	left-NODE      notifications and actions that a node copies from its own ledger (leftSubject)
//	act, orders    actions (action_log.go)

package cluster

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/live/action"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/ledger"
)

// AlertLog is the name of the log of alerts.
const AlertLog = "alerts"

// alertPrefix is the beginning of the keys of leases: for deciding, for delivering and for actions.
const alertPrefix = "alerts."

// decideSubject is the subject of decisions.
const decideSubject = "decide"

// receiversSubject is the subject of the list of all nodes and their receivers.
const receiversSubject = "receivers"

// deliverSubject returns the subject of deliveries to a receiver. The name of a receiver may have
// characters that a subject must not have.
func deliverSubject(receiver string) string { return deliverPrefix + hashed(receiver) }

const deliverPrefix = "to-"

// leftSubject returns the subject on which a node copies notifications and actions from its own
// ledger into the log. It copies the notifications that were not yet delivered when the node began
// to follow the log.
func leftSubject(node string) string { return "left-" + hashed(node) }

func hashed(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:8])
}

// Kinds of records in the log of alerts. The kind of a claim is ClaimKind (output.go).
const (
	decisionKind  Kind = 16 // changed alerts and new notifications
	SendingKind   Kind = 17 // the writer is about to send notifications
	SettledKind   Kind = 18 // a receiver has acknowledged notifications, or they were set aside
	leftKind      Kind = 19 // notifications that were not yet delivered when the node began to follow the log
	receiversKind Kind = 20 // all nodes and their receivers
	actionKind    Kind = 21 // a change of actions
	orderKind     Kind = 22 // an operator's command about actions
	outcomeKind   Kind = 23 // the outcome of an operator's command about actions
)

// AlertMessage is the content of a record in the log of alerts. Each kind uses some of the fields.
type AlertMessage struct {
	Node     string // name of the node that wrote the record
	Receiver string // name of the receiver, in records of a delivery

	// Fields of a decision.
	Through uint64 // number of the last event that the decision takes into account; events are numbered by the output log
	Alerts  []ledger.AlertChange
	Notes   []Note
	Row     int64 // time of the row that caused the decision; 0 if no row caused it
	// The first node that decides copies the states of all alerts from its ledger into the log. If
	// Complete is true, the copy is now complete, and Only has the IDs of all copied alerts. A node
	// that reads the message then deletes all other alerts from its ledger.
	Complete bool
	Only     []string
	// QuietBefore and Refreshed are new values for the fields of ledger.AlertLog with the same
	// names. The value 0 means that the field does not change.
	QuietBefore, Refreshed int64
	// If DropOthers is true, only the receivers in the list Receivers keep their undelivered
	// notifications. Other notifications are dropped, because no node has their receivers any more.
	DropOthers bool
	Receivers  []string

	// Fields of a delivery.
	Keys    []string // keys of the notifications that are about to be sent
	Settled []Settled

	Nodes []nodeReceivers // all nodes and their receivers

	// Fields of records about actions.
	Policy  string // in a claim: digest of the policy
	Change  *ledger.ActionChange
	Key     string // key of the operator's command
	Order   *action.Order
	Outcome *action.Outcome
}

// Note is a notification, and the receivers that get it.
type Note struct {
	Receivers  []string
	Key, Alert string
	Time       int64
	Payload    []byte // JSON of an alert.Notification
}

// Settled is the answer of a receiver to a notification.
type Settled struct {
	Key string
	At  int64 // Unix time of the answer; negative if the notification was set aside
}

// notesOf groups deliveries by their notifications, so that the message has each notification once.
func notesOf(list []ledger.Delivery) (notes []Note) {
	for i := range list {
		d := &list[i]
		at := slices.IndexFunc(notes, func(n Note) bool { return n.Key == d.Key })
		if at < 0 {
			at = len(notes)
			notes = append(notes, Note{Key: d.Key, Alert: d.Alert, Time: d.Time, Payload: d.Payload})
		}
		notes[at].Receivers = append(notes[at].Receivers, d.Receiver)
	}
	return notes
}

// changes returns the changes that a message makes in the ledger.
func (m *AlertMessage) changes() *ledger.AlertChanges {
	c := &ledger.AlertChanges{Alerts: m.Alerts, Row: m.Row}
	for i := range m.Notes {
		n := &m.Notes[i]
		for _, r := range n.Receivers {
			c.Deliveries = append(c.Deliveries, ledger.Delivery{Receiver: r, Key: n.Key, Alert: n.Alert, Time: n.Time, Payload: n.Payload})
		}
	}
	return c
}

// alertVersion is the version of AlertMessage. It is the first byte of an encoded message. If a
// node reads a decision, a delivery or an action of another version, the node stops deciding,
// delivering and carrying out actions.
const alertVersion = 1

// maxAlertBytes is the largest size of a message after it was decompressed, in bytes.
const maxAlertBytes = 8 * bus.MaxRecordBytes

var errAlertVersion = errors.New("another version of limpet wrote a record in the log of alerts: run the same version of limpet on all nodes")

// encode returns the bytes of a message: the version, and the compressed gob. The documents of
// incidents take most of the bytes, and compress well.
func (m *AlertMessage) encode() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte(alertVersion)
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if err := gob.NewEncoder(w).Encode(m); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ParseAlert parses a record of the log of alerts.
func ParseAlert(r bus.Record) (Output, AlertMessage, error) {
	out, err := ParseOutput(r)
	if errors.Is(err, errNewerOutput) {
		return out, AlertMessage{}, errAlertVersion
	}
	if err != nil {
		return out, AlertMessage{}, err
	}
	if len(out.Data) == 0 || out.Data[0] != alertVersion {
		return out, AlertMessage{}, errAlertVersion
	}
	var m AlertMessage
	from := io.LimitReader(flate.NewReader(bytes.NewReader(out.Data[1:])), maxAlertBytes)
	if err := gob.NewDecoder(from).Decode(&m); err != nil {
		return out, AlertMessage{}, foreign("a record in the log of alerts cannot be read (%v)", err)
	}
	return out, m, nil
}

// maxNameBytes is the largest size of the name of a node or a receiver, in bytes.
const maxNameBytes = 4096

// check returns an error if the message lacks a name or a key, or has invalid JSON or an impossible
// time. Programs other than limpet may write such messages.
func (m *AlertMessage) check(now time.Time) error {
	if m.Node == "" || len(m.Node)+len(m.Receiver) > maxNameBytes {
		return foreign("a record in the log of alerts has no node")
	}
	for i := range m.Alerts {
		if a := &m.Alerts[i]; a.ID == "" || !a.Dropped && !json.Valid(a.State) {
			return foreign("a record in the log of alerts has an alert without a valid state")
		}
	}
	times := []int64{m.Row, m.QuietBefore, m.Refreshed}
	for i := range m.Notes {
		n := &m.Notes[i]
		var note alert.Notification
		if n.Key == "" || len(n.Receivers) == 0 || json.Unmarshal(n.Payload, &note) != nil || note.Key != n.Key {
			return foreign("a notification in the log of alerts has no key, no receiver or no valid content")
		}
		times = append(times, n.Time)
	}
	if c := m.Change; c != nil {
		if c.Action != nil {
			if c.Action.ID == "" || !json.Valid(c.Action.Document) {
				return foreign("a record about actions has an action that has no number or no valid state")
			}
			times = append(times, c.Action.Ended)
		}
		if c.Record != nil {
			if c.Record.Seq < 1 || !json.Valid(c.Record.Document) {
				return foreign("a record about actions has no valid entry for the log of actions")
			}
			times = append(times, c.Record.Time)
		}
		if c.Through < 0 || c.Switch != nil && !json.Valid(c.Switch) {
			return foreign("a record about actions does not state correctly whether all actions are stopped")
		}
	}
	return checkTimes(now, times...)
}

// fencedLog writes records on one subject of the log of alerts, until another node has written a
// claim on this subject.
type fencedLog struct {
	log     bus.Log
	subject string
	node    string
	fence   uint64
	now     func() time.Time

	mu     sync.Mutex
	number uint64 // number of the last record of this subject, counted on this subject only
	last   uint64 // sequence number of the last record of this subject, counted over the whole log
	err    error  // first error; after an error nothing more is written, because the last record is unknown
}

// claim writes a claim, and returns the number of the claim in the log. After the claim, only this
// writer can write on the subject, until another writer writes a claim.
func (f *fencedLog) claim(ctx context.Context, m AlertMessage) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m.Node = f.node
	data, err := m.encode()
	if err != nil {
		return 0, err
	}
	for ctx.Err() == nil {
		last, err := f.log.Last(ctx, f.subject)
		if err != nil && !errors.Is(err, bus.ErrNone) {
			return 0, err
		}
		mine := Output{Fence: f.fence, Kind: ClaimKind, Cause: f.now(), Data: data}
		if err == nil {
			before, err := ParseOutput(last)
			if err != nil {
				return 0, err
			}
			if before.Fence > f.fence {
				return 0, ErrFenced
			}
			mine.Number = before.Number
		}
		seq, err := f.log.Put(ctx, bus.Record{Subject: f.subject, ID: fmt.Sprintf("%s claim %d", f.subject, f.fence), Data: mine.encode()}, last.Seq)
		if err == nil {
			f.number, f.last = mine.Number, seq
			return seq, nil
		}
		if !errors.Is(err, bus.ErrConflict) {
			return 0, err
		}
	}
	return 0, ctx.Err()
}

// put writes a record and returns the number of the record in the log. It returns ErrFenced if
// another node has taken over.
func (f *fencedLog) put(ctx context.Context, k Kind, m AlertMessage) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return 0, f.err
	}
	m.Node = f.node
	data, err := m.encode()
	if err != nil {
		return 0, err
	}
	f.number++
	out := Output{Number: f.number, Fence: f.fence, Kind: k, Cause: f.now(), Data: data}
	seq, err := f.log.Put(ctx, bus.Record{Subject: f.subject, ID: fmt.Sprintf("%s %d %d", f.subject, f.fence, f.number), Data: out.encode()}, f.last)
	if errors.Is(err, bus.ErrConflict) {
		err = ErrFenced
	}
	if err != nil {
		f.err = err
		return 0, err
	}
	f.last = seq
	return seq, nil
}

// followed holds the data that a node has read from the log of alerts.
type followed struct {
	log bus.Log

	mu      sync.Mutex
	present ledger.AlertLog   // number of the last record that this node has applied to its ledger, and values from the applied records
	moved   chan struct{}     // closed when present changes
	decides string            // name of the node that decides; empty if it is not known
	nodes   map[string]string // by receiver: name of the node that delivers
	roster  []nodeReceivers
	// rosterSeq is the sequence number of the record from which this node has read the list `roster`.
	// The list has all nodes and their receivers.
	rosterSeq uint64
	older     chan struct{} // closed if a node of a newer version has written records that this node cannot read

	acts, policy string      // name of the node that carries out actions, and digest of its policy
	turn         *actionTurn // turn of this node to carry out actions; nil if another node has the turn
	outcomes     map[string]chan action.Outcome
	waiting      []waitingOrder // operators' commands without an outcome, in order
}

func newFollowed() *followed {
	return &followed{moved: make(chan struct{}), older: make(chan struct{}), nodes: map[string]string{}, outcomes: map[string]chan action.Outcome{}}
}

// position returns f.present: the number of the last record that this node has applied to its
// ledger, and values from the applied records, such as QuietBefore.
func (f *followed) position() ledger.AlertLog {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.present
}

// move sets f.present, and wakes the goroutines that wait in await.
func (f *followed) move(at ledger.AlertLog) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.present = at
	close(f.moved)
	f.moved = make(chan struct{})
}

// stop ends all turns of this node. After a call of stop, this node does not decide, deliver or
// carry out actions any more.
func (f *followed) stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.stopped() {
		close(f.older)
	}
}

func (f *followed) stopped() bool {
	select {
	case <-f.older:
		return true
	default:
		return false
	}
}

// hasRosterAfter reports whether this node has read a list of receivers that comes after record seq
// of the log.
func (f *followed) hasRosterAfter(seq uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rosterSeq > seq
}

// await waits until the ledger of this node has the record with the sequence number seq.
func (f *followed) await(ctx context.Context, seq uint64) error {
	for {
		f.mu.Lock()
		at, moved := f.present.At, f.moved
		f.mu.Unlock()
		if at >= seq {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("the ledger of this node did not get record %d of the log of alerts in time: %w", seq, ctx.Err())
		}
	}
}

// note updates the data in memory from a record. These data are the node that decides, the node that
// carries out actions, the nodes that deliver, and the receivers of all nodes.
func (f *followed) note(seq uint64, subject string, k Kind, m *AlertMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case subject == decideSubject:
		f.decides = m.Node
	case subject == actSubject:
		if f.acts = m.Node; k == ClaimKind {
			f.policy = m.Policy
		}
	case subject == receiversSubject && k == receiversKind:
		if seq >= f.rosterSeq {
			f.roster, f.rosterSeq = m.Nodes, seq
		}
	case m.Receiver != "":
		f.nodes[m.Receiver] = m.Node
	}
}

// beginAlerts opens the log of alerts. It reads from the ledger the number of the last record that
// this node has applied to the ledger. In two cases it writes the undelivered notifications of the
// ledger into the log:
//   - The ledger has never followed the log. The notifications are from the time before the node
//     joined the cluster, or from an earlier version.
//   - NATS has lost the log. The sequence numbers show this loss: a new log starts again with small
//     numbers, but the ledger has already applied records with higher numbers.
func (g *Gather) beginAlerts(ctx context.Context, cluster string) error {
	f := g.alerts
	var err error
	if f.log, err = g.o.Bus.Logs.Open(ctx, AlertLog, g.o.LogRetention.Output); err != nil {
		return err
	}
	var at ledger.AlertLog
	if err := g.store.Ledger.Step(ctx, func(tx *ledger.Tx) (err error) { at, err = tx.AlertLog(); return err }); err != nil {
		return err
	}
	seq, err := g.writeReceivers(ctx)
	if err != nil {
		return err
	}
	if isNew := at.Cluster != cluster; isNew || seq <= at.At {
		if err := g.moveUndelivered(ctx); err != nil {
			return err
		}
		if isNew {
			if err := g.moveActions(ctx); err != nil {
				return err
			}
		}
		next := ledger.AlertLog{Cluster: cluster, Through: uint64(max(0, g.store.Ledger.LastEvent()-g.lastEventBefore))}
		if !isNew {
			g.o.Warn("NATS has lost the log of alerts: this node begins a new log with the alerts in its ledger")
			next.Through, next.QuietBefore, next.MissesActions = at.Through, at.QuietBefore, at.MissesActions
		}
		at = next
		if err := g.store.Ledger.Step(ctx, func(tx *ledger.Tx) error { return tx.PutAlertLog(at) }); err != nil {
			return err
		}
	}
	for _, subject := range append([]string{decideSubject, receiversSubject, actSubject}, g.receiverSubjects()...) {
		last, err := f.log.Last(ctx, subject)
		if errors.Is(err, bus.ErrNone) {
			continue
		}
		if err != nil {
			return err
		}
		if out, m, err := ParseAlert(last); err == nil {
			f.note(last.Seq, subject, out.Kind, &m)
		}
	}
	f.move(at)
	close(g.following)
	return nil
}

func (g *Gather) receiverSubjects() (list []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.o.Alert.Receivers {
		list = append(list, deliverSubject(r.Name))
	}
	return list
}

// moveUndelivered writes the undelivered notifications of the ledger into the log, so that any node
// can deliver them.
func (g *Gather) moveUndelivered(ctx context.Context) error {
	left, err := g.store.Ledger.Undelivered(ctx)
	if err != nil {
		return err
	}
	for _, n := range notesOf(left) {
		m := AlertMessage{Node: g.o.Node, Notes: []Note{n}}
		data, err := m.encode()
		if err != nil {
			return err
		}
		out := Output{Kind: leftKind, Cause: g.o.Now(), Data: data}
		if err := g.alerts.log.Append(ctx, bus.Record{Subject: leftSubject(g.o.Node), ID: "left " + n.Key, Data: out.encode()}); err != nil {
			return err
		}
	}
	return nil
}

// listenAlerts applies the records of the log of alerts to the ledger, in order.
func (g *Gather) listenAlerts(ctx context.Context) error {
	r, err := g.alerts.log.Read(ctx, g.alerts.position().At)
	if err != nil {
		return endedBy(ctx, err)
	}
	defer r.Close()
	for {
		record, err := r.Next(ctx)
		if err != nil {
			return endedBy(ctx, err)
		}
		err = g.applyAlerts(ctx, record)
		if errors.Is(err, errAlertVersion) && (record.Subject == decideSubject || record.Subject == actSubject || strings.HasPrefix(record.Subject, deliverPrefix)) {
			// In a rolling upgrade, nodes of the newer version decide and deliver. After its own
			// upgrade, this node continues with this record.
			g.alerts.stop()
			g.store.Troubles.Check("alerts", fmt.Errorf("this node cannot read record %d of the log of alerts, because a newer version of limpet wrote the record. Only nodes with the newer version send alerts now: upgrade this node", record.Seq))
			<-ctx.Done()
			return nil
		}
		if err != nil {
			g.o.Warn(fmt.Sprintf("record %d of the log of alerts is left out: %v", record.Seq, err))
		}
	}
}

// applyAlerts applies one record to the ledger. If the record is not valid, applyAlerts skips the
// record, so that later records are applied. It does not skip a record of another version of
// limpet.
func (g *Gather) applyAlerts(ctx context.Context, r bus.Record) error {
	next := g.alerts.position()
	next.At = r.Seq
	out, m, err := ParseAlert(r)
	if err == nil {
		err = m.check(g.o.Now())
	}
	if errors.Is(err, errAlertVersion) {
		return err
	}
	if err != nil {
		g.alerts.move(next)
		return err
	}
	g.alerts.note(r.Seq, r.Subject, out.Kind, &m)
	g.repeatReceivers(r.Seq, out.Kind, &m)
	switch out.Kind {
	case decisionKind:
		if m.Node != g.o.Node {
			g.store.Troubles.Check("alerts", nil) // another node decides now, so a trouble of this node with alerts is over
		}
		next.Through = max(next.Through, m.Through)
		next.IsComplete = next.IsComplete || m.Complete
		if m.QuietBefore != 0 {
			next.QuietBefore = m.QuietBefore
		}
		next.Refreshed = max(next.Refreshed, m.Refreshed)
		fallthrough
	case SettledKind, leftKind:
		g.write(ctx, func(tx *ledger.Tx) error {
			if err := m.apply(tx); err != nil {
				return err
			}
			return tx.PutAlertLog(next)
		})
	case actionKind:
		if m.Change == nil {
			break
		}
		missed := next.MissesActions
		g.write(ctx, func(tx *ledger.Tx) error {
			if err := g.applyAction(tx, m.Change, &next); err != nil {
				return err
			}
			return tx.PutAlertLog(next)
		})
		if next.MissesActions && !missed {
			g.askCopy(ctx)
		}
		switch {
		case r.Subject != actSubject:
			g.alerts.noteActions()
		case m.Change.IsComplete():
			g.answerCopy(ctx, &m)
		}
	case orderKind:
		if m.Order != nil {
			one := waitingOrder{m, out.Cause}
			g.alerts.noteOrder(one, g.o.Now())
			g.passOrder(one)
		}
	case outcomeKind:
		g.alerts.passOutcome(&m)
	}
	if ctx.Err() != nil {
		return nil
	}
	g.alerts.move(next)
	return nil
}

// apply applies the message to the alerts and deliveries in a ledger.
func (m *AlertMessage) apply(tx *ledger.Tx) error {
	if err := tx.ApplyAlerts(m.changes()); err != nil {
		return err
	}
	if m.Complete {
		if err := tx.KeepAlerts(m.Only); err != nil {
			return err
		}
	}
	if m.DropOthers {
		if err := tx.DropReceivers(m.Receivers); err != nil {
			return err
		}
	}
	for _, s := range m.Settled {
		if err := tx.Settle(m.Receiver, s.Key, s.At); err != nil {
			return err
		}
	}
	return nil
}
