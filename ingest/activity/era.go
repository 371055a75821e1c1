package activity

import "github.com/limpet-storage/limpet/engine/table"

const (
	// An era is a period in which the clock and the uptime of a machine advance by the same time.
	// clockStep is the longest jump of the clock, in seconds, that does not begin a new era. Time
	// daemons correct a clock by less than 300 s. After such a correction only a few steps are
	// repeated or skipped.
	clockStep = 300
	// trustedAfter is the length of an era after which the clock counts as right. It is 120 s. Its
	// unit is 1/100 s, the unit of the uptime.
	trustedAfter = 120 * 100
)

// era tracks the clock of one machine. The clock may be wrong for a while. For example, it may be a
// year ahead until the machine has a network. The uptime of the machine is always right.
//
// An era is a period in which the clock and the uptime advance by the same time. The clock is
// trusted if the era is at least trustedAfter long. Until then the steps of the machine do not go
// into rows.
type era struct {
	began  uint64        // uptime at the first record of the era, in 1/100 s
	time   int64         // time of the last record
	uptime uint64        // uptime at the last record, in 1/100 s
	known  bool          // true if at least one record was read
	held   []*table.Step // steps that wait until the clock is trusted
	usable int           // number of steps at the start of era.held that may go into rows
}

// next updates the era with the time and the uptime of the next record. It
// reports whether the clock jumped.
func (e *era) next(time int64, uptime uint64, restarted bool) (jumped bool) {
	if e.known && !restarted {
		off := (time - e.time) - int64(uptime-e.uptime)/100
		jumped = off > clockStep || off < -clockStep
	}
	if jumped || restarted || !e.known {
		e.began = uptime
	}
	e.time, e.uptime, e.known = time, uptime, true
	return jumped
}

func (e *era) isBelieved() bool { return e.known && e.uptime-e.began >= trustedAfter }

// hold appends a copy of a step to the steps that wait until the clock is trusted.
func (e *era) hold(s *table.Step) {
	e.held = append(e.held, s.Clone())
}

// settle ends an era. If `keep` is true, the steps of the era that are held back may go into rows.
// Otherwise settle drops these steps, because the clock was wrong.
func (e *era) settle(keep bool) {
	if !keep {
		e.held = e.held[:e.usable]
	}
	e.usable = len(e.held)
}

// trust marks the held steps that end at or before the given time. These steps may go into rows,
// even if the era is still too short to trust the clock.
func (e *era) trust(end int64) {
	for e.usable < len(e.held) && e.held[e.usable].End <= end {
		e.usable++
	}
}

// release removes and returns the oldest step that is held back, if this step may go into a row;
// otherwise it returns nil. If `all` is true, every step may go into a row.
func (e *era) release(all bool) *table.Step {
	if len(e.held) == 0 || e.usable == 0 && !all && !e.isBelieved() {
		return nil
	}
	s := e.held[0]
	e.held, e.usable = e.held[1:], max(e.usable-1, 0)
	return s
}
