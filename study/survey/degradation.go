package survey

import (
	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/history"
	"github.com/limpet-storage/limpet/study/tally"
)

// degradation asks whether a group does less when one of its drives becomes
// slow (T16 §4.4.1, Figure 10).
type degradation struct {
	*tally.Sheet
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

func newDegradation(s *tally.Sheet) *degradation {
	return &degradation{s, s.Sums.Block(stepCounts * len(s.Thresholds))}
}

func (d *degradation) Group(g *history.Group) {
	for i, s := range g.Steps {
		at := d.steps + stepCounts*i
		d.Sums.Add(at+calm, s.Calm)
		d.Sums.Add(at+calmFell, s.CalmFell)
		d.Sums.Add(at+tense, s.Tense)
		d.Sums.Add(at+tenseFell, s.TenseFell)
	}
}

func (d *degradation) Report() {
	t := finding.Table{
		Name: "degradation", Title: "Hours with half the I/Os of the one before, or less", Source: "T16 Figure 10",
		Columns: []string{"slow from", "stable to stable", "stable to tail", "difference"},
	}
	for i, x := range d.Thresholds {
		at := d.steps + stepCounts*i
		more := d.Value(finding.Points, func(sum boot.Sum) float64 {
			return sum(at+tenseFell)/sum(at+tense) - sum(at+calmFell)/sum(at+calm)
		}, at+tense)
		d.Share("fall-stable-"+tally.Short(x), at+calmFell, at+calm, "of the steps of groups of %s from one stable hour to the next ("+tally.Times(x)+") halve the I/Os or worse")
		d.Share("fall-tail-"+tally.Short(x), at+tenseFell, at+tense, "of the steps of groups of %s from a stable hour to a tail hour ("+tally.Times(x)+") halve the I/Os or worse")
		d.Figure(finding.Figure{Name: "fall-more-" + tally.Short(x), Value: more}, "of the steps of groups of %s halve the I/Os where they lead to a tail hour ("+tally.Times(x)+") than elsewhere")
		t.Add(tally.Times(x), d.Ratio(at+calmFell, at+calm), d.Ratio(at+tenseFell, at+tense), more)
		d.Chart(finding.Chart{
			Name: "degradation-" + tally.Short(x), Title: "I/Os of a group in the hour before, over this hour's", Source: "T16 Figure 10",
			X: finding.Axis{Title: "I/Os of the last hour over this one's", To: 5}, Y: finding.Axis{Title: "share of steps below", To: 1},
			Curves: []finding.Curve{{Name: "stable to stable", Points: tally.CDF(&d.Spread.Calm[i], 0)}, {Name: "stable to tail", Points: tally.CDF(&d.Spread.Tense[i], 0)}},
		})
	}
	d.Table(t)
}
