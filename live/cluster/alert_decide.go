package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/alert"
	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/ledger"
)

// decide decides which alerts fire and resolve, whenever this node has the lease to decide. The
// other nodes wait for the lease.
func (g *Gather) decide(ctx context.Context) error {
	for ctx.Err() == nil {
		if !g.mayDecide() {
			g.sleep(ctx, g.o.LookEvery)
			continue
		}
		turn, err := g.takeAlertTurn(ctx, decideSubject, AlertMessage{})
		if err == nil {
			err = (&decider{Gather: g, turn: turn}).run(ctx)
			turn.End()
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !errors.Is(err, ErrFenced) && !errors.Is(err, context.Canceled) { // these two errors mean that another node decides
			g.store.Troubles.Check("alerts", fmt.Errorf("this node cannot decide which alerts are sent: %w", err))
		}
		if err != nil {
			g.sleep(ctx, g.o.Bus.LeaseTime) // another node may be able to decide
		}
	}
	return nil
}

func (g *Gather) sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// decider decides which alerts fire and resolve, while this node has the turn: the right to decide.
type decider struct {
	*Gather
	turn      *alertTurn
	lastEvent uint64 // number of the last processed event
	ticked    int64  // row time of the last tick
	// idleTicker is used while no event waits. busyTicker has a longer interval, and is used while
	// events wait.
	idleTicker, busyTicker *time.Ticker
}

// idleShare and lateTicks determine the times of ticks. At a tick, a decider searches for alerts
// that have waited long enough, and makes these alerts fire or resolve. An event may end an alert
// that is due, so the decider processes waiting events before a tick. LookEvery is an option of
// Gather. If no record has come for LookEvery/idleShare, the decider ticks at the interval LookEvery.
// If records come without such a pause, as in a busy cluster, the decider ticks at the interval
// lateTicks·LookEvery.
const (
	idleShare = 20
	lateTicks = 5
)

// run decides which alerts fire and resolve, until the turn is lost or the context ends.
func (d *decider) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(d.turn.running, stop)()
	at := d.alerts.position()
	d.lastEvent = at.Through
	if err := d.refresh(ctx); err != nil {
		return err
	}
	log, err := d.o.Bus.Logs.Open(ctx, OutputLog, d.o.LogRetention.Output)
	if err != nil {
		return err
	}
	r, err := log.Read(ctx, d.lastEvent)
	if err != nil {
		return err
	}
	defer r.Close()
	d.idleTicker, d.busyTicker = time.NewTicker(d.o.LookEvery), time.NewTicker(lateTicks*d.o.LookEvery)
	defer d.idleTicker.Stop()
	defer d.busyTicker.Stop()
	for ctx.Err() == nil && d.mayDecide() {
		if err := d.step(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// step processes the next event, or makes a tick. At a tick, alerts that have waited long enough
// fire or resolve.
func (d *decider) step(ctx context.Context, r bus.Reader) error {
	one, stop := context.WithTimeout(ctx, d.o.LookEvery/idleShare)
	defer stop()
	record, err := r.Next(one)
	due := d.busyTicker.C
	switch {
	case err == nil:
		err = d.event(ctx, record)
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		due, err = d.idleTicker.C, nil
	}
	if err != nil {
		return err
	}
	d.decided.Store(d.lastEvent)
	select {
	case <-due:
		return d.tick(ctx)
	default:
		return nil
	}
}

// event processes one record of the output log, which has the output of all tasks. It decides which
// alerts fire or resolve because of the event in the record.
func (d *decider) event(ctx context.Context, record bus.Record) error {
	said, err := ParseOutput(record)
	if errors.Is(err, errNewerOutput) {
		d.alerts.stop() // a node of the newer version decides from this event on
		return err
	}
	if err != nil || said.Kind != EventKind {
		d.lastEvent = record.Seq
		return nil // Gather.listen reports a record that cannot be read
	}
	e, err := Decode[Event](said.Data)
	if err != nil {
		d.lastEvent = record.Seq
		return nil
	}
	speaker, err := d.announcerOf(ctx, e.Generation)
	if err != nil && ctx.Err() != nil {
		return err
	}
	if err != nil || e.check(len(speaker.Subject.System.Components), d.o.Now()) != nil {
		d.lastEvent = record.Seq
		return nil
	}
	changes, err := d.try(ctx, func(tx *ledger.Tx) error {
		if err := speaker.SetAlerts(d.alertOptions()); err != nil {
			return err
		}
		return speaker.Alerter().Event(tx, int64(record.Seq), &incident.Event{Time: e.Time, Change: e.Change, Incident: &e.Incident})
	})
	if err != nil {
		return err
	}
	d.lastEvent = record.Seq
	return d.publish(ctx, &changes)
}

// tick makes an alert fire or resolve if the alert has waited long enough.
func (d *decider) tick(ctx context.Context) error {
	if err := d.dropReceivers(ctx); err != nil {
		return err
	}
	if err := d.refresh(ctx); err != nil {
		return err
	}
	d.mu.Lock()
	now, speaker, adopted := d.merged, d.announcer, maps.Clone(d.adopted)
	d.mu.Unlock()
	d.store.Troubles.Check("alerts", nil)
	if now.To == 0 || now.To/d.o.TickSeconds == d.ticked/d.o.TickSeconds {
		return nil
	}
	changes, err := d.try(ctx, func(tx *ledger.Tx) error {
		if err := speaker.SetAlerts(d.alertOptions()); err != nil {
			return err
		}
		for i := range now.Incidents {
			in := &now.Incidents[i]
			if number := adopted[in.ID]; number != 0 && in.Phase != incident.Cleared {
				// If the log has events of the incident, these events begin the alert. Then
				// BeginAdopted must not begin the same alert.
				isOpen, err := tx.IsOpenWithoutEvents(number)
				if err == nil && isOpen {
					err = speaker.Alerter().BeginAdopted(tx, now.To, number, in)
				}
				if err != nil {
					return err
				}
			}
		}
		if len(now.missing) > 0 { // the suspects of some partitions are not known yet
			return speaker.Alerter().TickIncidents(tx, now.To)
		}
		return speaker.Alerter().Tick(tx, now.To, now.Suspects)
	})
	if err != nil {
		return err
	}
	if err := d.publish(ctx, &changes); err != nil {
		return err
	}
	d.ticked = now.To
	d.decidedRow.Store(now.To)
	d.mu.Lock()
	defer d.mu.Unlock()
	for id := range adopted {
		delete(d.adopted, id)
	}
	return nil
}

// try returns the changes that a decision makes, without changing the ledger. The caller writes the
// changes into the log. Every node, including this node, applies the changes to its ledger when it
// reads the log.
func (d *decider) try(ctx context.Context, do func(*ledger.Tx) error) (ledger.AlertChanges, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.store.Ledger.Try(ctx, do)
}

// publish writes changes into the log, and waits until the ledger of this node has the changes,
// because the next decision depends on them.
func (d *decider) publish(ctx context.Context, c *ledger.AlertChanges) error {
	if c.Empty() {
		return nil
	}
	return d.turn.writeAndAwait(ctx, decisionKind, AlertMessage{Through: d.lastEvent, Alerts: c.Alerts, Notes: notesOf(c.Deliveries), Row: c.Row})
}

// The log drops a record after LogRetention.Output. A new node needs the whole state to decide: the
// states of all alerts, the undelivered notifications and all actions. So the whole state is
// written refreshesPerKeep times within LogRetention.Output. The log has the whole state even if
// three of four writes fail.
const refreshesPerKeep = 4

// refresh writes a copy of all alert states and all undelivered notifications into the log. It does
// nothing if the log already has a recent copy. At the end, a record marks the copy as complete.
func (d *decider) refresh(ctx context.Context) error {
	at := d.alerts.position()
	now := d.o.Now().Unix()
	if at.IsComplete && now-at.Refreshed < int64(d.o.LogRetention.Output/time.Second)/refreshesPerKeep {
		return nil
	}
	all, err := d.store.Ledger.Alerts(ctx)
	if err != nil {
		return err
	}
	last := AlertMessage{Through: d.lastEvent, Refreshed: now}
	if !at.IsComplete {
		d.mu.Lock()
		last.Complete, last.QuietBefore = true, d.o.Alert.QuietBefore
		d.mu.Unlock()
	}
	for i := range all {
		if err := d.turn.writeAndAwait(ctx, decisionKind, AlertMessage{Through: d.lastEvent, Alerts: []ledger.AlertChange{{Alert: all[i]}}}); err != nil {
			return err
		}
		if last.Complete {
			last.Only = append(last.Only, all[i].ID)
		}
	}
	left, err := d.store.Ledger.Undelivered(ctx)
	if err != nil {
		return err
	}
	for _, n := range notesOf(left) {
		if err := d.turn.writeAndAwait(ctx, decisionKind, AlertMessage{Through: d.lastEvent, Notes: []Note{n}}); err != nil {
			return err
		}
	}
	return d.turn.writeAndAwait(ctx, decisionKind, last)
}

// dropReceivers drops the undelivered notifications for receivers that no node has any more.
func (d *decider) dropReceivers(ctx context.Context) error {
	waiting, err := d.store.Ledger.WaitingReceivers(ctx)
	if err != nil {
		return err
	}
	has := map[string]bool{}
	m := AlertMessage{Through: d.lastEvent, DropOthers: true}
	d.mu.Lock()
	for _, r := range d.alertOptions().Receivers {
		has[r.Name] = true
		m.Receivers = append(m.Receivers, r.Name)
	}
	d.mu.Unlock()
	for _, name := range waiting {
		if !has[name] {
			return d.turn.writeAndAwait(ctx, decisionKind, m)
		}
	}
	return nil
}

// alertOptions returns the options of alerts for the whole cluster. These are the options of this
// node, with two changes: they have the receivers of all nodes, and the time QuietBefore from the
// log of alerts. The caller holds g.mu.
func (g *Gather) alertOptions() alert.Options {
	o := g.o.Alert
	o.Receivers = g.allReceivers()
	o.QuietBefore = cmp.Or(g.alerts.position().QuietBefore, o.QuietBefore)
	return o
}
