package foresight

import (
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/boot"
	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/history"
	"github.com/limpet-storage/limpet/study/tally"
)

// hazard asks whether history predicts: how likely a drive is slow in the next
// hour, by when it was slow last, how often so far, and for how long just now.
// The next hour is one in which its group counts, while the drive is there.
type hazard struct {
	*tally.Sheet
	threshold float64
	never     int // counts of hours at risk and slow ones, of drives not slow yet
	since     int // by hours since the last slow hour
	often     int // by slow hours so far
	lasting   int // by hours of the run at hand
}

// dayHours is what T16 calls the same day, or within a day.
const dayHours = 24

// The buckets of history.
var (
	sinceHours = [...]bucket{{1, 1}, {2, 2}, {3, 6}, {7, 12}, {13, 24}, {25, 48}, {49, 168}, {169, endless}}
	oftenSlow  = [...]bucket{{0, 0}, {1, 1}, {2, 4}, {5, 9}, {10, 19}, {20, 49}, {50, 99}, {100, endless}}
	lastingFor = [...]bucket{{1, 1}, {2, 2}, {3, 4}, {5, 8}, {9, 16}, {17, endless}}
)

func newHazard(s *tally.Sheet, threshold float64) *hazard {
	return &hazard{
		s, threshold, s.Sums.Block(2),
		s.Sums.Block(2 * len(sinceHours)), s.Sums.Block(2 * len(oftenSlow)), s.Sums.Block(2 * len(lastingFor)),
	}
}

func (h *hazard) Group(g *history.Group) {
	for i := range g.Members {
		m := &g.Members[i]
		slow := history.From(m.Slow, h.threshold)
		if len(slow) == 0 {
			h.add(h.never, m.Hours, 0)
			h.add(h.often, m.Hours, 0)
			continue
		}
		first := g.Present.Count(m.First, slow[0].Hour+1)
		h.add(h.never, first, 1)
		h.add(h.often, first, 1)
		for k := range slow {
			h.after(g, m, slow, k)
		}
		h.runs(g, m, slow)
	}
}

// add counts hours at risk, and slow ones among them.
func (h *hazard) add(at int, risk, slow int64) {
	h.Sums.Add(at, risk)
	h.Sums.Add(at+1, slow)
}

// after counts the hours from a slow one to the next.
func (h *hazard) after(g *history.Group, m *history.Member, slow []study.SlowHour, k int) {
	last, end, again := slow[k].Hour, m.Last, int64(0)
	if k+1 < len(slow) {
		end, again = slow[k+1].Hour, 1
	}
	n := which(oftenSlow[:], int64(k+1))
	h.add(h.often+2*n, g.Present.Count(last+1, end+1), again)
	for i, b := range sinceHours {
		begin, stop := last+int32(b.from), end
		if b.to < int64(end-last) {
			stop = last + int32(b.to)
		}
		h.add(h.since+2*i, g.Present.Count(begin, stop+1), again*tally.One(b.has(int64(end-last))))
	}
}

// runs counts the hours that come next in a run, or end it.
func (h *hazard) runs(g *history.Group, m *history.Member, slow []study.SlowHour) {
	for _, run := range history.Runs(slow) {
		for k, s := range run {
			if s.Hour < m.Last && g.Present.Has(s.Hour+1) {
				n := which(lastingFor[:], int64(k+1))
				h.add(h.lasting+2*n, 1, tally.One(k+1 < len(run)))
			}
		}
	}
}

func (h *hazard) Report() {
	at, slow := tally.Short(h.threshold), tally.Times(h.threshold)
	h.Share("hazard-after-slow-"+at, h.since+1, h.since, "is the chance that %s which are "+slow+" slow are so in the next hour")
	h.Share("hazard-never-"+at, h.never+1, h.never, "is the chance in an hour that %s which never were "+slow+" slow become so")
	h.Figure(finding.Figure{Name: "hazard-lift-" + at, Value: h.Value(finding.Times, h.since, h.lift)}, "as likely as %s that never were "+slow+" slow are those to be slow in an hour that were so in the day before")
	h.buckets("hazard-since-"+at, "Chance of a slow hour, by hours since the last", "hours since", h.since, sinceHours[:])
	h.buckets("hazard-often-"+at, "Chance of a slow hour, by slow hours so far", "slow hours so far", h.often, oftenSlow[:])
	h.buckets("hazard-lasting-"+at, "Chance that a slow run goes on, by its hours so far", "hours so far", h.lasting, lastingFor[:])
}

// lift is the chance within a day of a slow hour over that before the first.
func (h *hazard) lift(sum boot.Sum) float64 {
	var risk, slow float64
	for i, b := range sinceHours {
		if b.to <= dayHours {
			risk += sum(h.since + 2*i)
			slow += sum(h.since + 2*i + 1)
		}
	}
	return slow / risk / (sum(h.never+1) / sum(h.never))
}

func (h *hazard) buckets(name, title, what string, first int, buckets []bucket) {
	t := finding.Table{Name: name, Title: title + " (" + tally.Times(h.threshold) + ")", Columns: []string{what, "hours at risk", "slow", "chance"}}
	for i, b := range buckets {
		at := first + 2*i
		t.Add(b.String(), h.Total(at), h.Total(at+1), h.Ratio(at+1, at))
	}
	if first == h.since {
		t.Add("never slow so far", h.Total(h.never), h.Total(h.never+1), h.Ratio(h.never+1, h.never))
	}
	h.Table(t)
}
