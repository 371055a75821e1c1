package survey

import (
	"fmt"

	"github.com/limpet-storage/limpet/study"
)

// drift asks whether the fleet is getting worse. It compares months.
type drift struct {
	*sheet
	months map[int32]*monthly
}

type monthly struct{ hours, driveHours, slow, tails int }

func newDrift(s *sheet) *drift { return &drift{s, map[int32]*monthly{}} }

func (d *drift) Group(g *study.Group) {
	for _, m := range g.Months {
		at := d.month(m.Index)
		d.Sums.Add(at.hours, m.Hours)
		d.Sums.Add(at.driveHours, m.DriveHours)
	}
	for _, t := range g.Tails {
		at := d.month(study.MonthIndex(d.Clock(t.Hour)))
		d.Sums.Add(at.tails, oneIf(t.Reaches(1, d.Main())))
		for _, h := range t.Slow {
			d.Sums.Add(at.slow, oneIf(h.S >= d.Main()))
		}
	}
}

func (d *drift) month(index int32) *monthly {
	m := d.months[index]
	if m == nil {
		m = &monthly{d.Sums.Block(1), d.Sums.Block(1), d.Sums.Block(1), d.Sums.Block(1)}
		d.months[index] = m
	}
	return m
}

func (d *drift) Report() {
	slow, tails := study.Curve{Name: "drive hours"}, study.Curve{Name: "group hours"}
	t := study.Table{
		Name: "months", Title: "Months", Columns: []string{"month", "drive hours", "at least " + times(d.Main()), "hours with a slow drive"},
		Note: "The first and the last month may be incomplete.",
	}
	months := keys(d.months)
	for i, index := range months {
		m := d.months[index]
		hours, group := d.Ratio(m.slow, m.driveHours), d.Ratio(m.tails, m.hours)
		t.Add(fmt.Sprintf("%04d-%02d", index/12, index%12+1), d.Total(m.driveHours), hours, group)
		slow.Add(float64(i), hours.Number)
		tails.Add(float64(i), group.Number)
	}
	d.Table(t)
	if len(months) < 2 {
		return
	}
	d.Chart(study.Chart{
		Name: "months", Title: "Slow hours by month", X: study.Axis{Title: "months since " + t.Rows[0].Label, To: float64(len(months) - 1)},
		Y: study.Axis{Title: "share of hours"}, Curves: []study.Curve{slow, tails},
	})
	first, last := d.months[months[0]], d.months[months[len(months)-1]]
	d.Figure(study.Figure{Name: "drift-" + short(d.Main()), Value: d.Value(study.Points, func(sum study.Sum) float64 {
		return sum(last.slow)/sum(last.driveHours) - sum(first.slow)/sum(first.driveHours)
	}, last.driveHours, first.driveHours)}, ": share of slow drive hours ("+times(d.Main())+" or more) of %s in the last month, compared with the first month")
}
