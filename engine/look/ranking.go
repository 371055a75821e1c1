package look

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Options are the settings of a ranking. Their defaults were not chosen from real data.
type Options struct {
	// FalseMarks is the share of rankings that may mark a healthy component as slow by chance. A
	// ranking is not an alarm: a person reads it, and then examines the marked components. So the
	// default is one ranking in twenty.
	FalseMarks float64
	// SlowTimes is the smallest ratio to the peers' median at which a component can stand apart, if
	// there are fewer than OftenLooks looks. A drive that is twice as slow as its RAID group is
	// slow (T16 §2).
	SlowTimes float64
	// OftenTimes is used in place of SlowTimes if there are at least OftenLooks looks (T16 §2).
	OftenTimes float64
	// OftenLooks is the minimum number of looks with which a lasting difference can be
	// distinguished from a short difference.
	OftenLooks int
}

// DefaultOptions returns the settings that limpet look uses.
func DefaultOptions() Options {
	return Options{FalseMarks: 0.05, SlowTimes: 2, OftenTimes: 1.5, OftenLooks: 5}
}

// Validate returns an error if a setting is outside its valid range.
func (o *Options) Validate() error {
	switch {
	case !(o.FalseMarks > 0 && o.FalseMarks < 1):
		return fmt.Errorf("the option FalseMarks is %g: give the share of the healthy components that may be marked, between 0 and 1", o.FalseMarks)
	case !(o.OftenTimes > 1 && o.SlowTimes >= o.OftenTimes):
		return fmt.Errorf("the options SlowTimes and OftenTimes are %g and %g: give two ratios above 1, and give SlowTimes the larger ratio", o.SlowTimes, o.OftenTimes)
	case o.OftenLooks < 2:
		return fmt.Errorf("the option OftenLooks is %d: give at least 2 (OftenLooks is a number of outputs of a tool)", o.OftenLooks)
	}
	return nil
}

// A Ranking is the result of a comparison. In each group, the components that are farthest from
// their peers come first.
type Ranking struct {
	Looks    int // number of looks of the source with the most looks
	Repeated int // number of outputs that were given twice and count once
	// SinceStart is the number of means since the start of a server that were left out. Such means
	// are left out if the same source has other outputs with short intervals. If there are several
	// sources, only the source with the largest number counts.
	SinceStart int
	Tools      []string  // tools whose outputs were read
	First      time.Time // times of the first and of the last look; zero if unknown
	Last       time.Time
	Zoned      bool
	Groups     []Group
}

// A Group has the components of one kind.
type Group struct {
	Kind       string
	Tool       string // tool that printed the values by which the components are compared
	Looks      int
	Span       Span
	Components []Component // sorted by distance from the peers, the largest first
	Hosts      []Host      // servers that stand apart, the slowest first
	Split      *Split      // nil if the group does not consist of two parts
	OwnServer  bool        // each component was compared with the components of its own server, because the servers differ
	Limits     []Limit     // reasons why the values of this group cannot answer a question
	Bands      []Band      // the usual range of each metric by which the components are compared
}

// A Band is the usual range of one metric in a group.
type Band struct {
	Metric    Metric
	Median    float64
	Low, High float64 // the 5th and the 95th percentile of the components that do not stand apart
	Min       float64 // smallest value of all components
	Max       float64 // largest value of all components
}

// A Mark is the result of the comparison for one component.
type Mark string

// The marks of a component.
const (
	Apart        Mark = "apart"     // slower than its peers by more than chance explains, and no other value of the output explains the difference
	Explained    Mark = "explained" // like Apart or Unsure, but the output shows a reason other than a fault
	SlowWithHost Mark = "of host"   // as slow as its server, and the server stands apart
	Unsure       Mark = "unsure"    // much slower than its peers, but chance may be the reason: the peers are too few, or differ too much
	Within       Mark = "within"    // like its peers
	Idle         Mark = "idle"      // it had no requests, so it was not compared
	Alone        Mark = "alone"     // it has too few peers, so it was not compared
	OtherKind    Mark = "other"     // it is one of a few components that are much faster than all other components; it is probably of another kind, so it was not compared
)

// Certainty describes in how many looks a component stood apart. Even the highest certainty does
// not prove a fault.
type Certainty string

// The certainties, from the lowest to the highest.
const (
	OneLook  Certainty = "one look"
	Again    Certainty = "seen again"
	Persists Certainty = "persists"
)

