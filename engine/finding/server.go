package finding

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/internal/state"
)

// KeepStronger compares e with `seen`, the evidence of another window for the same metric, and
// keeps the stronger evidence in e. It extends From and To so that they include the windows of e
// and of `seen`. It reports whether `seen` was stronger, or e was empty.
func (e *Evidence) KeepStronger(seen Evidence) bool {
	if e.Metric == "" {
		*e = seen
		return true
	}
	from, to := min(e.From, seen.From), max(e.To, seen.To)
	own, old := seen.Strength(), e.Strength()
	stronger := own > old || own == old && seen.Score > e.Score
	if stronger {
		*e = seen
	}
	e.From, e.To = from, to
	return stronger
}

// OptionalState writes or reads evidence that may be empty. Empty evidence has the Metric "".
// OptionalState reports whether the component of the evidence is gone from the system.
func (e *Evidence) OptionalState(c *state.Codec, axes *blame.Axes) (gone bool) {
	known := e.Metric != ""
	if c.Bool(&known); !known {
		return false
	}
	e.State(c, axes)
	return e.Component < 0
}

// Add adds the counts of another tally to t.
func (t *Tally) Add(o Tally) {
	t.Odd += o.Odd
	t.Judged += o.Judged
}

// Suspicion is a metric in which a server is suspect.
type Suspicion struct {
	Evidence  Evidence
	Onset     Onset
	Anomalous bool // the server was anomalous in the last window
	Windows   int  // number of windows in which the server was anomalous
}

// ServerFinding returns the finding about the disk or the network of a server: it is at fault, or
// it has more load than the disk or the network of the peers. Several metrics may decide the kind.
// The onset is then the onset of the metric that became suspect first.
func ServerFinding(server string, kind Kind, all []Suspicion) Finding {
	f := Finding{Class: kind.Class(), Kind: kind, Place: blame.Place{Tier: blame.Server, Name: server}, Certain: true}
	first := int64(math.MaxInt64)
	for i := range all {
		s := &all[i]
		if !s.Evidence.Decides {
			continue
		}
		f.Evidence = append(f.Evidence, s.Evidence)
		f.join(s)
		if s.Evidence.From < first {
			first, f.Onset = s.Evidence.From, s.Onset
		}
	}
	for i := range all {
		if !all[i].Evidence.Decides {
			f.Evidence = append(f.Evidence, all[i].Evidence)
		}
	}
	return f
}

// Class returns the class to which a kind of problem of a server belongs.
func (k Kind) Class() Class {
	if k == WorkloadImbalance || k == SystemUpkeep {
		return Imbalance
	}
	return Resource
}

// join makes the component of a suspicion a member. If the component is suspect in two
// metrics, its numbers come from the stronger metric.
func (f *Finding) join(s *Suspicion) {
	e := &s.Evidence
	m := Member{
		Component: e.Component, Role: AtFault, Odd: s.Anomalous, Windows: s.Windows,
		Worst: e.Strength(), Own: e.Own, Peers: e.Peers, Since: e.From,
	}
	at := slices.IndexFunc(f.Members, func(known Member) bool { return known.Component == m.Component })
	if at < 0 {
		f.Members = append(f.Members, m)
		return
	}
	known := &f.Members[at]
	odd, since := known.Odd || m.Odd, min(known.Since, m.Since)
	if m.Worst > known.Worst {
		*known = m
	}
	known.Odd, known.Since = odd, since
}

// RuleOut returns a kind of fault as an explanation that is ruled out, with its evidence. The
// reason is [Doubted] if there is a doubt about the evidence, [Passed] if the score was above its
// threshold but did not last, and [Below] otherwise.
func RuleOut(kind Kind, e Evidence, doubt Doubt) RuledOut {
	r := RuledOut{Kind: kind, Reason: Below, Evidence: &e}
	switch {
	case doubt != NoDoubt:
		r.Reason, r.Doubt = Doubted, doubt
	case e.Score >= e.Threshold:
		r.Reason = Passed
	}
	return r
}

// Candidate is a kind of fault, with the evidence for this kind.
type Candidate struct {
	Kind     Kind
	Evidence Evidence // its Metric is "" if the kind was not measured
	Doubt    Doubt
	Strength float64
	Held     bool // the server is suspected of a fault of this kind
}

// NextCandidate returns the best explanation other than the chosen kind, or nil if no other kind
// was measured. A candidate with the field Held set is better than a candidate without it, because
// the server is suspected of this kind of fault. Of two candidates with the same Held, the stronger
// candidate is better. If the field Held of the best candidate is set, the parameter `held` is the
// reason why this candidate was ruled out.
func NextCandidate(chosen Kind, all []Candidate, held Reason) *RuledOut {
	var best *Candidate
	for i := range all {
		x := &all[i]
		if x.Kind == chosen || x.Evidence.Metric == "" {
			continue
		}
		if best == nil || x.Held && !best.Held || x.Held == best.Held && x.Strength > best.Strength {
			best = x
		}
	}
	if best == nil {
		return nil
	}
	r := RuleOut(best.Kind, best.Evidence, best.Doubt)
	if best.Held {
		r.Reason, r.Doubt = held, NoDoubt
	}
	return &r
}

// StrongestFirst sorts findings by their strength, which is the greatest Worst of their members,
// the greatest first. Equally strong findings keep their order.
func StrongestFirst(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(b.strength(), a.strength()) })
}

func (f *Finding) strength() float64 {
	most := 0.0
	for i := range f.Members {
		most = max(most, f.Members[i].Worst)
	}
	return most
}
