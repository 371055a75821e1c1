package activity

import "github.com/limpet-storage/limpet/engine/table"

// A machine's clock may be far off for a moment: a year ahead until the network
// is up, or a day ahead for one record. Its uptime is always right. An era is a
// period in which clock and uptime agree. A clock is believed after it has run
// for a while; until then the machine's steps are held back.

const (
	// clockStep is the change of the clock, in seconds, that begins a new era.
	// Time daemons make smaller corrections, which repeat or skip a few steps.
	clockStep = 300
	// believed is the uptime, in 1/100 s, after which a clock is believed.
	believed = 120 * 100
)

// era tracks the clock of one machine.
type era struct {
	began  uint64 // uptime at the first record of the era
	time   int64  // time of the last record
	uptime uint64
	known  bool          // the machine has a record
	held   []*table.Step // steps that are held back
	good   int           // number of held steps from eras that were believed
}

// next takes the time and the uptime of the next record. It reports whether the
// clock jumped.
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

func (e *era) isBelieved() bool { return e.known && e.uptime-e.began >= believed }

// hold keeps a copy of a step until the clock is believed.
func (e *era) hold(s *table.Step) {
	e.held = append(e.held, s.Clone())
}

// settle ends an era. If keep is set, it keeps the steps that are held back.
// Otherwise it drops the steps of this era, because the clock was wrong.
func (e *era) settle(keep bool) {
	if !keep {
		e.held = e.held[:e.good]
	}
	e.good = len(e.held)
}

// trust marks the held steps up to the time end as good, even if the clock is
// not believed yet.
func (e *era) trust(end int64) {
	for e.good < len(e.held) && e.held[e.good].End <= end {
		e.good++
	}
}

// release returns the oldest step that may go into a row, or nil. If all is
// set, every held step may go into a row.
func (e *era) release(all bool) *table.Step {
	if len(e.held) == 0 || e.good == 0 && !all && !e.isBelieved() {
		return nil
	}
	s := e.held[0]
	e.held, e.good = e.held[1:], max(e.good-1, 0)
	return s
}
