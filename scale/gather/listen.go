package gather

import (
	"context"
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/incident"
	"github.com/limpet-storage/limpet/ledger"
	"github.com/limpet-storage/limpet/scale/partition"
	"github.com/limpet-storage/limpet/scale/replica"
	"github.com/limpet-storage/limpet/scale/worker"
)

// writeAgain is how soon something is written again that could not be: a disk that is
// full is cleared by somebody.
const writeAgain = time.Second

// listen writes what machines say into the ledger, in the order of the log.
func (g *Gather) listen(ctx context.Context) error {
	log, err := g.o.Bus.Logs.Open(ctx, worker.SaidLog, g.o.Keep.Said)
	if err != nil {
		return endedBy(ctx, err)
	}
	r, err := log.Read(ctx, uint64(g.ledger.LastEvent()))
	if err != nil {
		return endedBy(ctx, err)
	}
	defer r.Close()
	for {
		record, err := r.Next(ctx)
		if err != nil {
			return endedBy(ctx, err)
		}
		said, err := replica.Parse(record)
		if err == nil {
			err = g.hear(ctx, &said)
		}
		if err != nil {
			g.o.Report(fmt.Sprintf("record %d of what was said is left out: %v", record.Seq, err))
		}
	}
}

// hear writes one record down.
func (g *Gather) hear(ctx context.Context, s *replica.Said) error {
	switch s.Kind {
	case partition.SaidEvent:
		e, err := partition.Decode[partition.Event](s.Data)
		if err != nil {
			return err
		}
		g.write(ctx, g.event(int64(s.Seq), &incident.Event{Time: e.Time, Change: e.Change, Incident: &e.Incident}))
	case partition.SaidWord:
		w, err := partition.Decode[partition.Word](s.Data)
		if err != nil {
			return err
		}
		g.write(ctx, g.word(&w))
	}
	return nil
}

// write writes into the ledger until that has worked, or the context ends.
func (g *Gather) write(ctx context.Context, do func(*ledger.Tx) error) {
	for ctx.Err() == nil {
		g.mu.Lock()
		err := g.ledger.Step(ctx, do)
		if ctx.Err() == nil {
			g.trouble("ledger", err)
		}
		g.mu.Unlock()
		if err == nil {
			return
		}
		select {
		case <-time.After(writeAgain):
		case <-ctx.Done():
		}
	}
}

// event writes an event, with whom it is to be told to.
func (g *Gather) event(seq int64, e *incident.Event) func(*ledger.Tx) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.memory.Event(e)
	if e.Change == incident.Opened {
		g.opened++
		delete(g.causes, e.Incident.ID) // it is another incident with this ID
	}
	return func(tx *ledger.Tx) error {
		isNew, err := tx.Event(seq, e, g.voice)
		if err != nil || !isNew {
			return err
		}
		return g.alerter.Event(tx, seq, e)
	}
}

// word writes down what somebody said.
func (g *Gather) word(w *partition.Word) func(*ledger.Tx) error {
	kept := ledger.Feedback{Key: w.Key, ID: w.Incident, Time: w.Time, Who: w.Who, Verb: w.Verb, Target: w.Name, Text: w.Text, Until: w.Until}
	if w.Verb == ledger.Label {
		kept.Text, kept.Cause = "", w.Text
		g.mu.Lock()
		g.causes[w.Incident] = kept
		g.mu.Unlock()
	}
	return func(tx *ledger.Tx) error { return tx.Feedback(kept) }
}

// tick writes the figures of what is open, and tells what has lasted for long enough. The
// caller holds the lock.
func (g *Gather) tick(ctx context.Context) {
	now := &g.merged
	if now.To/g.o.TickSeconds == g.ticked/g.o.TickSeconds {
		return
	}
	g.ticked = now.To
	err := g.ledger.Step(ctx, func(tx *ledger.Tx) error {
		for i := range now.Incidents {
			if in := &now.Incidents[i]; in.Phase != incident.Cleared {
				if err := g.alerter.Stand(tx, now.To, in); err != nil {
					return err
				}
			}
		}
		if err := tx.Suspects(now.To, now.Suspects, g.voice); err != nil {
			return err
		}
		return g.alerter.Tick(tx, now.To, now.Suspects)
	})
	if ctx.Err() != nil {
		return
	}
	g.trouble("ledger", err)
	if now.To-g.retained >= retainSeconds {
		g.retained = now.To
		g.trouble("retention", g.ledger.Retain(ctx, now.To, g.o.Retention))
	}
}

// retainSeconds is how often old incidents leave the ledger, in the time of rows.
const retainSeconds = 3600
