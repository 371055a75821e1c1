package survey

import (
	"fmt"

	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/history"
	"github.com/limpet-storage/limpet/study/tally"
)

// daily asks whether drives are slow at some hours of the day (T16 §4.3.3).
type daily struct {
	*tally.Sheet
	hours, slow int // counts by hour of the day
}

func newDaily(s *tally.Sheet) *daily {
	return &daily{s, s.Sums.Block(dayHours), s.Sums.Block(dayHours)}
}

func (d *daily) Group(g *history.Group) {
	for h, n := range g.ByHour {
		d.Sums.Add(d.hours+h, n)
	}
	for _, t := range g.Tails {
		of := d.Clock(t.Hour).Hour()
		for _, h := range t.Slow {
			d.Sums.Add(d.slow+of, tally.One(h.S >= d.Main()))
		}
	}
}

func (d *daily) Report() {
	d.worst()
	t := finding.Table{
		Name: "hour-of-day", Title: "Slow hours by the hour of the day", Source: "T16 §4.3.3",
		Columns: []string{"hour", "drive hours", "at least " + tally.Times(d.Main())},
	}
	curve := finding.Curve{Name: tally.Times(d.Main())}
	for h := range dayHours {
		v := d.Ratio(d.slow+h, d.hours+h)
		t.Add(fmt.Sprintf("%02d", h), d.Total(d.hours+h), v)
		if !v.None {
			curve.Add(float64(h), v.Number)
		}
	}
	d.Table(t)
	d.Chart(finding.Chart{
		Name: "hour-of-day", Title: "Slow hours by the hour of the day", Source: "T16 §4.3.3",
		X: finding.Axis{Title: "hour of the day", To: dayHours - 1}, Y: finding.Axis{Title: "share of drive hours"}, Curves: []finding.Curve{curve},
	})
}

// worst is the figure of the hour of the day with the largest share of slow
// hours, over that of all. The largest of 24 is above the mean even where none
// is worse than another: it has no interval.
func (d *daily) worst() {
	var slow, hours int64
	most := 0.0
	for h := range dayHours {
		s, n := d.Sums.Total(d.slow+h), d.Sums.Total(d.hours+h)
		slow, hours = slow+s, hours+n
		most = max(most, float64(s)/float64(max(1, n)))
	}
	if slow > 0 {
		v := finding.Value{Number: most * float64(hours) / float64(slow), Unit: finding.Times}
		d.Figure(finding.Figure{Name: "worst-hour-of-day", Value: v}, "the mean is the share of slow hours of %s in the worst hour of the day")
	}
}
