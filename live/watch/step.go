package watch

import (
	"context"
	"fmt"
	"sync"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/ledger"
)

// liveSteps is how many steps behind the clock a row may be that is no backlog any more,
// beside those that late servers are waited for.
const liveSteps = 6

// log writes a row into the journal before it counts. Rows that come together are synced
// together, with the last of them; what any of them says is told after that, see settle.
// In a backlog nothing is synced, since the rows can be read again.
func (w *Watch) log(row *table.Row, more bool) {
	w.isLive(row.End)
	if w.journal.Broken() != nil {
		return // it is mended in a while
	}
	err := w.journal.Append(row)
	if err == nil && w.live && !more {
		err = w.journal.Sync()
	}
	w.tell.Troubles.Check("journal", err)
}

// syncRows puts rows on disk behind which others were expected.
func (w *Watch) syncRows() {
	if w.live && w.journal.Broken() == nil {
		w.tell.Troubles.Check("journal", w.journal.Sync())
	}
}

// isLive notes that the backlog has been read, by the time of a row.
func (w *Watch) isLive(end int64) {
	step := w.d.Subject.Schema.StepSeconds
	late := w.o.LateSeconds
	if late == 0 {
		late = 2 * step
	}
	w.live = w.live || w.o.Now().Unix()-end <= late+liveSteps*step
}

// push lets the engine judge a row and writes what it says.
func (w *Watch) push(row *table.Row) {
	w.tell.Troubles.Check("history", w.tell.History.Row(row))
	w.d.requests.Row(row)
	w.d.Push(row)
	before := w.row
	w.row = row.End
	w.rows++
	w.settle(w.dueSince(before))
}

// due is what is to be done after a row beside writing what has happened.
type due struct {
	tick  bool // to look at alerts
	stand bool // then to write the figures of what is open, too
}

// dueSince is what the time of rows has come to since it was another.
func (w *Watch) dueSince(before int64) due {
	comes := func(every int64) bool { return before/every != w.row/every }
	return due{tick: comes(w.tickSeconds(w.row)), stand: !w.stood || comes(standTicks*w.o.TickSeconds)}
}

// standTicks is how much rarer the figures of what is open are written than alerts are
// looked at. Whoever asks for an incident that is open is told how it stands now, from
// memory; the ledger has to know how it stood where the diagnosis is lost. They are
// written at the first tick, too: a ledger that was begun anew learns of them then.
const standTicks = 15

// calmTicks is how much rarer ticks are in what was over before the watch began: nothing
// of it is told.
const calmTicks = 15

// tickSeconds is how often alerts and suspects are looked at, by the time of a row.
func (w *Watch) tickSeconds(end int64) int64 {
	if end < w.since {
		return calmTicks * w.o.TickSeconds
	}
	return w.o.TickSeconds
}

// settle writes what is pending into the ledger, in one transaction, with what else is
// due. What cannot be written stays pending. The rows behind what is told are on disk
// before it is.
func (w *Watch) settle(is due) {
	if len(w.pending) == 0 && !is.tick {
		return
	}
	if (len(w.pending) > 0 || is.tick && w.live) && w.journal.Broken() == nil {
		w.tell.Troubles.Check("journal", w.journal.Sync())
	}
	w.d.opened = sync.OnceValue(w.d.findOpen)
	defer func() { w.d.opened = nil }()
	var now engine.Summary
	if is.tick {
		now = w.d.Engine.Open(incident.Combined)
	}
	err := w.tell.Ledger.Step(context.Background(), func(tx *ledger.Tx) error {
		for _, write := range w.pending {
			if err := write(tx); err != nil {
				return err
			}
		}
		if is.tick && is.stand {
			if err := w.d.Stand(tx, w.row, &now); err != nil {
				return err
			}
		}
		if is.tick {
			return w.tick(tx, &now)
		}
		return nil
	})
	if err == nil {
		w.pending = nil
	} else {
		err = fmt.Errorf("what was found cannot be written down: %w", err)
	}
	w.tell.Troubles.Check("ledger", err)
	if err == nil && is.tick {
		w.stood = w.stood || is.stand
		w.tell.Retain(context.Background(), w.row)
	}
}

// tick tells what has lasted for long enough. A diagnosis that was begun anew ends what
// it does not know any more, once it has read everything.
func (w *Watch) tick(tx *ledger.Tx, now *engine.Summary) error {
	ends := w.anew && w.live
	err := w.d.Tick(tx, w.row, now, ends)
	w.anew = w.anew && (err != nil || !ends)
	return err
}
