package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// aging asks whether old drives are slower than young ones (T16 Finding 10).
type aging struct {
	*sheet
	young, old int // counts of hours and of slow ones
}

// oldYear is where T16 begins to call disks old: few live so long.
const oldYear = 6

func newAging(s *sheet) *aging { return &aging{s, s.Sums.Block(2), s.Sums.Block(2)} }

func (a *aging) Group(g *study.Group) {
	for i := range g.Members {
		m := &g.Members[i]
		for seat, slow := range m.BySeat() {
			a.add(seat.Year, seat.Hours, int64(len(study.SlowFrom(slow, a.Main()))))
		}
	}
}

func (a *aging) add(year int32, hours, slow int64) {
	if year == 0 { // not known
		return
	}
	at := a.young
	if year >= oldYear {
		at = a.old
	}
	a.Sums.Add(at, hours)
	a.Sums.Add(at+1, slow)
}

func (a *aging) Report() {
	if a.Sums.Total(a.old+1) == 0 {
		return // as the table of ages says
	}
	v := a.Value(study.Times, func(sum study.Sum) float64 {
		return sum(a.old+1) / sum(a.old) / (sum(a.young+1) / sum(a.young))
	}, a.old+1, a.young+1)
	a.Figure(study.Figure{Name: "age-older-" + short(a.Main()), Value: v},
		"is the share of slow hours ("+times(a.Main())+" or more) of %s from their sixth year on, divided by the share in earlier years")
}
