package survey

import (
	"fmt"

	"github.com/limpet-storage/limpet/study"
)

// daily asks whether drives are slow at certain hours of the day (T16 §4.3.3).
type daily struct {
	*sheet
	hours, slow int // counts of hours and of slow hours, by hour of the day
	any         int // count of all slow hours
}

func newDaily(s *sheet) *daily {
	return &daily{s, s.Sums.Block(dayHours), s.Sums.Block(dayHours), s.Sums.Block(1)}
}

func (d *daily) Group(g *study.Group) {
	for h, n := range g.ByHour {
		d.Sums.Add(d.hours+h, n)
	}
	for _, t := range g.Tails {
		of := d.Clock(t.Hour).Hour()
		for _, h := range t.Slow {
			d.Sums.Add(d.slow+of, oneIf(h.S >= d.Main()))
			d.Sums.Add(d.any, oneIf(h.S >= d.Main()))
		}
	}
}

func (d *daily) Report() {
	d.worst()
	d.night()
	t := study.Table{
		Name: "hour-of-day", Title: "Slow hours by the hour of the day", Source: "T16 §4.3.3",
		Columns: []string{"hour", "drive hours", "at least " + times(d.Main())},
	}
	curve := study.Curve{Name: times(d.Main())}
	for h := range dayHours {
		v := d.Ratio(d.slow+h, d.hours+h)
		t.Add(fmt.Sprintf("%02d", h), d.Total(d.hours+h), v)
		if !v.None {
			curve.Add(float64(h), v.Number)
		}
	}
	d.Table(t)
	d.Chart(study.Chart{
		Name: "hour-of-day", Title: "Slow hours by the hour of the day", Source: "T16 §4.3.3",
		X: study.Axis{Title: "hour of the day", To: dayHours - 1}, Y: study.Axis{Title: "share of drive hours"}, Curves: []study.Curve{curve},
	})
}

// worst adds the figure of the worst hour of the day: its share of slow hours, divided by the
// share of all hours. The figure has no interval, because the largest of 24 shares is above the
// mean even if all hours of the day are equal.
func (d *daily) worst() {
	var slow, hours int64
	most := 0.0
	for h := range dayHours {
		s, n := d.Sums.Total(d.slow+h), d.Sums.Total(d.hours+h)
		slow, hours = slow+s, hours+n
		most = max(most, float64(s)/float64(max(1, n)))
	}
	if slow > 0 {
		v := study.Value{Number: most * float64(hours) / float64(slow), Unit: study.Times, Unsure: "the value was chosen as the largest of 24 values"}
		d.Figure(study.Figure{Name: "worst-hour-of-day", Value: v}, ": share of slow hours ("+times(d.Main())+" or more) of %s in the worst hour of the day, compared with the average")
	}
}

// Hours of the night, in which background work such as scrubbing is done.
const (
	nightBegins = 20
	nightEnds   = 8
)

// night compares the night with the day. T16 finds no difference.
func (d *daily) night() {
	v := d.Value(study.Times, func(sum study.Sum) float64 {
		var slow, hours [2]float64 // by day, by night
		for h := range dayHours {
			at := oneIf(h >= nightBegins || h < nightEnds)
			slow[at] += sum(d.slow + h)
			hours[at] += sum(d.hours + h)
		}
		return slow[1] / hours[1] / (slow[0] / hours[0])
	}, d.any)
	d.Figure(study.Figure{Name: "hour-of-day-night-" + short(d.Main()), Value: v},
		": share of slow hours ("+times(d.Main())+" or more) of %s at night (20:00 to 8:00), compared with the day")
}
