package policy

import "time"

// sitOuts is the record of sitout: it holds the members that are passed over because they were late
// several times in a row.
type sitOuts struct {
	o      *Options
	parity int    // largest number of members passed over, with masked members
	masks  *masks // masked members are left out already
	seats  []seat
}

type seat struct {
	place  place
	lates  streak        // late answers of a member in use
	prompt int           // prompt answers in a row of a member on trial
	again  time.Duration // time of the next trial of a member that sits out
}

type place int

const (
	plays place = iota
	sitsOut
	onTrial
)

func newSitOuts(p *Policy) *sitOuts {
	return &sitOuts{o: &p.options, parity: p.parity, masks: &p.masks, seats: make([]seat, p.data+p.parity)}
}

// out returns the members that sit out or are on trial.
func (b *sitOuts) out() set {
	var s set
	for m := range b.seats {
		if b.seats[m].place != plays {
			s |= one(m)
		}
	}
	return s
}

// trials returns the members on trial. A member whose time to sit out is over is on trial from now
// on.
func (b *sitOuts) trials(now time.Duration) set {
	var s set
	for m := range b.seats {
		seat := &b.seats[m]
		if seat.place == sitsOut && now >= seat.again {
			seat.place, seat.prompt = onTrial, 0
		}
		if seat.place == onTrial {
			s |= one(m)
		}
	}
	return s
}

// limit returns the number of medians within which an answer of a member is prompt.
func (b *sitOuts) limit(member int) float64 {
	if b.seats[member].place == plays {
		return b.o.ST
	}
	return b.o.Leave
}

// late records a late answer. A member that was late too often sits out, if parity can replace it.
// It is tried again as soon as it owes no answers, because it may have hung only once. After a
// failed trial, it is tried again after Options.Again.
func (b *sitOuts) late(member int, begun, now time.Duration) {
	switch seat := &b.seats[member]; seat.place {
	case onTrial:
		*seat = seatOut(now + b.o.Again)
	case plays:
		seat.lates.late(begun, now)
		if seat.lates.count >= b.o.SR && (b.out()|b.masks.sitOut|b.masks.last).len() < b.parity {
			*seat = seatOut(now)
		}
	}
}

func seatOut(again time.Duration) seat { return seat{place: sitsOut, again: again} }

// prompt records a prompt answer. A member on trial that was prompt often enough is used again.
func (b *sitOuts) prompt(member int) {
	at := &b.seats[member]
	switch at.place {
	case plays:
		at.lates = streak{}
	case onTrial:
		if at.prompt++; at.prompt >= b.o.SR {
			*at = seat{}
		}
	}
}