// A Component has the results of the comparison for one component of a group.
type Component struct {
	Name, Host                string
	Mark                      Mark
	Certainty                 Certainty     // empty if the component does not stand apart
	ApartLooks, ComparedLooks int           // ApartLooks: number of looks in which it stood apart; ComparedLooks: number of looks in which it was compared
	Newest                    bool          // whether it stood apart in the newest look
	Since                     time.Time     // time since which it has stood apart in every look; zero if unknown
	Measures                  []Measurement // metrics by which it was compared, sorted by distance from the peers, the largest first; empty if it was not compared
	Reasons                   []Reason      // other values of the output that may explain why the component is slow
	Readings                  []Reading     // values of a component without peers, or of another kind than its peers
}

// A Reading is the value of a component that was not compared.
type Reading struct {
	Metric Metric
	Value  float64 // median over the looks
}

// A Measurement is the value of a component in one metric, compared with the values of its peers.
//
// The field Times is computed from one ratio for each look. In each look, the component is compared
// with the median of the peers that do not stand apart. If the group is split in two, it is
// compared with the median of the faster part. Times is the geometric mean of the ratios of the
// looks in which the component stands apart. If there is no such look, Times is the median of the
// ratios of all looks.
type Measurement struct {
	Metric     Metric
	Value      float64 // geometric mean over the looks in which the component stands apart; median over all looks if there is no such look
	Peers      float64 // value of the peers in the same looks: Value/Times, or Value·Times if low values are slow
	Times      float64 // how many times slower than its peers the component is; computed as the comment of the type describes
	SomeLooks  bool    // true if Value, Peers and Times come from only some of the looks
	Low, High  float64 // 90 % interval of Times
	AtLeast    bool    // the peers' values are smaller than the tool can print, so Times is a lower bound
	Deviations float64 // distance from the peers (logarithm of Times), in standard deviations of the peers
	chance     float64
	stands     bool
	seen       []int // numbers of the looks in which the component stood apart by this metric
}

// A Cause names the value that a Reason is about.
type Cause string

// The causes. Each comment describes the component that has the Reason. MoreWork, LargerSize,
// LongerQueue and MoreHeld may explain a long latency without a fault.
const (
	MoreWork    Cause = "work"      // it has more work than its peers
	LargerSize  Cause = "size"      // its requests are larger
	LongerQueue Cause = "queue"     // more requests are in flight to it at the same time, although it does only as much work as its peers
	LessWork    Cause = "less work" // it does less work than its peers, and its requests take longer
	ServiceTime Cause = "busy"      // it needs more busy time than its peers for the same work
	InFront     Cause = "in front"  // requests wait in a queue in front of it, and not in the component itself
	OnlyWrites  Cause = "writes"    // only writes are slow: a write cache may be off or full
	OnlyReads   Cause = "reads"     // only reads are slow
	MoreHeld    Cause = "held"      // it has more data or placement groups than its peers
	HasErrors   Cause = "errors"    // it counted errors, and its peers counted none
	Hotter      Cause = "heat"      // it is much hotter than its peers
)

// A Reason is a value in the output that may explain why a component is slow.
type Reason struct {
	Cause    Cause
	Metric   Metric
	Value    float64
	Peers    float64 // median of the peers
	Explains bool    // the reason alone explains the latency, so there need not be a fault
}

// A Host is a server whose components are slow together.
type Host struct {
	Name                               string
	SlowComponents, ComparedComponents int // SlowComponents: number of its slow components; ComparedComponents: number of its compared components
	Metric                             Metric
	Times                              float64
	Low, High                          float64
	Certainty                          Certainty
	Mark                               Mark // Apart; Explained if more than half of its slow components have a reason other than a fault
	Deviations                         float64
}

// A Split describes a group of which at least half is slow. A comparison of peers cannot decide
// whether the slow part or the fast part is normal. If the fast part is less than a quarter of the
// group, there is no Split: then these few components are of another kind (OtherKind).
type Split struct {
	Metric Metric
	Slow   []string // names of the components of the slower part
	Fast   []string
	Hosts  []string // servers whose components are the slower part; empty if the slower part does not consist of whole servers
	Times  float64  // ratio of the medians of the two parts
}

// A Limit is a reason why a ranking cannot answer a question.
type Limit string

