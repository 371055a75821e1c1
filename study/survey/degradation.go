package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// degradation asks whether a group does less when one of its drives becomes
// slow (T16 §4.4.1, Figure 10).
type degradation struct {
	*sheet
	steps int // counts by threshold: calm, fell, tense, fell
}

// Places of the counts of a threshold.
const (
	calm = iota
	calmFell
	tense
	tenseFell
	stepCounts
)

func newDegradation(s *sheet) *degradation {
	return &degradation{s, s.Sums.Block(stepCounts * len(s.Thresholds))}
}

func (d *degradation) Group(g *study.Group) {
	for i, s := range g.Steps {
		at := d.steps + stepCounts*i
		d.Sums.Add(at+calm, s.Calm)
		d.Sums.Add(at+calmFell, s.CalmFell)
		d.Sums.Add(at+tense, s.Tense)
		d.Sums.Add(at+tenseFell, s.TenseFell)
	}
}

func (d *degradation) Report() {
	t := study.Table{
		Name: "degradation", Title: "Hours with half the I/Os of the one before, or less", Source: "T16 Figure 10",
		Columns: []string{"slow from", "stable to stable", "stable to tail", "difference"},
	}
	for i, x := range d.Thresholds {
		at := d.steps + stepCounts*i
		more := d.Value(study.Points, func(sum study.Sum) float64 {
			return sum(at+tenseFell)/sum(at+tense) - sum(at+calmFell)/sum(at+calm)
		}, at+tense)
		d.Share("fall-stable-"+short(x), at+calmFell, at+calm, "of the steps of groups of %s from one stable hour to the next ("+times(x)+") halve the I/Os or worse")
		d.Share("fall-tail-"+short(x), at+tenseFell, at+tense, "of the steps of groups of %s from a stable hour to a tail hour ("+times(x)+") halve the I/Os or worse")
		d.Figure(study.Figure{Name: "fall-more-" + short(x), Value: more}, "of the steps of groups of %s halve the I/Os where they lead to a tail hour ("+times(x)+") than elsewhere")
		t.Add(times(x), d.Ratio(at+calmFell, at+calm), d.Ratio(at+tenseFell, at+tense), more)
		d.Chart(study.Chart{
			Name: "degradation-" + short(x), Title: "I/Os of a group in the hour before, over this hour's", Source: "T16 Figure 10",
			X: study.Axis{Title: "I/Os of the last hour over this one's", To: 5}, Y: study.Axis{Title: "share of steps below", To: 1},
			Curves: []study.Curve{{Name: "stable to stable", Points: cdf(&d.Spread.Calm[i], 0)}, {Name: "stable to tail", Points: cdf(&d.Spread.Tense[i], 0)}},
		})
	}
	d.Table(t)
}
