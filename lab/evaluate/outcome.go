package evaluate

import "slices"

// Blame names a server and its fault.
type Blame struct {
	Server string
	Cause  string // empty: not known
}

// Outcome is one experiment: the faulty server, and the servers that were blamed.
type Outcome struct {
	Faulty, Indicted []Blame
}

// Rate is one of the four rates of F10 Tables 2 to 5 (footnote 5).
type Rate int

// The rates.
const (
	itp      Rate = iota // all faulty servers are indicted
	ifp                  // at least one healthy server is indicted
	dtp                  // all faults are diagnosed to their causes
	dfp                  // at least one diagnosis is wrong, misindictments included
	numRates             // number of rates
)

var rateNames = [numRates]string{"ITP", "IFP", "DTP", "DFP"}

func (r Rate) String() string { return rateNames[r] }

// truePositive reports whether a higher rate is better.
func (r Rate) truePositive() bool { return r == itp || r == dtp }

// Is reports whether the experiment counts for a rate. A control run has no fault to find, so it
// counts for no true positive.
func (o *Outcome) Is(r Rate) bool {
	switch r {
	case itp:
		return o.allFaulty(func(b Blame) bool { return slices.ContainsFunc(o.Indicted, b.sameServer) })
	case ifp:
		return slices.ContainsFunc(o.Indicted, func(b Blame) bool { return !slices.ContainsFunc(o.Faulty, b.sameServer) })
	case dtp:
		return o.allFaulty(func(b Blame) bool { return slices.Contains(o.Indicted, b) })
	default:
		return o.Is(ifp) || slices.ContainsFunc(o.Indicted, func(b Blame) bool {
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
