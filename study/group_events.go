package study

import (
	"cmp"
	"slices"
	"time"
)

// HoursSinceEpoch returns the hours from the start of 1970 to a time.
func HoursSinceEpoch(t time.Time) float64 {
	return float64(t.UnixMilli()) / float64(time.Hour/time.Millisecond)
}

// ByHand reports whether a person caused the event: the drive was unplugged or put back. All
// other events are complaints of the drive.
func ByHand(w What) bool { return w == Unplugged || w == Replugged }

// A log holds the events of drives, and the cells in which these drives were.
type log struct {
	events map[int32][]Event // by drive, then time
	stays  map[int32][]stay  // by drive, then time
}

// A stay is the time of a drive in a cell, from its first hour to its last.
type stay struct{ cell, first, last int32 }

// newLog returns the log of the events. It takes the stays of the drives with events from the
// seats in the cells with an index below last.
func newLog(seats []Seat, last int, events []Event) *log {
	l := &log{map[int32][]Event{}, map[int32][]stay{}}
	for _, e := range events {
		l.events[e.Drive] = append(l.events[e.Drive], e)
	}
	for _, of := range l.events {
		slices.SortFunc(of, func(a, b Event) int { return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.What, b.What)) })
	}
	for _, s := range seats {
		if l.events[s.Drive] != nil && int(s.Cell) < last {
			l.stays[s.Drive] = append(l.stays[s.Drive], stay{s.Cell, s.First, s.Last})
		}
	}
	for _, of := range l.stays {
		slices.SortFunc(of, func(a, b stay) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.cell, b.cell)) })
	}
	return l
}

// attach gives the members of a group their events.
func (l *log) attach(g *Group, cell int32) {
	for i := range g.Members {
		m := &g.Members[i]
		for _, e := range l.events[m.Drive] {
			if l.where(m.Drive, HoursSinceEpoch(e.Time)) == cell {
				m.Events = append(m.Events, e)
			}
		}
	}
}

// where returns the cell of a drive at a time. Between two stays and after the last one, it is
// the cell of the stay before; before the first stay, it is the cell of the first stay.
func (l *log) where(drive int32, hours float64) int32 {
	stays := l.stays[drive]
	best := stays[0]
	for _, s := range stays {
		switch {
		case float64(s.first) > hours:
		case hours < float64(s.last+1): // in this stay; if several overlap, the stay that began last
			best = s
		case float64(best.last+1) <= hours && s.last > best.last:
			best = s
		}
	}
	return best.cell
}
