package finding

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
)

// Class is what findings have to share to be of the same problem.
type Class string

// The classes of findings.
const (
	Slow      Class = "slow"
	Path      Class = "path"      // lost paths and silent servers
	Stall     Class = "stall"     // requests that stood still
	Tail      Class = "tail"      // a few requests that take far longer
	Load      Class = "load"      // requests that wait because more is asked of a healthy component
	OwnWork   Class = "own work"  // work that a server does for itself
	Resource  Class = "resource"  // a resource of a server: its disk, its network
	Imbalance Class = "imbalance" // a server that is asked for more than its peers
)

// Classes lists all classes.
func Classes() []Class { return []Class{Slow, Path, Stall, Tail, Load, OwnWork, Resource, Imbalance} }

// Judged says whether detectors of the class say of each component whether it
// could be judged. Where they do not, a window without a finding says that
// nothing is wrong.
func (c Class) Judged() bool { return c == Slow || c == Path || c == Tail || c == Load || c.OfServer() }

// OfServer says whether findings of the class are on a server as a whole, to the
// second.
func (c Class) OfServer() bool { return c == Resource || c == Imbalance }

// Harmless says whether nothing has to be repaired, whatever the kind.
func (c Class) Harmless() bool { return c == Imbalance || c == Load }

// Kind is what is wrong.
type Kind string

// The kinds of shared storage and drives (L13 §5.2, §5.3.2), and of the servers
// of a parallel file system (F10 §10.2).
const (
	LostAttachment    Kind = "lost attachment"
	SilentServer      Kind = "silent server"
	DrawerError       Kind = "drawer error"
	SingleLUN         Kind = "single LUN"
	SlowDrive         Kind = "slow drive"
	SharedSlowness    Kind = "shared slowness" // of a server, controller, slot or model
	WorkloadImbalance Kind = "workload imbalance"
	StalledRequests   Kind = "stalled requests"
	SlowTail          Kind = "slow tail" // a few requests take far longer than any of the peers'
	ServerIssued      Kind = "server-issued workload"
	ArrayUpkeep       Kind = "array upkeep" // an array that rebuilds or checks itself, and is known to

	DiskHog    Kind = "disk-hog"    // more load on the drive than the peers' have
	DiskBusy   Kind = "disk-busy"   // a slow drive, or load on it that the server does not see
	NetworkHog Kind = "network-hog" // more traffic than the peers have
	PacketLoss Kind = "packet loss" // segments do not arrive
)

// Kinds lists all kinds.
func Kinds() []Kind {
	return []Kind{
		LostAttachment, SilentServer, DrawerError, SingleLUN, SlowDrive, SharedSlowness, WorkloadImbalance,
		StalledRequests, SlowTail, ServerIssued, ArrayUpkeep, DiskHog, DiskBusy, NetworkHog, PacketLoss,
	}
}

// Harmless says whether nothing has to be repaired.
func (k Kind) Harmless() bool { return k == ServerIssued || k == ArrayUpkeep }

// Role is the part of a component in a problem.
type Role string

// The roles of components.
const (
	IsSlow    Role = "slow"
	Rebuilds  Role = "rebuilds"   // slow, while its array rebuilds a drive
	Checked   Role = "is checked" // slow, while its array is checked
	Gone      Role = "gone"       // its server no longer has the device
	Unused    Role = "unused"     // its server has it, and nothing goes that way
	TookOver  Role = "took over"  // carries the load of a lost path
	Stalled   Role = "stalled"
	Working   Role = "own work"       // used by its server alone
	AskedMore Role = "asked for more" // healthy, and it has more to do than its peers
	AtFault   Role = "at fault"       // a drive, interface or host whose server's resource is at fault
)

// Onset is when something began, as well as the data tell.
type Onset struct {
	At          int64 // Unix time
	Early, Late int64 // it was not before and not after
	Earlier     bool  // it was so when the data began, or when there was first anything to do
	Unknown     bool  // nothing tells more than that it was between the two
}

// Before says that something was so when the data began.
func Before(begin int64) Onset {
	return Onset{At: begin, Early: begin, Late: begin, Earlier: true}
}

// Between says that something began at some time between two, and that nothing
// tells when.
func Between(early, late int64) Onset {
	return Onset{At: early + (late-early)/2, Early: early, Late: late, Unknown: true}
}

// Common is the interval that most of some onsets share.
func Common(all []Onset) Onset {
	best, most := all[0], 0
	for _, at := range all {
		covers := 0
		o := at
		for _, other := range all {
			if other.Early <= at.Early && at.Early <= other.Late {
				covers++
				o.Late = min(o.Late, other.Late)
			}
		}
		if covers > most || covers == most && o.Early < best.Early {
			best, most = o, covers
		}
	}
	if !best.Earlier {
		best.At = min(max(best.At, best.Early), best.Late)
	}
	return best
}

