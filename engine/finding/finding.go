package finding

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
)

// Class is a family of problems, such as slow components or lost paths.
type Class string

// The classes of findings.
const (
	Slow      Class = "slow"      // a component is slower than its peers
	Path      Class = "path"      // a path is lost, or a server is silent
	Stall     Class = "stall"     // requests take ten seconds or longer
	Past      Class = "past"      // a component is slower than it was before
	Tail      Class = "tail"      // a component has more slow requests than its peers, although most of its requests are as fast as the requests of its peers
	Load      Class = "load"      // requests wait because a healthy component has more load than its peers
	OwnWork   Class = "own work"  // a server uses a component for itself, not for clients
	Resource  Class = "resource"  // a disk or the network of a server is at fault
	Imbalance Class = "imbalance" // a server has more load than its peers
	Pause     Class = "pause"     // a server pauses for seconds, again and again
	Capacity  Class = "capacity"  // a component has reached a limit: no free space, a throttled rate, or a temperature that is too high
)

// Classes returns all classes.
func Classes() []Class {
	return []Class{Slow, Past, Path, Stall, Tail, Load, OwnWork, Resource, Imbalance, Pause, Capacity}
}

// Judged reports whether the detector of the class records for which components there were enough
// data. In the other classes, a window without a finding means that there is no problem.
func (c Class) Judged() bool {
	return c == Slow || c == Past || c == Path || c == Tail || c == Load || c == Capacity || c.IsAboutServer()
}

// IsAboutServer reports whether findings of the class are about a whole server. Servers are judged
// more often than components. With the default settings and steps of at most 16 s, servers are
// judged at least every 32 s.
func (c Class) IsAboutServer() bool { return c == Resource || c == Imbalance || c == Pause }

// Harmless reports whether a problem of the class needs no repair, whatever its kind.
func (c Class) Harmless() bool { return c == Imbalance || c == Load }

// Kind is the name of a kind of problem. Some kinds are harmless.
type Kind string

// The kinds of problems of shared storage and drives (L13 §5.2, §5.3.2), and of servers of a
// parallel file system (F10 §10.2).
const (
	LostAttachment    Kind = "lost attachment"
	SilentServer      Kind = "silent server"
	DrawerError       Kind = "drawer error"
	SingleLUN         Kind = "single LUN"
	SlowDrive         Kind = "slow drive"
	SharedSlowness    Kind = "shared slowness" // components of one server, controller, slot or model are slow
	WorkloadImbalance Kind = "workload imbalance"
	StalledRequests   Kind = "stalled requests"
	SlowTail          Kind = "slow tail" // a few requests take longer than nearly all requests of the peers
	ServerIssued      Kind = "server-issued workload"
	SlowerThanBefore  Kind = "slower than before" // a component is slower than in its own past, and its load does not explain the slowness
	ChangedWorkload   Kind = "changed workload"   // a component is slower than in its own past, because its requests have changed
	NoisyNeighbour    Kind = "noisy neighbour"    // components are slower than in their own past, because another component or server gets many more requests than before, or a client exchanges many more bytes than before
	ArrayUpkeep       Kind = "array upkeep"       // an array rebuilds or checks itself; the data of its server show this
	SystemUpkeep      Kind = "system upkeep"      // servers of the system exchange data with each other, as in a self-heal or a rebalance

	DiskHog    Kind = "disk-hog"    // the drive has more load than its peers, because of work that no client requested
	DiskBusy   Kind = "disk-busy"   // the drive is slow, or has load that the server does not measure
	NetworkHog Kind = "network-hog" // the interface has more traffic than its peers; the additional traffic is not for clients and not for other servers of the system
	PacketLoss Kind = "packet loss" // segments are lost on the way

	Pauses         Kind = "pauses"           // the server pauses for seconds, again and again
	FullFileSystem Kind = "full file system" // bytes or inodes are nearly used up
	Throttled      Kind = "throttled"        // the component serves a constant rate while requests wait
	Overheated     Kind = "overheated"       // the drive is so hot that it slows itself down
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		LostAttachment, SilentServer, DrawerError, SingleLUN, SlowDrive, SharedSlowness, WorkloadImbalance,
		StalledRequests, SlowTail, SlowerThanBefore, ChangedWorkload, NoisyNeighbour, ServerIssued, ArrayUpkeep, SystemUpkeep, DiskHog, DiskBusy, NetworkHog, PacketLoss, Pauses, FullFileSystem, Throttled, Overheated,
	}
}

// Harmless reports whether a problem of the kind needs no repair.
func (k Kind) Harmless() bool {
	return k == ServerIssued || k == ArrayUpkeep || k == SystemUpkeep || k == ChangedWorkload
}

