package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// aging asks whether old drives are slower than young ones (T16 Finding 10).
type aging struct {
	*sheet
	young, old int // counts of hours, and of slow hours
}

// oldYear is the first year in which T16 calls disks old: few disks become so old.
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
	if year == 0 { // the age is unknown
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
		return // no old drive was slow: the table of ages already shows this
	}
	v := a.Value(study.Times, func(sum study.Sum) float64 {
		return sum(a.old+1) / sum(a.old) / (sum(a.young+1) / sum(a.young))
	}, a.old+1, a.young+1)
	a.Figure(study.Figure{Name: "age-older-" + short(a.Main()), Value: v},
		": share of slow hours ("+times(a.Main())+" or more) of %s from their sixth year on, compared with earlier years")
}
