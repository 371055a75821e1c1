package symptom

import (
	"github.com/limpet-storage/limpet/finding"
)

// spell is what one server shows from its first odd window on, until it has been
// calm for as long as the filter remembers. Every window in which the server
// shows anything odd counts, so that what is made up for afterwards is none: a
// disk that was busy and then works off what has piled up has had no more to do
// than its peers.
type spell struct {
	odd  int // windows in which something was odd
	calm int // windows since the last of them
	of   [NumKinds]shown
}

// shown is what one symptom came to over a spell.
type shown struct {
	strengths float64          // the sum over the odd windows of the server
	strongest finding.Evidence // of these windows; without a metric where there was none
	doubt     string           // what speaks against that
	suspect   finding.Evidence // the strongest window in which it was suspect; likewise
	onset     finding.Onset
	oddEnds   []int64 // ends of the windows in which it was odd, as far as the filter remembers
}

func (of *shown) isSuspect() bool { return of.suspect.Metric != "" }

// signs are those of one server, by kind: of several components the one that
// shows most. They are nil where nothing was judged.
type signs [NumKinds]*sign

// judged says whether there is any sign.
func (s *signs) judged() bool { return *s != signs{} }

// odd says whether any sign is odd.
func (s *signs) odd() bool {
	for _, of := range s {
		if of != nil && of.odd {
			return true
		}
	}
	return false
}

// keep takes a sign where it shows more than the one of its kind that is known.
func (s *signs) keep(seen *sign) {
	if known := s[seen.kind]; known == nil || seen.above(known) {
		s[seen.kind] = seen
	}
}

// above prefers suspects, then what is odd, then what is stronger.
func (s *sign) above(o *sign) bool {
	switch {
	case s.suspect != o.suspect:
		return s.suspect
	case s.odd != o.odd:
		return s.odd
	}
	return s.Strength() > o.Strength()
}

// fault is what the strongest suspect symptom of a spell speaks for. It reports
// false where the server is suspect of nothing. A disk that has more to do than
// its peers makes requests wait, however much stronger the waiting shows.
func (s *spell) fault(o *Options) (finding.Kind, bool) {
	chosen, ok := s.strongest(func(kind Kind) bool { return s.of[kind].isSuspect() })
	if !ok {
		return "", false
	}
	if chosen == Slow && s.of[Loaded].isSuspect() && s.mean(Loaded) >= o.HogRatio {
		chosen = Loaded
	}
	return faults[chosen], true
}

// next is the explanation that comes after the one chosen: another that the
// server is suspect of, or else the one that shows most. It is nil where nothing
// else was measured.
func (s *spell) next(chosen finding.Kind) *finding.RuledOut {
	other := func(kind Kind) bool { return faults[kind] != chosen && s.of[kind].strongest.Metric != "" }
	kind, held := s.strongest(func(kind Kind) bool { return other(kind) && s.of[kind].isSuspect() })
	ok := held
	if !held {
		kind, ok = s.strongest(other)
	}
	if !ok {
		return nil
	}
	r := finding.NotHeld(faults[kind], s.of[kind].strongest, s.of[kind].doubt)
	if held {
		r.Reason, r.Doubt = finding.Outweighed, ""
	}
	return &r
}

// strongest is the kind whose mean strength is largest among those wanted.
func (s *spell) strongest(wanted func(Kind) bool) (best Kind, found bool) {
	for kind := range NumKinds {
		if wanted(kind) && (!found || s.mean(kind) > s.mean(best)) {
			best, found = kind, true
		}
	}
	return best, found
}

// mean is the strength of a symptom over the odd windows of its server.
func (s *spell) mean(kind Kind) float64 { return s.of[kind].strengths / float64(s.odd) }
