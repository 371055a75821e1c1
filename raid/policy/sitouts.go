package policy

import "time"

// sitOuts is the record of sitout: where members sit that are passed over, because they were late
// again and again.
type sitOuts struct {
	o      *Options
	parity int    // how many may sit there, with those that are masked
	masks  *masks // those sit out already
	seats  []seat
}

type seat struct {
	place  place
	lates  streak        // of one who plays
	prompt int           // of one on trial, in a row
	again  time.Duration // when one who sits out is tried
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

// out are those who do not play.
func (b *sitOuts) out() set {
	var s set
	for m := range b.seats {
		if b.seats[m].place != plays {
			s |= one(m)
		}
	}
	return s
}

// trials are those who are on trial now; whose time has come joins them.
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

// limit is how many times the median a member may take to be prompt.
func (b *sitOuts) limit(member int) float64 {
	if b.seats[member].place == plays {
		return b.o.ST
	}
	return b.o.Leave
}

// late sends a member out, if it has been late too often and there is parity
// to stand in for it. Who is sent out is tried as soon as it owes nothing, since
// it may just have been stuck, and who fails a trial after a time.
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

// prompt lets one on trial play, if it has been prompt often enough.
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
