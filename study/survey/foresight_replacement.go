package survey

import (
	"math"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// replacement asks which drives are worth replacing. It counts the slow hours that would have
// been avoided if every drive had been replaced after its first, second, fifth, … slow hour:
// the later slow hours of the drive, minus the slow hours of the new drive, which is assumed to
// be slow as often as the average drive.
type replacement struct {
	*sheet
	threshold float64
	slow      int // count of slow hours
	tails     int // count of tail hours
	rules     int // counts by rule
}

// rules are the numbers of slow hours after which a drive is replaced.
var rules = [...]int{1, 2, 5, 10, 20, 50, 100, 200}

// Offsets of the counts of a rule.
const (
	replaced  = iota // replaced drives
	saved            // slow hours after the replacement
	savedTail        // tail hours in which all slow drives had been replaced
	remaining        // hours in which the new drive is a member
	ruleCounts
)

func newReplacement(s *sheet, threshold float64) *replacement {
	return &replacement{s, threshold, s.Sums.Block(1), s.Sums.Block(1), s.Sums.Block(ruleCounts * len(rules))}
}

func (r *replacement) Group(g *study.Group) {
	for i := range g.Members {
		m := &g.Members[i]
		slow := study.SlowFrom(m.Slow, r.threshold)
		r.Sums.Add(r.slow, int64(len(slow)))
		for k, n := range rules {
			if len(slow) < n {
				break
			}
			at := r.rules + ruleCounts*k
			r.Sums.Add(at+replaced, 1)
			r.Sums.Add(at+saved, int64(len(slow)-n))
			r.Sums.Add(at+remaining, m.Hours-m.Worked(slow[n-1]))
		}
	}
	r.countTails(g)
}

// countTails counts the tail hours that would have been avoided, because every slow drive in the
// hour had already been replaced.
func (r *replacement) countTails(g *study.Group) {
	if len(g.Tails) == 0 {
		return
	}
	before := map[int32]int{}
	for _, t := range g.Tails {
		least := math.MaxInt
		for _, h := range t.Slow {
			if h.S >= r.threshold {
				least = min(least, before[h.Drive])
				before[h.Drive]++
			}
		}
		if least == math.MaxInt {
			continue
		}
		r.Sums.Add(r.tails, 1)
		for k, n := range rules {
			r.Sums.Add(r.rules+ruleCounts*k+savedTail, oneIf(least >= n))
		}
	}
}

func (r *replacement) Report() {
	at := short(r.threshold)
	t := study.Table{
		Name: "replacement-" + at, Title: "Slow hours that would not have happened if slow drives had been replaced, at " + times(r.threshold),
		Columns: []string{"replaced after this many slow hours", "drives", "share of drives", "slow hours avoided", "avoided per replaced drive", "slow hours avoided, minus slow hours of the new drive", "avoided hours with a slow drive", "avoided per replaced drive"},
		Note:    "A new drive is assumed to be slow as often as the average drive. An hour of a group counts as avoided only if no other drive of the group was slow.",
	}
	for k, n := range rules {
		at := r.rules + ruleCounts*k
		if r.Sums.Total(at+replaced) == 0 {
			break
		}
		t.Add(short(float64(n)),
			r.Total(at+replaced), r.Ratio(at+replaced, r.Drives), r.Ratio(at+saved, r.slow), r.each(at, saved), r.net(at),
			r.Ratio(at+savedTail, r.tails), r.each(at, savedTail))
	}
	r.Table(t)
	for k, n := range rules {
		if n == 1 || n == 10 || n == 100 {
			r.Figure(study.Figure{Name: "replace-at-" + short(float64(n)) + "-" + at, Value: r.net(r.rules + ruleCounts*k)},
				"per replaced drive, if %s are replaced after "+english.Count(n, "slow hour")+" ("+times(r.threshold)+" or more), compared with no replacement")
		}
	}
}

// each returns a count divided by the number of replaced drives.
func (r *replacement) each(at, what int) study.Value {
	return r.Value(study.InHours, func(sum study.Sum) float64 { return sum(at+what) / sum(at+replaced) }, at+replaced)
}

// net returns the avoided slow hours minus the slow hours of the new drive, per replaced drive.
func (r *replacement) net(at int) study.Value {
	return r.Value(study.InHours, func(sum study.Sum) float64 {
		return (sum(at+saved) - sum(at+remaining)*sum(r.slow)/sum(r.DriveHours)) / sum(at+replaced)
	}, at+replaced)
}