// Role describes how a component is involved in a problem.
type Role string

// The roles of components.
const (
	IsSlow     Role = "slow"
	Rebuilds   Role = "rebuilds"   // slow, while its array rebuilds a drive
	Checked    Role = "is checked" // slow, while its array is checked
	Gone       Role = "gone"       // the server of the component no longer has the device
	Unused     Role = "unused"     // the server of the component has the device, but no request uses the device
	TookOver   Role = "took over"  // the component has taken over the load of a lost path
	Stalled    Role = "stalled"
	Working    Role = "own work"       // only the server of the component uses the component
	AskedMore  Role = "asked for more" // the component is healthy, but has more load than its peers
	AtFault    Role = "at fault"       // the faulty drive, interface or host of a server
	Exchanging Role = "exchanges data" // the host of a healthy server that exchanges data with other servers of the system
)

// Onset is the time at which a problem began, with its uncertainty.
type Onset struct {
	At          int64 // best estimate, Unix time
	Early, Late int64 // earliest and latest possible Unix time
	Earlier     bool  // the problem existed already when the data or the load began
	Unknown     bool  // only Early and Late are known; At is the middle between them
}

// OnsetBefore returns the onset of a problem that existed already when the data or the load
// began.
func OnsetBefore(begin int64) Onset {
	return Onset{At: begin, Early: begin, Late: begin, Earlier: true}
}

// OnsetBetween returns an onset of which only the earliest and the latest possible time are known.
func OnsetBetween(early, late int64) Onset {
	return Onset{At: early + (late-early)/2, Early: early, Late: late, Unknown: true}
}

// NotBefore returns the onset of a problem that did not begin before the Unix time `earliest`. If the
// best estimate is earlier, the result is `earliest`.
func (o Onset) NotBefore(earliest int64) Onset {
	if o.At >= earliest && o.Early >= earliest {
		return o
	}
	late := max(o.Late, earliest)
	if o.Unknown && late > earliest {
		return OnsetBetween(earliest, late)
	}
	return Onset{At: max(o.At, earliest), Early: max(o.Early, earliest), Late: late, Earlier: o.Earlier && o.At >= earliest}
}

