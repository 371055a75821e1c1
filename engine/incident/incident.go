package incident

import (
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
)

// Phase is where an incident stands in its life.
type Phase string

// The phases of an incident. One that is pending may still be nothing, and is
// told to nobody but as a suspect.
const (
	Pending    Phase = "pending"
	Active     Phase = "active"
	Recovering Phase = "recovering" // nothing of it has shown for a while, but not for long enough to be over
	Cleared    Phase = "cleared"
)

// Ending is why an incident is over.
type Ending string

// The endings of incidents.
const (
	Recovered Ending = "recovered"
	Resolved  Ending = "resolved" // an operator said so
	Removed   Ending = "removed"  // the topology no longer names its place
	Replaced  Ending = "replaced" // another thing stands at its place
	Merged    Ending = "merged"   // it turned out to be a part of another
)

// MayReturn says whether what ended so is the same problem where it shows again:
// nobody repaired it, and nothing else stands at its place.
func (e Ending) MayReturn() bool { return e == Recovered || e == Removed }

// Span is a stretch of time, in Unix seconds. To is 0 while it lasts.
type Span struct{ From, To int64 }

// Comment is what an operator said of an incident.
type Comment struct {
	Time int64
	Text string
}

// Incident is one problem: plain data, without prose.
type Incident struct {
	ID    string // the same for the same problem, whatever else was read
	Class finding.Class
	Kind  finding.Kind
	Place blame.Place // to be repaired
	Phase Phase
	Muted bool // by an operator

	Onset     finding.Onset // of the first span
	Spell     finding.Onset // of the present one
	Suspected int64         // when it was first seen, before it was certain
	Confirmed int64         // Unix times; 0 where it did not come to that
	Last      int64         // end of the last window that it showed in
	Unjudged  int64         // since then most of it could not be judged; 0 where it could
	Cleared   int64         // end of it, where it is over
	Ending    Ending        // why it is over, where it is
	Into      string        // ID of the incident that it is a part of, where it is
	Spans     []Span        // when it showed: more than one where it came back

	Members  []finding.Member // worst first, those who took over last
	Severity float64          // how many times slower than its peers at the worst, now
	Worst    float64          // and ever
	Windows  int              // persistence: that of its most persistent member
	// WindowSeconds is how long each of these windows counts.
	WindowSeconds int64
	Amount        float64       // how bad times how long, over all members: 1 makes an incident of what is sure
	Nats          float64       // evidence against its worst member; 0 where it is not by chance at all
	Until         int64         // before then it is no incident, since something harmless would look the same; 0 where nothing would
	MayBe         finding.Kind  // something harmless that would look the same; empty where nothing would
	WaitedSeconds float64       // for which requests waited in all, beyond what they wait for at its peers; 0 where that is not known
	Judged        int           // components that hang on its place and were judged
	Elsewhere     finding.Tally // components that do not
	Alike         []blame.Place // other places that explained it about as well when it was found
	Evidence      []finding.Evidence
	RuledOut      []finding.RuledOut
	Metrics       []string // other metrics in which its members are suspect, too
	Also          []Also   // what other detectors say of the same problem
	Comments      []Comment
}

// Also is what a second detector says of a problem that another has found: a
// busy disk whose drive is slow among its peers.
type Also struct {
	Class    finding.Class
	Kind     finding.Kind
	Place    blame.Place
	Onset    finding.Onset
	Members  []finding.Member
	Evidence []finding.Evidence
}

// Harmless says whether nothing has to be repaired.
func (in *Incident) Harmless() bool { return in.Kind.Harmless() || in.Class.Harmless() }