// Member is a component that a problem shows on.
type Member struct {
	Component int // of the system
	Role      Role
	Odd       bool    // in the last window
	Windows   int     // in which it was odd, less those in which it was not; ticks where it is slow, steps where it stalled
	Ratio     float64 // how many times slower than its peers, of late; 0 where it has no meaning
	Worst     float64 // and in the worst
	Effect    Effect  // since the onset; 0 where it has no meaning
	Own       float64 // what was measured since the onset, a geometric mean, in the unit of the metric; in the worst step where it stalled
	Peers     float64
	Load      float64 // how many times its peers' it had to do meanwhile; 0 where that is not known
	Since     int64
}

// Effect is how many times slower than its peers a component is over all that was
// measured since its onset, and the interval that holds it in nineteen of twenty
// cases. Where no more was counted, High is infinite.
type Effect struct{ Times, Low, High float64 }

// Evidence is a metric in which a component differs from its peers, by the
// window that exceeds its threshold most.
type Evidence struct {
	Metric    string
	Component int
	Decides   bool // it speaks for the kind of the finding; otherwise it differs as well
	Unit      string
	Own       float64 // the metric over the window; missing where it is not known
	Peers     float64 // the median of its peers'
	Score     float64
	Threshold float64
	Scale     Scale // of score and threshold
	From, To  int64 // begin of the first window that shows it, end of the last
}

// Strength says how many times its threshold a score is.
func (e *Evidence) Strength() float64 {
	switch {
	case e.Threshold > 0:
		return e.Score / e.Threshold
	case e.Score > 0:
		return mostStrength
	}
	return 0
}

// mostStrength is that of a score where nothing at all was to be expected.
const mostStrength = 1e9

// Finding is what one window has to say of one problem.
type Finding struct {
	Class   Class
	Kind    Kind
	Place   blame.Place
	Members []Member // those who took over among them
	Onset   Onset
	// Amount is how bad times how long, over all members: 1 is what makes an
	// incident of it, if it is sure.
	Amount  float64
	Nats    float64 // evidence against its worst member: chance does as much once in eⁿ steps of a component; 0 where it is not by chance at all
	Sure    bool    // chance no longer explains it
	Certain bool    // it is an incident at once
	Until   int64   // before then it is none, since something harmless would look the same; 0 where nothing would
	MayBe   Kind    // something harmless that would look the same, as far as anybody can tell; empty where nothing would
	// WaitedSeconds is how long requests waited in all, beyond what they wait for
	// at its peers; 0 where that is not known.
	WaitedSeconds float64
	Judged        int // components that hang on the place and were judged
	// Elsewhere are the components that do not hang on the place.
	Elsewhere Tally
	// Gathers says that incidents of its members alone are parts of it.
	Gathers bool
	// Alike are other places that explain it about as well.
	Alike    []blame.Place
	Evidence []Evidence // metric by metric, what decides first
	RuledOut []RuledOut // what else it might be, and why it is not
}

// AddTakeover adds a component that carries the load of a lost path; -1 stands for
// none.
func (f *Finding) AddTakeover(c int) {
	if c < 0 || slices.ContainsFunc(f.Members, func(m Member) bool { return m.Component == c && m.Role == TookOver }) {
		return
	}
	f.Members = append(f.Members, Member{Component: c, Role: TookOver, Odd: true, Ratio: 1, Worst: 1})
}

// Join makes one of findings of one class at one place: a server may have lost
// devices that are gone and others that are unused, and at two arrays.
func Join(all []Finding) []Finding {
	var out []Finding
	for _, f := range all {
		at := slices.IndexFunc(out, func(o Finding) bool { return o.Class == f.Class && o.Place == f.Place })
		if at < 0 {
			out = append(out, f)
			continue
		}
		out[at].unite(&f)
	}
	return out
}

func (f *Finding) unite(o *Finding) {
	for _, m := range o.Members {
		if !slices.ContainsFunc(f.Members, func(x Member) bool { return x.Component == m.Component && (x.Role == TookOver) == (m.Role == TookOver) }) {
			f.Members = append(f.Members, m)
		}
	}
	if o.Onset.At < f.Onset.At {
		f.Onset = o.Onset
	}
	if o.Kind == SilentServer {
		f.Kind = SilentServer
	}
	f.Judged, f.Certain, f.Amount = max(f.Judged, o.Judged), f.Certain || o.Certain, f.Amount+o.Amount
	f.Sure, f.Nats, f.WaitedSeconds = f.Sure || o.Sure, max(f.Nats, o.Nats), f.WaitedSeconds+o.WaitedSeconds
}

// Tally counts components.
type Tally struct{ Odd, Judged int }

// RuledOut is an explanation that was not chosen.
type RuledOut struct {
	Kind   Kind
	Reason Reason
	Doubt  Doubt // what speaks against it; for [Doubted]
	// Evidence is what speaks for it, where something does.
	Evidence *Evidence
}

// Reason is why an explanation was not chosen.
type Reason string

// The reasons to rule something out.
const (
	Below      Reason = "below"      // the evidence for it stays below its threshold
	Doubted    Reason = "doubted"    // other metrics contradict it
	Passed     Reason = "passed"     // it did not last
	Outweighed Reason = "outweighed" // it shows as well, and the other explains it or shows more
	Listed     Reason = "listed"     // it shows as well, and comes later on F10's checklist
)
