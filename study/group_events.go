package study

import (
	"cmp"
	"slices"
	"time"
)

// HoursSinceEpoch returns a time in hours since 1970.
func HoursSinceEpoch(t time.Time) float64 {
	return float64(t.UnixMilli()) / float64(time.Hour/time.Millisecond)
}

// ByHand reports whether an event is the work of hands, not a complaint of the
// drive.
func ByHand(w What) bool { return w == Unplugged || w == Replugged }

// A log is the events of drives, and where those drives were.
type log struct {
	events map[int32][]Event // by drive, then time
	stays  map[int32][]stay  // by drive, then time
}

// A stay of a drive in a cell, from its first hour to its last.
type stay struct{ cell, first, last int32 }

// newLog takes events of drives with a seat in one of the cells before the
// last.
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

// where is the cell that a drive was in; between two stays, or after the last,
// that which it was in before, and before the first that.
func (l *log) where(drive int32, hours float64) int32 {
	stays := l.stays[drive]
	best := stays[0]
	for _, s := range stays {
		switch {
		case float64(s.first) > hours:
		case hours < float64(s.last+1): // here, and of several the last entered
			best = s
		case float64(best.last+1) <= hours && s.last > best.last:
			best = s
		}
	}
	return best.cell
}
