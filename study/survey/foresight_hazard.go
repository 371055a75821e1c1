package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// hazard asks whether the history of a drive predicts a slow hour. It counts the chance of a slow
// hour by the hours since the last slow hour, by the slow hours so far, and by the length of the
// current slow run. Only hours in which the drive is a member of its group count.
//
// Each field is the index of pairs of counts: hours at risk, and slow hours among them.
type hazard struct {
	*sheet
	threshold float64
	never     int // hours of drives that were not slow before
	since     int // by hours since the last slow hour
	often     int // by slow hours so far
	next      int // hours directly after a slow hour
	lasting   int // the same, by hours of the current run
}

// hoursPerDay is the length of T16's "same day" and "within a day".
const hoursPerDay = 24

// The buckets of history.
var (
	sinceHours = [...]bucket{{1, 1}, {2, 2}, {3, 6}, {7, 12}, {13, 24}, {25, 48}, {49, 168}, {169, endless}}
	oftenSlow  = [...]bucket{{0, 0}, {1, 1}, {2, 4}, {5, 9}, {10, 19}, {20, 49}, {50, 99}, {100, endless}}
	lastingFor = [...]bucket{{1, 1}, {2, 2}, {3, 4}, {5, 8}, {9, 16}, {17, endless}}
)

func newHazard(s *sheet, threshold float64) *hazard {
	return &hazard{
		s, threshold, s.Sums.Block(2),
		s.Sums.Block(2 * len(sinceHours)), s.Sums.Block(2 * len(oftenSlow)), s.Sums.Block(2), s.Sums.Block(2 * len(lastingFor)),
	}
}

func (h *hazard) Group(g *study.Group) {
	for i := range g.Members {
		m := &g.Members[i]
		slow := study.SlowFrom(m.Slow, h.threshold)
		worked := int64(0)
		for k, s := range slow {
			now := m.Worked(s)
			h.stretch(k, now-worked, 1)
			worked = now
		}
		h.stretch(len(slow), m.Hours-worked, 0)
		h.runs(slow)
	}
}

// add counts hours at risk, and the slow hours among them.
func (h *hazard) add(at int, risk, slow int64) {
	h.Sums.Add(at, risk)
	h.Sums.Add(at+1, slow)
}

// stretch counts the hours after a slow hour, or after the start of the data, up to the next slow
// hour or to the end of the data. slow is 1 if a slow hour ends the stretch, else 0. before is
// the number of earlier slow hours.
func (h *hazard) stretch(before int, hours, slow int64) {
	h.add(h.often+2*which(oftenSlow[:], int64(before)), hours, slow)
	if before == 0 {
		h.add(h.never, hours, slow)
		return
	}
	for i, b := range sinceHours {
		h.add(h.since+2*i, b.overlap(hours), slow*oneIf(b.has(hours)))
	}
}

// runs counts the hours directly after a slow hour: whether they continue the run or end it.
func (h *hazard) runs(slow []study.SlowHour) {
	for _, run := range study.Runs(slow) {
		for k, s := range run {
			if s.Turn.GoesOn() {
				again := oneIf(k+1 < len(run))
				h.add(h.next, 1, again)
				h.add(h.lasting+2*which(lastingFor[:], int64(k+1)), 1, again)
			}
		}
	}
}

func (h *hazard) Report() {
	at, slow := short(h.threshold), times(h.threshold)
	h.Share("hazard-after-slow-"+at, h.next+1, h.next, "is the chance that slow %s ("+slow+" or more) are slow again in the next hour")
	h.Share("hazard-never-"+at, h.never+1, h.never, "is the chance per hour that %s become slow ("+slow+" or more) for the first time")
	h.liftFigure()
	h.buckets("hazard-since-"+at, "Chance of a slow hour, by busy hours since the last slow hour", "busy hours since the last slow hour", h.since, sinceHours[:])
	h.buckets("hazard-often-"+at, "Chance of a slow hour, by slow hours so far", "slow hours so far", h.often, oftenSlow[:])
	h.buckets("hazard-lasting-"+at, "Chance that a slow period continues, by the number of hours that it has lasted", "hours so far", h.lasting, lastingFor[:])
}

// liftFigure compares drives that were slow within the last day with drives that were never slow.
func (h *hazard) liftFigure() {
	if h.lift(func(id int) float64 { return float64(h.Sums.Total(id)) }) == 0 {
		return // no slow hour follows another within a day; hazard-after-slow shows this
	}
	slow := times(h.threshold)
	h.Figure(study.Figure{Name: "hazard-lift-" + short(h.threshold), Value: h.Value(study.Times, h.lift, h.since, h.never+1)},
		": chance of a slow hour for %s that were slow ("+slow+" or more) in the last 24 busy hours, compared with %s that were never slow")
}

// lift returns (chance of a slow hour within a day after one) / (chance of the first slow hour).
func (h *hazard) lift(sum study.Sum) float64 {
	var risk, slow float64
	for i, b := range sinceHours {
		if b.to <= hoursPerDay {
			risk += sum(h.since + 2*i)
			slow += sum(h.since + 2*i + 1)
		}
	}
	return slow / risk / (sum(h.never+1) / sum(h.never))
}

func (h *hazard) buckets(name, title, what string, first int, buckets []bucket) {
	t := study.Table{Name: name, Title: title + " (" + times(h.threshold) + ")", Columns: []string{what, "hours counted", "slow", "chance"}}
	for i, b := range buckets {
		at := first + 2*i
		t.Add(b.String(), h.Total(at), h.Total(at+1), h.Ratio(at+1, at))
	}
	if first == h.since {
		t.Add("never slow so far", h.Total(h.never), h.Total(h.never+1), h.Ratio(h.never+1, h.never))
	}
	h.Table(t)
}
