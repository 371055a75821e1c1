package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/ledger"
)

// writeRetry is the pause after a failed attempt to write to the ledger. If the disk is full,
// writing fails until an operator frees space.
const writeRetry = time.Second

// listen writes the output of all tasks into the ledger, in the order of the output log.
func (g *Gather) listen(ctx context.Context) error {
	log, err := g.o.Bus.Logs.Open(ctx, OutputLog, g.o.LogRetention.Output)
	if err != nil {
		return endedBy(ctx, err)
	}
	r, err := log.Read(ctx, uint64(g.store.Ledger.LastEvent()-g.lastEventBefore))
	if err != nil {
		return endedBy(ctx, err)
	}
	defer r.Close()
	for {
		record, err := r.Next(ctx)
		if err != nil {
			return endedBy(ctx, err)
		}
		said, err := ParseOutput(record)
		if errors.Is(err, errNewerOutput) {
			// After its own upgrade, this node continues with this record.
			g.alerts.stop()
			g.store.Troubles.Check("events", fmt.Errorf("this node cannot read event record %d in NATS, because a newer version of limpet wrote the record. Its ledger gets no more events: upgrade this node", record.Seq))
			<-ctx.Done()
			return nil
		}
		if err == nil {
			err = g.writeEvents(ctx, &said)
		}
		if err != nil {
			g.o.Warn(fmt.Sprintf("event record %d in NATS cannot be used and is left out: %v", record.Seq, err))
		}
	}
}

// writeEvents writes one output of a task into the ledger, if the output is an event or a command.
func (g *Gather) writeEvents(ctx context.Context, s *Output) error {
	switch s.Kind {
	case EventKind:
		e, err := Decode[Event](s.Data)
		if err != nil {
			return err
		}
		speaker, err := g.announcerOf(ctx, e.Generation)
		if err != nil {
			return err
		}
		if err := e.check(len(speaker.Subject.System.Components), g.o.Now()); err != nil {
			return err
		}
		g.mu.Lock()
		write := speaker.EventWithoutAlerts(g.lastEventBefore+int64(s.Seq), &incident.Event{Time: e.Time, Change: e.Change, Incident: &e.Incident})
		g.mu.Unlock()
		g.write(ctx, write)
	case commandKind:
		c, err := Decode[command.Command](s.Data)
		if err == nil {
			err = checkCommand(&c)
		}
		if err != nil {
			return err
		}
		g.mu.Lock()
		write := g.store.RecordCommand(c.Key, 0, &c)
		g.mu.Unlock()
		g.write(ctx, write)
	}
	return nil
}

// announcerOf returns the announcer of a generation (version) of the system. If an event was found
// before a change of the system, it contains component indexes of the old system. Such an event
// needs the announcer of the old system.
func (g *Gather) announcerOf(ctx context.Context, generation int) (*announce.Announcer, error) {
	g.mu.Lock()
	now, speaker := g.stage, g.announcer
	g.mu.Unlock()
	if generation == now.Generation {
		return speaker, nil
	}
	stage, err := g.o.Stages.StageOf(ctx, generation)
	if err != nil {
		return nil, err
	}
	return g.openAnnouncer(stage)
}

// write calls the function `do` in a transaction of the ledger. It repeats the transaction until it
// succeeds or the context ends.
func (g *Gather) write(ctx context.Context, do func(*ledger.Tx) error) {
	for ctx.Err() == nil {
		g.mu.Lock()
		err := g.store.Ledger.Step(ctx, do)
		if ctx.Err() == nil {
			g.store.Troubles.Check("ledger", err)
		}
		g.mu.Unlock()
		if err == nil {
			return
		}
		select {
		case <-time.After(writeRetry):
		case <-ctx.Done():
		}
	}
}

// tick writes the present figures of open incidents, such as their severities, and the list of
// suspects into the ledger. Alerts fire and resolve on the node that decides (alert_decide.go). The
// caller holds g.mu.
func (g *Gather) tick(ctx context.Context) {
	now := &g.merged
	if now.To/g.o.TickSeconds == g.ticked/g.o.TickSeconds {
		return
	}
	g.ticked = now.To
	adopted := map[string]int64{}
	err := g.store.Ledger.Step(ctx, func(tx *ledger.Tx) error {
		for i := range now.Incidents {
			in := &now.Incidents[i]
			if in.Phase == incident.Cleared {
				continue
			}
			number, err := g.announcer.Alerter().WriteFigures(tx, now.To, in)
			if err != nil {
				return err
			}
			if number != 0 {
				adopted[in.ID] = number
			}
		}
		return tx.Suspects(now.To, now.Suspects, g.announcer.Sentences)
	})
	if ctx.Err() != nil {
		return
	}
	if err == nil {
		maps.Copy(g.adopted, adopted)
	}
	g.store.Troubles.Check("ledger", err)
	g.store.Retain(ctx, now.To)
}
