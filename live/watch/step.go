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

// liveSteps decides whether a row is live or backlog. The age of a live row is at most LateSeconds
// plus the length of liveSteps steps. An older row belongs to the backlog.
const liveSteps = 6

// log writes a row into the journal, before the row is passed to the engine. If several rows arrive
// together, log syncs the journal once, after the last of these rows. Rows of a backlog are not
// synced, because the watch can read these rows from the files again.
func (w *Watch) log(row *table.Row, more bool) {
	w.noteLive(row.End)
	if w.journal.Broken() != nil {
		return // the journal is broken, and lookAround will repair it
	}
	err := w.journal.Append(row)
	if err == nil && w.live && !more {
		err = w.journal.Sync()
	}
	w.checkJournal(err)
}

// checkJournal begins, changes or ends the trouble "journal". This trouble means that the journal could
// not be written. If the last snapshot could not be written, the trouble stays, even if rows can be
// logged.
func (w *Watch) checkJournal(err error) {
	if err == nil {
		err = w.unsaved
	}
	w.store.Troubles.Check("journal", err)
}

// syncRows syncs the rows that the method log did not sync because it expected a further row.
func (w *Watch) syncRows() {
	if w.live && w.journal.Broken() == nil {
		w.checkJournal(w.journal.Sync())
	}
}

// noteLive sets w.live to true if a row with the given end time is live (see liveSteps). After
// that, w.live stays true.
func (w *Watch) noteLive(end int64) {
	step := w.d.Subject.Schema.StepSeconds
	late := w.o.LateSeconds
	if late == 0 {
		late = 2 * step
	}
	w.live = w.live || w.o.Now().Unix()-end <= late+liveSteps*step
}

// push passes a row to the history and to the engine, and writes the events that the engine makes.
func (w *Watch) push(row *table.Row) {
	w.store.CheckHistory(w.store.History.Row(row))
	w.d.requests.Row(row)
	w.d.hosts.Row(row)
	if w.known != nil && row.End > w.known.last {
		w.known = nil
	}
	w.d.Push(row)
	before := w.row
	w.row = row.End
	w.rows++
	w.settle(w.dueSince(before))
}

// due is the work that is necessary after some rows only. It does not include the writing of pending
// events, because these events are written after every row.
type due struct {
	tick    bool // true at a tick: the ledger's list of suspects and the alerts must be updated
	figures bool // true if the numbers of all open incidents, such as their evidence, must be written to the ledger
}

// dueSince returns the work that is due at the present row. The parameter `before` is the end time
// of the previous row.
func (w *Watch) dueSince(before int64) due {
	comes := func(every int64) bool { return before/every != w.row/every }
	return due{tick: comes(w.tickSeconds(w.row)), figures: !w.wroteFigures || comes(figuresTicks*w.o.TickSeconds)}
}

// figuresTicks is the number of ticks between two writes of the figures of open incidents (numbers
// such as evidence and severity). The API takes the figures from memory. The figures in the ledger
// are needed only if the state of the diagnosis is lost. So rare writes are enough. The figures are
// also written at the first tick after the start, because a new ledger does not have them.
const figuresTicks = 15

// calmTicks makes ticks rarer for old rows. For rows before the time memory.since, the interval
// between ticks is calmTicks times as long. This is enough, because receivers get no notification
// about these rows.
const calmTicks = 15

// tickSeconds returns the interval between ticks for a row with the given end time, in seconds of
// row time.
func (w *Watch) tickSeconds(end int64) int64 {
	if end < w.since {
		return calmTicks * w.o.TickSeconds
	}
	return w.o.TickSeconds
}

// settle writes the pending events (events that are not in the ledger yet) into the ledger. In the
// same transaction it does the work in the parameter `is`. If the transaction fails, the events stay
// pending. settle syncs the journal first. So the rows that caused an event are on disk before the
// event is written.
func (w *Watch) settle(is due) {
	if len(w.pending) == 0 && !is.tick {
		return
	}
	if (len(w.pending) > 0 || is.tick && w.live) && w.journal.Broken() == nil {
		w.checkJournal(w.journal.Sync())
	}
	w.d.explain()
	w.d.opened = sync.OnceValue(w.d.findOpen)
	defer func() { w.d.opened = nil }()
	var now engine.Summary
	if is.tick {
		now = w.d.Engine.Open(incident.Combined)
	}
	err := w.store.Ledger.Step(context.Background(), func(tx *ledger.Tx) error {
		for _, write := range w.pending {
			if err := write(tx); err != nil {
				return err
			}
		}
		if is.tick && is.figures {
			if err := w.d.WriteOpenIncidents(tx, w.row, &now); err != nil {
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
		err = fmt.Errorf("the results cannot be saved: %w", err)
	}
	w.store.Troubles.Check("ledger", err)
	if err != nil && is.tick && is.figures {
		// Write the figures again at the next tick. A write without the figures is smaller. It
		// might succeed, for example on a nearly full disk, and would end the trouble too early.
		w.wroteFigures = false
	}
	if err == nil && is.tick {
		w.wroteFigures = w.wroteFigures || is.figures
		w.store.Retain(context.Background(), w.row)
	}
}

// tick updates the list of suspects. If an alert has waited long enough, tick makes it fire or
// resolve. Suppose that the diagnosis was restarted without its saved state (w.anew). Then tick also
// ends the incidents that are in the ledger but not in the engine. It ends these incidents as soon as
// the diagnosis has read the backlog and all rows whose results are already in the ledger.
func (w *Watch) tick(tx *ledger.Tx, now *engine.Summary) error {
	ends := w.anew && w.live && w.known == nil
	err := w.d.Tick(tx, w.row, now, ends)
	w.anew = w.anew && (err != nil || !ends)
	return err
}
