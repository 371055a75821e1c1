package incident

import "math"

// Kind is what an incident is.
type Kind string

// The kinds of incident of shared storage and drives (L13 §5.2, §5.3.2). Those
// of the servers of a parallel file system are the causes of package explain.
const (
	LostAttachment    Kind = "lost attachment"
	SilentServer      Kind = "silent server"
	DrawerError       Kind = "drawer error"
	SingleLUN         Kind = "single LUN"
	SlowDrive         Kind = "slow drive"
	SharedSlowness    Kind = "shared slowness" // of a server, controller, slot or model
	WorkloadImbalance Kind = "workload imbalance"
	Stall             Kind = "stalled requests"
	ServerIssued      Kind = "server-issued workload"
)

// Harmless says whether nothing has to be repaired.
func (k Kind) Harmless() bool { return k == ServerIssued }

// State is where an incident stands.
type State string

// The states of an incident. One that is pending may still be nothing.
const (
	Pending    State = "pending"
	Active     State = "active"
	Recovering State = "recovering" // nothing of it shows any more, but not for long
	Cleared    State = "cleared"
)

// Span is a stretch of time, in Unix seconds. To is 0 while it lasts.
type Span struct{ From, To int64 }

// Onset is when something began, as well as the data tell.
type Onset struct {
	At          int64 // Unix time
	Early, Late int64 // it was not before and not after
	Earlier     bool  // it was so when the data began
}

// Role is the part of a component in an incident.
type Role string

// The roles of components.
const (
	Slow     Role = "slow"
	Gone     Role = "gone"      // its server no longer has the device
	Unused   Role = "unused"    // its server has it, and nothing goes that way
	TookOver Role = "took over" // carries the load of a lost path
	Stalled  Role = "stalled"
	OwnWork  Role = "own work" // used by its server alone
)

// Member is a component that an incident shows on.
type Member struct {
	Component int // of the system
	Role      Role
	Odd       bool    // in the last window
	Value     int     // windows in which it was odd, less those in which it was not; steps where it stalled
	Ratio     float64 // how many times slower than its peers, in the last odd window
	Worst     float64 // and in the worst
	Mean      float64 // geometric, over all odd windows; 0 where it has no meaning
	Own       float64 // what was measured then, in ms
	Peers     float64
	Load      float64 // how many times its peers' it had to do meanwhile, 0 where that is not known
	Since     int64
}

// Incident is one problem.
type Incident struct {
	ID        int    // from 1, in order of confirmation; 0 while pending
	Component string // to be repaired: "ddn19a", "15.37", "fs16"
	Tier      Tier   // what that is
	Kind      Kind
	State     State
	Muted     bool // by an operator
	Resolved  bool // by an operator

	Onset     Onset
	Confirmed int64  // Unix times; 0 where it did not come to that
	Last      int64  // end of the last window that it showed in
	Unjudged  int64  // since then most of it could not be judged; 0 where it could
	Cleared   int64  // end of it, where it is over
	Spans     []Span // when it showed: more than one where it came back

	Members  []Member // worst first
	Severity float64  // how many times slower than its peers at the worst, now
	Worst    float64  // and ever
	Value    int      // persistence: that of its most persistent member
	Evidence float64  // how slow times how long, over all members
	Judged   int      // components that hang on it and were judged

	Headline  string   // the incident in a sentence
	Because   []string // the evidence that decided
	Otherwise string   // what would have decided otherwise
	Metrics   []string // other metrics in which its members are suspect, too

	oddElse, judgedElse int // components that do not hang on it: how many are odd, and were judged

	since  Onset // of the present spell
	class  class
	merged bool          // it is a part of another
	quiet  int           // windows since it showed last
	ticks  int           // windows that it showed in
	seen   map[int]int64 // components, by when they showed last
}

// Order is how incidents are listed.
type Order string

// The orders of incidents. Combined grows with how many times slower a
// component is, and with the logarithm of how long: what stands still for two
// minutes comes before what lasts, and of two that are about as slow the one
// that lasts comes first.
const (
	ByPersistence Order = "persistence"
	BySeverity    Order = "severity"
	Combined      Order = "combined"
)

// Orders lists the orders.
func Orders() []Order { return []Order{Combined, ByPersistence, BySeverity} }

// weight is what an incident is ordered by.
func (o Order) weight(in *Incident) float64 {
	switch o {
	case ByPersistence:
		return float64(in.Value)
	case BySeverity:
		return in.severity()
	}
	return in.severity() * math.Log1p(float64(in.Value))
}

// severity is that of now, or the worst there was where it is over.
func (in *Incident) severity() float64 {
	if in.State == Active {
		return in.Severity
	}
	return in.Worst
}

// rank puts what lasts before what is over, and what is harmless last.
func (in *Incident) rank() int {
	switch {
	case in.Muted:
		return 5
	case in.State == Cleared && in.Kind.Harmless():
		return 4
	case in.Kind.Harmless():
		return 3
	case in.State == Cleared:
		return 2
	case in.State == Recovering:
		return 1
	}
	return 0
}

// logRatio is the evidence of one window.
func logRatio(ratio float64) float64 { return math.Log(max(ratio, 1)) }