// The limits.
const (
	FewPeers        Limit = "few peers"       // fewer than three components can be compared
	SmallGroup      Limit = "small group"     // there are so few peers that only a large difference counts: a smaller difference may be chance
	AllIdle         Limit = "idle"            // no component had work
	NotThePresent   Limit = "since start"     // the values are means over a long time, such as the time since the start; such means hide a slow hour
	Coarse          Limit = "coarse"          // most values are as small as the tool can print
	NoWork          Limit = "no work"         // the output has no load, so it is unknown whether more work explains a long latency
	NoSpeed         Limit = "no latency"      // the output has no latency, so only work can be compared
	OnlyOneLook     Limit = "one look"        // one look, the output of a tool at one time, cannot show whether a difference lasts
	SlowAlike       Limit = "slow alike"      // several components are equally slow, so they may be of another model than the other components
	HalfSlow        Limit = "half slow"       // half or more of the components stand apart; perhaps they are normal, and the other components are fast
	SomeOfOtherKind Limit = "other kind"      // a few components are much faster than all others, so they are probably of another kind, and were not compared
	PeersOfServer   Limit = "own server"      // the servers differ, so each component was compared with the components of its own server
	UnknownHosts    Limit = "unknown servers" // several components stand apart, and the output does not name their servers
)

// Rank compares the components of some looks. The looks of one source must be in order of time.
func Rank(looks []Look, o Options) *Ranking {
	r := &Ranking{}
	looks, r.Repeated, r.SinceStart = prepare(looks)
	t := newTable(looks)
	r.Looks = t.looks
	for _, at := range t.times {
		if at.IsZero() {
			continue
		}
		if r.First.IsZero() || at.Before(r.First) {
			r.First = at
		}
		if at.After(r.Last) {
			r.Last = at
		}
	}
	for i := range looks {
		r.Zoned = r.Zoned || looks[i].Zoned
		if !slices.Contains(r.Tools, looks[i].Tool) {
			r.Tools = append(r.Tools, looks[i].Tool)
		}
	}
	slices.Sort(r.Tools)
	tests := t.tests()
	for _, g := range t.groups {
		c := comparison{group: g, table: t, options: o, level: o.FalseMarks / float64(max(tests, 1)), tests: tests}
		r.Groups = append(r.Groups, c.compare())
	}
	slices.SortStableFunc(r.Groups, func(a, b Group) int {
		return cmp.Or(-cmp.Compare(a.orderKey(), b.orderKey()), cmp.Compare(a.Kind, b.Kind))
	})
	return r
}

// orderKey returns the number by which Rank sorts the groups, the largest first. Groups with a
// server that stands apart come first. The other groups follow in the order of their worst mark
// (markOrder).
func (g *Group) orderKey() float64 {
	odd := 0.0
	for _, h := range g.Hosts {
		odd = max(odd, 1e6+h.Deviations)
	}
	for i := range g.Components {
		c := &g.Components[i]
		if len(c.Measures) > 0 {
			odd = max(odd, float64(len(markOrder)-slices.Index(markOrder, c.Mark))*1e4+min(c.Measures[0].Deviations, 9e3))
		}
	}
	return odd
}

// markOrder is the order of components in a ranking.
var markOrder = []Mark{Apart, SlowWithHost, Explained, Unsure, Within, OtherKind, Alone, Idle}

// Apart returns the number of servers, and the number of components, that stand apart without an
// explanation. Components of a server that stands apart do not count.
func (r *Ranking) Apart() (hosts, components int) {
	for i := range r.Groups {
		for _, h := range r.Groups[i].Hosts {
			if h.Mark == Apart {
				hosts++
			}
		}
		for _, c := range r.Groups[i].Components {
			if c.Mark == Apart {
				components++
			}
		}
	}
	return hosts, components
}

// Undecided reports whether a group consists of a slow and a fast part (Split), so that the
// comparison cannot show which of the two parts is faulty.
func (r *Ranking) Undecided() bool {
	return slices.ContainsFunc(r.Groups, func(g Group) bool { return g.Split != nil })
}

// Compared returns the number of components that were compared with peers.
func (r *Ranking) Compared() (n int) {
	for i := range r.Groups {
		for _, c := range r.Groups[i].Components {
			if c.Mark != OtherKind && c.Mark != Alone && c.Mark != Idle {
				n++
			}
		}
	}
	return n
}
