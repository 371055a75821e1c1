package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// runs asks how long drives stay slow, and how soon they are slow again
// (T16 §4.1.3, Figure 5).
type runs struct {
	*sheet
	threshold float64
	lasting   int // counts of runs of at least marks[i] hours
	all       int // count of slow hours of drives that were slow before
	within    int // counts of slow hours at most marks[i] hours after the slow hour before

	lengths [1 + longest]int64 // number of runs, by hours; the last includes longer runs
	gaps    [1 + longest]int64 // number of slow hours, by hours since the slow hour before
}

// longest is the largest number of hours that is counted separately: a week. The axes of T16's
// figures are shorter.
const longest = 7 * dayHours

// marks are the hours at which shares are computed.
var marks = [...]int{1, 2, 3, 4, 6, 8, 12, dayHours, 2 * dayHours, 3 * dayHours}

// Indexes of the marks that are in the text of T16: 2, 8 and 24 hours.
const (
	markTwo   = 1
	markEight = 5
	markDay   = 7
)

func newRuns(s *sheet, threshold float64) *runs {
	return &runs{
		sheet: s, threshold: threshold,
		lasting: s.Sums.Block(len(marks)), all: s.Sums.Block(1), within: s.Sums.Block(len(marks)),
	}
}

func (r *runs) Group(g *study.Group) {
	for i := range g.Members {
		slow := study.SlowFrom(g.Members[i].Slow, r.threshold)
		for _, run := range study.Runs(slow) {
			r.run(len(run))
		}
		for k := 1; k < len(slow); k++ {
			r.gap(int(slow[k].Hour - slow[k-1].Hour))
		}
	}
}

func (r *runs) run(hours int) {
	r.lengths[min(hours, longest)]++
	for i, h := range marks {
		r.Sums.Add(r.lasting+i, oneIf(hours >= h))
	}
}

func (r *runs) gap(hours int) {
	r.gaps[min(hours, longest)]++
	r.Sums.Add(r.all, 1)
	for i, h := range marks {
		r.Sums.Add(r.within+i, oneIf(hours <= h))
	}
}

func (r *runs) Report() {
	at, slow := short(r.threshold), times(r.threshold)
	r.Share("persist-"+at, r.lasting+markTwo, r.lasting, "of the slow periods of %s ("+slow+" or more) last longer than an hour")
	r.Share("persist-8h-"+at, r.lasting+markEight, r.lasting, "of the slow periods of %s ("+slow+" or more) last 8 hours or longer")
	r.Share("again-"+at, r.within+markDay, r.all, "of the slow hours of %s ("+slow+" or more) follow another slow hour within a day (the first slow hour of each drive is not counted)")
	t := study.Table{
		Name: "runs-" + at, Title: "How long slow periods last, and how soon drives are slow again, at " + slow, Source: "T16 Figure 5",
		Columns: []string{"hours", "slow periods of at least this length", "slow again within this time"},
	}
	for i, h := range marks {
		t.Add(short(float64(h)), r.Ratio(r.lasting+i, r.lasting), r.Ratio(r.within+i, r.all))
	}
	r.Table(t)
	r.Chart(study.Chart{
		Name: "runs-" + at, Title: "Hours that a slow period lasts", Source: "T16 Figure 5a",
		X: study.Axis{Title: "hours", From: 1, To: 20}, Y: study.Axis{Title: "share of slow periods that are at most this long", To: 1},
		Curves: []study.Curve{upTo(slow, r.lengths[:])},
	})
	r.Chart(study.Chart{
		Name: "returns-" + at, Title: "Hours until a drive is slow again", Source: "T16 Figure 5b",
		X: study.Axis{Title: "hours since the last slow hour", To: 35}, Y: study.Axis{Title: "share of slow hours", To: 1},
		Curves: []study.Curve{upTo(slow, r.gaps[:])},
	})
}
