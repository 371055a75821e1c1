package incident

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Phase is a stage in the life of an incident.
type Phase string

// The phases of an incident. A pending incident has too little evidence: it is only a
// suspect and has no events.
const (
	Pending    Phase = "pending"
	Active     Phase = "active"
	Recovering Phase = "recovering" // the problem has been absent for RecoverSeconds, but not yet for OverSeconds
	Cleared    Phase = "cleared"
)

// Ending is the reason why an incident is over.
type Ending string

// The endings of incidents.
const (
	Recovered Ending = "recovered"
	Resolved  Ending = "resolved" // an operator resolved the incident
	Removed   Ending = "removed"  // the topology does not contain the incident's place any more
	Replaced  Ending = "replaced" // the place exists, but all components of the incident have been replaced by others
	Merged    Ending = "merged"   // the incident is a part of another incident
)

// MayReturn reports whether an incident with this ending can come back: a new problem at the same
// place then continues the incident. It can come back if nothing was repaired or replaced.
func (e Ending) MayReturn() bool { return e == Recovered || e == Removed }

// Span is a period in Unix time. To is 0 while the period lasts.
type Span struct{ From, To int64 }

// Comment is an operator's comment on an incident.
type Comment struct {
	Time int64
	Text string
}

// Incident is one problem over its whole life, as plain data. An incident is present in a window if
// a detector has a finding about it in this window. It affects the components of this finding,
// except components that only took over load. All times are Unix times.
//
// Clusters encode incidents with gob, which writes the names of fields. If a field is renamed,
// nodes of different versions lose its value.
type Incident struct {
	ID    string // depends only on the problem and its place (problem.id)
	Class finding.Class
	Kind  finding.Kind
	Place blame.Place // the part to repair
	// Joined are other places with the same cause as Place: on the same servers, their components
	// became slow at the same time as the components of Place. Place is the place that was
	// confirmed first.
	Joined []blame.Place
	Phase  Phase
	Muted  bool // all components of the incident are muted

	Onset     finding.Onset // onset of the first of Spans
	Spell     finding.Onset // onset of the last of Spans; Onset and Spell do not change after the problem was confirmed
	Suspected int64         // time of the first finding
	Confirmed int64         // time at which it became an incident; 0 while it is pending
	Last      int64         // end of the last window with a finding about it
	Unjudged  int64         // time since which most of its components cannot be judged; 0 if enough components can be judged
	Cleared   int64         // time at which it ended; 0 while it is open
	Ending    Ending        // reason why it ended; empty while it is open
	Into      string        // ID of the incident that contains this incident as a part; empty if no incident contains this incident
	Spans     []Span        // periods in which the problem was present, which do not overlap; more than one if it came back

	Members  []finding.Member // in the order of WorstFirst
	Severity float64          // how many times slower than its peers the worst member is now; reports print Effect instead
	Worst    float64          // greatest value of the field Worst of its members; reports print WorstEffect instead
	Windows  int              // greatest value of the field Windows of its members, see [finding.Member]
	// WindowSeconds is the time, in seconds, for which one window counts in the field Windows: the
	// time between two ticks.
	WindowSeconds int64
	Amount        float64       // size of the problem times its duration, summed over all members, see [finding.Finding]
	Nats          float64       // evidence against its worst member, see [finding.Finding]
	Until         int64         // until this time, a harmless cause could have the same symptoms; 0 if there is no such cause
	MayBe         finding.Kind  // a harmless kind that would have the same symptoms as Kind; empty if there is no such kind
	WaitedSeconds float64       // total time that requests waited, minus the time that they would have waited if the component were as fast as its peers; 0 if unknown
	Judged        int           // number of components of the place that could be judged
	Elsewhere     finding.Tally // numbers of anomalous and of judged components that do not belong to the place
	Alike         []blame.Place // other places that explained the problem about as well as Place when the problem was found
	Evidence      []finding.Evidence
	RuledOut      []finding.RuledOut
	Metrics       []string        // other metrics in which its members are suspect too
	Also          []SecondFinding // findings of other detectors about the same problem
	Comments      []Comment
}

// SecondFinding is the finding of another detector about the same problem. For example, one
// detector finds that a server's disk is busy, and another detector finds that a drive of this
// server is slower than its peers.
type SecondFinding struct {
	Class    finding.Class
	Kind     finding.Kind
	Place    blame.Place
	Onset    finding.Onset
	Members  []finding.Member
	Evidence []finding.Evidence
}

// Places returns Place and Joined, in the order of [blame.Compare].
func (in *Incident) Places() []blame.Place { return blame.Union([]blame.Place{in.Place}, in.Joined) }

// IsAt reports whether one of the places of the incident has the given name.
func (in *Incident) IsAt(name string) bool {
	return in.Place.Name == name || slices.ContainsFunc(in.Joined, func(p blame.Place) bool { return p.Name == name })
}

// CanBeAccepted reports whether the operator's command Accept ends the incident. Accept makes the
// present speed of a component its normal speed. This is possible only for an incident of class
// past, which compares a component with its own past.
func (in *Incident) CanBeAccepted() bool { return in.Class == finding.Past }

// OpenAt returns the incidents of a list that were open at a Unix time, without suspects. An
// incident that the command Accept may have ended counts as open. The reason is that its field
// Cleared has the end of its last window, which is earlier than the command.
func OpenAt(list []Incident, at int64) (open []Incident) {
	for _, in := range list {
		isOver := in.Phase == Cleared && in.Cleared < at && (in.Ending != Resolved || !in.CanBeAccepted())
		if in.Phase != Pending && in.Confirmed <= at && !isOver {
			in.Phase = Active
			open = append(open, in)
		}
	}
	return open
}

// NotAccepted returns an incident that the operator's command Accept cannot end. The command names
// a part of the system by `name` and `components`. The parameter `open` has the incidents at the
// time of the command. NotAccepted returns an open incident at the named part. It returns nil if
// there is no such incident, or if Accept ends one of the incidents at this part.
func NotAccepted(open []Incident, name string, components []int) (refused *Incident) {
	for i := range open {
		in := &open[i]
		only := len(components) == 1 && len(in.Members) == 1 && in.Members[0].Component == components[0]
		switch {
		case in.Phase == Cleared || in.Phase == Pending || !in.IsAt(name) && !only:
		case in.CanBeAccepted():
			return nil
		case refused == nil:
			refused = in
		}
	}
	return refused
}

// Harmless reports whether the incident needs no repair.
func (in *Incident) Harmless() bool { return in.Kind.Harmless() || in.Class.Harmless() }
