package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// degradation asks whether a group does fewer I/Os when one of its drives becomes slow (T16
// §4.4.1, Figure 10).
type degradation struct {
	*sheet
	steps int // counts by threshold: calm, calmFell, tense, tenseFell
}

// Offsets of the counts of a threshold, see study.Step.
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
		Name: "degradation", Title: "Hours with at most half the I/Os of the hour before", Source: "T16 Figure 10",
		Columns: []string{"smallest slowdown of a slow drive", "hours without a slow drive", "hours with a slow drive", "difference"},
	}
	for i, x := range d.Thresholds {
		at := d.steps + stepCounts*i
		more := d.Value(study.Points, func(sum study.Sum) float64 {
			return sum(at+tenseFell)/sum(at+tense) - sum(at+calmFell)/sum(at+calm)
		}, at+tense)
		d.Share("fall-stable-"+short(x), at+calmFell, at+calm, "of the group hours of %s without a slow drive ("+times(x)+" or more) that follow an hour without a slow drive have at most half the I/Os of the hour before")
		d.Share("fall-tail-"+short(x), at+tenseFell, at+tense, "of the group hours of %s with a slow drive ("+times(x)+" or more) that follow an hour without a slow drive have at most half the I/Os of the hour before")
		d.Figure(study.Figure{Name: "fall-more-" + short(x), Value: more}, ": share of group hours of %s with at most half the I/Os of the hour before, if a drive is slow ("+times(x)+" or more), compared with hours without a slow drive")
		t.Add(times(x), d.Ratio(at+calmFell, at+calm), d.Ratio(at+tenseFell, at+tense), more)
		d.Chart(study.Chart{
			Name: "degradation-" + short(x), Title: "I/Os of a group in the hour before, divided by its I/Os in this hour", Source: "T16 Figure 10",
			X: study.Axis{Title: "I/Os of the hour before / I/Os of this hour", To: 5}, Y: study.Axis{Title: "share of hours with a smaller value", To: 1},
			Curves: []study.Curve{{Name: "hours without a slow drive", Points: cdf(&d.Spread.Calm[i], 0)}, {Name: "hours with a slow drive", Points: cdf(&d.Spread.Tense[i], 0)}},
		})
	}
	d.Table(t)
}
