package score

import "slices"

// Blame names a server and what is wrong with it.
type Blame struct {
	Server string
	Cause  string // empty where nobody can say
}

// Outcome is one experiment: who was at fault, and who was indicted.
type Outcome struct {
	Faulty, Indicted []Blame
}

// Rate is one of the four shares of experiments in F10 Tables 2 to 5, by its
// footnote 5.
type Rate int

// The rates.
const (
	ITP      Rate = iota // all faulty servers are indicted
	IFP                  // at least one healthy server is indicted
	DTP                  // all faults are diagnosed to their causes
	DFP                  // at least one diagnosis is wrong, misindictments included
	NumRates             // how many there are
)

var rateNames = [NumRates]string{"ITP", "IFP", "DTP", "DFP"}

func (r Rate) String() string { return rateNames[r] }

// truePositive says whether more of it is better.
func (r Rate) truePositive() bool { return r == ITP || r == DTP }

// Is says whether the experiment counts for a rate. Without a fault there is
// nothing to find: a control run counts for no true positive.
func (o *Outcome) Is(r Rate) bool {
	switch r {
	case ITP:
		return o.allFaulty(func(b Blame) bool { return slices.ContainsFunc(o.Indicted, b.sameServer) })
	case IFP:
		return slices.ContainsFunc(o.Indicted, func(b Blame) bool { return !slices.ContainsFunc(o.Faulty, b.sameServer) })
	case DTP:
		return o.allFaulty(func(b Blame) bool { return slices.Contains(o.Indicted, b) })
	default:
		return o.Is(IFP) || slices.ContainsFunc(o.Indicted, func(b Blame) bool {
			return b.Cause != "" && !slices.Contains(o.Faulty, b)
		})
	}
}

func (o *Outcome) allFaulty(found func(Blame) bool) bool {
	for _, b := range o.Faulty {
		if !found(b) {
			return false
		}
	}
	return len(o.Faulty) > 0
}

func (b Blame) sameServer(other Blame) bool { return b.Server == other.Server }
