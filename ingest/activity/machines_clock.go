package activity

import "github.com/limpet-storage/limpet/engine/table"

// A machine's clock may be far off for a moment: a year ahead until the network
// is up, a day ahead for one record. Its uptime is not. An era is a time in
// which clock and uptime agree; a clock is believed once it has run for a
// while, and until then its steps are held back.

const (
	// clockStep is the difference, in seconds, from which on a change of the
	// clock begins a new era. Less is what time daemons correct, and repeats
	// or skips a few steps.
	clockStep = 300
	// believed is for how many hundredths of a second of uptime a clock has
	// to run.
	believed = 120 * 100
)

// era follows the clock of one machine.
type era struct {
	began  uint64 // uptime at its first record
	time   int64  // of its last record
	uptime uint64
	known  bool          // it has a record
	held   []*table.Step // not given out yet
	good   int           // so many of them are of eras that were believed
}

// next takes the time of the next record, and says whether the clock jumped.
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

// settle makes the steps held so far good, or drops those of the era that ends:
// its clock never told the time.
func (e *era) settle(keep bool) {
	if !keep {
		e.held = e.held[:e.good]
	}
	e.good = len(e.held)
}

// trust makes the steps up to one good, whether or not the clock is believed.
func (e *era) trust(end int64) {
	for e.good < len(e.held) && e.held[e.good].End <= end {
		e.good++
	}
}

// release gives out the oldest step that may be, nil where there is none.
func (e *era) release(all bool) *table.Step {
	if len(e.held) == 0 || e.good == 0 && !all && !e.isBelieved() {
		return nil
	}
	s := e.held[0]
	e.held, e.good = e.held[1:], max(e.good-1, 0)
	return s
}
