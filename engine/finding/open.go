package finding

import "github.com/limpet-storage/limpet/engine/blame"

// OpenIncident has the data of an open incident that detectors need. Open incidents change how a
// detector explains a window. For example, if a LUN was slow before its whole array became slow,
// the LUN stays a separate problem.
type OpenIncident struct {
	Class     Class
	Kind      Kind
	Place     blame.Place
	Joined    []blame.Place // other places with the same cause as Place, see [Finding]
	Active    bool          // true while the problem is present; false while the incident recovers
	Onset     Onset
	Confirmed int64         // Unix time at which the problem became an incident
	Seconds   int64         // total time in which the problem was present
	Judged    int           // number of components of the place that could be judged
	Seen      map[int]int64 // by component that has or had the problem: Unix time at which it last had the problem; read-only
}

// Places returns Place and Joined.
func (o *OpenIncident) Places() []blame.Place { return append([]blame.Place{o.Place}, o.Joined...) }

// HasMember reports whether a component has or had the problem.
func (o *OpenIncident) HasMember(c int) bool {
	_, ok := o.Seen[c]
	return ok
}