// CommonOnset returns one onset for several onsets of one problem. Each onset has an interval, from
// Early to Late. CommonOnset chooses the onset whose time Early lies in the most intervals. It sets
// Late of this onset to the earliest Late of these intervals.
func CommonOnset(all []Onset) Onset {
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

// Member is a component that has a problem, with its measurements.
//
// Clusters encode Member, Evidence, Finding and the types in them with gob, which writes the names
// of fields. If a field is renamed, nodes of different versions lose its value.
type Member struct {
	Component int // index of the component in the system
	Role      Role
	Odd       bool    // the component differed from its peers in the last window
	Windows   int     // number of anomalous windows minus number of other windows; for class slow, ticks are counted instead of windows, and for class stall, steps are counted
	Ratio     float64 // how many times slower than its peers the component is now; 0 if the class has no such ratio
	Worst     float64 // greatest Ratio since the onset, and in class slow at least Effect.Times; reports show Effect instead
	Effect    Effect  // mean ratio since the onset; 0 if the class has no such ratio
	Own       float64 // geometric mean of the metric since the onset, in the unit of the metric; for class stall the value of the worst step
	Peers     float64 // geometric mean of the peers' metric since the onset; for class slow, the latency that the peers would have with the load of this component: Own/Peers is then the effect
	Load      float64 // load of the component since the onset, as a multiple of the load of its peers; 0 if unknown
	Since     int64   // Unix time of the onset of this component
}

// Effect is the mean ratio by which a component is slower than its peers since its onset, with a
// 95 % confidence interval. If Times is at the greatest ratio that package slow counts, the true
// ratio may be larger, and High is infinite.
type Effect struct{ Times, Low, High float64 }

// Evidence is one metric in which a component differs from its peers. Value, score and threshold
// come from the window in which Score/Threshold was greatest.
type Evidence struct {
	Metric    string
	Component int
	Client    string // name of the client whose traffic is measured; empty for measurements of components
	Decides   bool   // true if the metric determines the kind of the finding; false if the metric differs, but does not determine the kind
	Unit      string
	Own       float64 // value of the component over the window; NaN if unknown
	Peers     float64 // median of its peers
	Score     float64 // distance from the peers, in units of Scale
	Threshold float64 // score at which the component is anomalous
	Scale     Scale   // unit of Score and Threshold
	From, To  int64   // Unix times: start of the first window and end of the last window in which the metric differs
}

// Strength returns the score as a multiple of its threshold.
func (e *Evidence) Strength() float64 {
	switch {
	case e.Threshold > 0:
		return e.Score / e.Threshold
	case e.Score > 0:
		return mostStrength
	}
	return 0
}

// mostStrength is the strength of a positive score if its threshold is 0, because the ratio would
// be infinite.
const mostStrength = 1e9

// Finding is one problem in one window. Package incident decides from Sure, Amount,
// Certain and Until whether the problem is an incident.
type Finding struct {
	Class   Class
	Kind    Kind
	Place   blame.Place
	Joined  []blame.Place // other places with the same cause as Place: on the same servers, their components became slow at the same time as the components of Place
	Members []Member      // includes components that took over load
	Onset   Onset
	// Amount is the size of the problem times its duration, summed over all members, and divided by
	// the value that is enough for an incident. So an Amount of 1 is enough, if Sure is set and the
	// time Until has passed.
	Amount float64
	// Nats is the evidence against the worst member, as a natural logarithm: by chance, a
	// healthy component reaches evidence n once in eⁿ steps. It is 0 if the detector
	// computes no such evidence.
	Nats    float64
	Sure    bool  // the evidence is so strong that chance does not explain the finding
	Certain bool  // the problem is an incident immediately; Sure, Amount and Until are not used
	Until   int64 // earliest Unix time at which the problem can become an incident; before this time, a harmless cause would have the same symptoms; 0 if there is no such cause
	MayBe   Kind  // a harmless kind that would have the same symptoms as Kind; empty if there is no such kind
	// WaitedSeconds is the total time that requests waited, minus the time that they would have
	// waited if the component were as fast as its peers; 0 if unknown.
	WaitedSeconds float64
	Judged        int           // number of components of the place that could be judged
	Elsewhere     Tally         // numbers of anomalous and of judged components that do not belong to the place
	Gathers       bool          // earlier incidents about single members are merged into the incident of this finding
	Alike         []blame.Place // other places that explain the problem about as well as Place
	Evidence      []Evidence    // evidence by metric; metrics that decide come first
	RuledOut      []RuledOut    // explanations that were not chosen, each with the reason against it
}

// AddTakeover adds a component that has taken over the load of a lost path. It does
// nothing if c is -1, or if the component is already a member with this role.
func (f *Finding) AddTakeover(c int) {
	if c < 0 || slices.ContainsFunc(f.Members, func(m Member) bool { return m.Component == c && m.Role == TookOver }) {
		return
	}
	f.Members = append(f.Members, Member{Component: c, Role: TookOver, Odd: true, Ratio: 1, Worst: 1})
}

// MergeFindings merges findings of the same class at the same place. For example, a server may
// have lost paths to two arrays: some paths are gone, and other paths are unused.
func MergeFindings(all []Finding) []Finding {
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

// unite merges a finding of the same class and place into f.
func (f *Finding) unite(o *Finding) {
	for _, m := range o.Members {
		if !slices.ContainsFunc(f.Members, func(x Member) bool { return x.Component == m.Component && (x.Role == TookOver) == (m.Role == TookOver) }) {
			f.Members = append(f.Members, m)
		}
	}
	f.Joined = blame.Union(f.Joined, o.Joined)
	if o.Onset.At < f.Onset.At {
		f.Onset = o.Onset
	}
	if o.Kind == SilentServer {
		f.Kind = SilentServer
	}
	f.Judged, f.Certain, f.Amount = max(f.Judged, o.Judged), f.Certain || o.Certain, f.Amount+o.Amount
	f.Sure, f.Nats, f.WaitedSeconds = f.Sure || o.Sure, max(f.Nats, o.Nats), f.WaitedSeconds+o.WaitedSeconds
}

// Tally counts components: how many are anomalous, and how many could be judged.
type Tally struct{ Odd, Judged int }

// RuledOut is an explanation that was not chosen.
type RuledOut struct {
	Kind   Kind
	Reason Reason
	Doubt  Doubt // why the evidence does not show a fault; set only if Reason is [Doubted]
	// Evidence is the evidence for the explanation; nil if there is no evidence.
	Evidence *Evidence
}

// Reason is the reason why an explanation was not chosen.
type Reason string

// The reasons against an explanation.
const (
	Below      Reason = "below"      // its evidence stays below the threshold
	Doubted    Reason = "doubted"    // its evidence is above the threshold, but does not show a fault, see [Doubt]
	Passed     Reason = "passed"     // its evidence did not last
	Outweighed Reason = "outweighed" // its evidence is above the threshold, but the chosen explanation has more evidence or includes this explanation
	Listed     Reason = "listed"     // its evidence is above the threshold, but it comes later on F10's checklist
)
