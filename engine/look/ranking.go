package look

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Options are the bounds of a ranking. None of them was chosen on real data. FalseMarks and the usual
// spread were changed once, after tests on made-up prints.
type Options struct {
	// FalseMarks is the share of rankings in which chance may mark a healthy component. A look is a
	// question and no alarm, so one ranking in twenty may ask in vain.
	FalseMarks float64
	// SlowTimes is the smallest ratio to the peers' median that can stand apart in a few looks: a
	// drive that is twice as slow as its RAID group is slow (T16 §2).
	SlowTimes float64
	// OftenTimes takes the place of SlowTimes from OftenLooks looks on (T16 §2).
	OftenTimes float64
	// OftenLooks is the number of looks from which a component can be seen to persist.
	OftenLooks int
}

// DefaultOptions returns the bounds that limpet look uses.
func DefaultOptions() Options {
	return Options{FalseMarks: 0.05, SlowTimes: 2, OftenTimes: 1.5, OftenLooks: 5}
}

// Validate checks the bounds.
func (o *Options) Validate() error {
	switch {
	case !(o.FalseMarks > 0 && o.FalseMarks < 1):
		return fmt.Errorf("the setting FalseMarks is %g: give the part of the healthy components that may be marked, between 0 and 1", o.FalseMarks)
	case !(o.OftenTimes > 1 && o.SlowTimes >= o.OftenTimes):
		return fmt.Errorf("the settings SlowTimes and OftenTimes are %g and %g: give two ratios above 1, and give SlowTimes the larger ratio", o.SlowTimes, o.OftenTimes)
	case o.OftenLooks < 2:
		return fmt.Errorf("the setting OftenLooks is %d: give a number of outputs of at least 2", o.OftenLooks)
	}
	return nil
}

// A Ranking is the result of a comparison, the oddest components first.
type Ranking struct {
	Looks    int       // number of looks, one after the other
	Repeated int       // prints that were given twice and count once
	Tools    []string  // tools whose prints were read
	First    time.Time // time of the first and of the last look; zero: unknown
	Last     time.Time
	Zoned    bool
	Groups   []Group
}

// A Group is the components of one kind.
type Group struct {
	Kind       string
	Tool       string // tool that the deciding values are from
	Looks      int
	Span       Span
	Components []Component // the oddest first
	Hosts      []Host      // servers that stand apart, the oddest first
	Split      *Split      // nil: the group does not fall into two parts
	Limits     []Limit     // what the values of this group cannot show
	Bands      []Band      // for each metric that decides, the values of the peers
}

// A Band is the usual range of one metric in a group.
type Band struct {
	Metric    Metric
	Median    float64
	Low, High float64 // the 5th and the 95th percentile of the components that do not stand apart
	Least     float64 // the smallest and the largest value of all components
	Most      float64
}

// A Mark is the result for one component.
type Mark string

// The marks.
const (
	Apart     Mark = "apart"     // slower than its peers by more than chance, and nothing in the print explains it
	Explained Mark = "explained" // as Apart or Unsure, and the print has a reason other than a fault
	OfHost    Mark = "of host"   // slow as its server is; the server stands apart
	Unsure    Mark = "unsure"    // much slower than its peers; the peers are too few, or differ too much, to exclude chance
	Within    Mark = "within"    // like its peers
	Idle      Mark = "idle"      // no requests: not compared
	Alone     Mark = "alone"     // too few peers: not compared
)

// Sure is how often a component was seen to stand apart. A verdict is more than any of these.
type Sure string

// The levels, from the lowest to the highest.
const (
	OneLook  Sure = "one look"
	Again    Sure = "seen again"
	Persists Sure = "persists"
)

// A Component is one component in its group.
type Component struct {
	Name, Host string
	Mark       Mark
	Sure       Sure       // empty: the component does not stand apart
	Seen, Of   int        // looks in which it stood apart, and in which it was compared
	Since      time.Time  // time of the first look from which on it stood apart in each; zero: unknown
	Measures   []Measured // what it was compared by, the oddest first; empty: it was not compared
	Reasons    []Reason   // what else the print shows of it
	Readings   []Reading  // of a component without peers, its values
}

// A Reading is the value of a component that was not compared.
type Reading struct {
	Metric Metric
	Value  float64 // median over the looks
}

// A Measured is a component's value of one metric beside those of its peers.
type Measured struct {
	Metric    Metric
	Value     float64 // median over the looks; or geometric mean over the looks in which it stands apart
	Peers     float64 // median of the peers that do not stand apart
	Times     float64 // how many times slower than that: Value/Peers, or Peers/Value where low values are slow
	Low, High float64 // interval of Times at a level of 90 %
	AtLeast   bool    // the peers' values are below what the tool can print: Times is a lower bound
	Odd       float64 // Times as a number of standard deviations of the peers
	chance    float64
	stands    bool
	seen      []int // numbers of the looks in which this metric alone stood apart
}

// A Cause is the kind of a reason.
type Cause string

// The causes. The first three may explain a long latency without a fault.
const (
	MoreWork    Cause = "work"      // it has more to do than its peers
	LargerSize  Cause = "size"      // its requests are larger
	LongerQueue Cause = "queue"     // more requests are given to it at once, and it does as much work as its peers
	LessWork    Cause = "less work" // it does less than its peers, and takes longer for it
	ServiceTime Cause = "busy"      // it is busier than its peers for the same work
	InFront     Cause = "in front"  // requests wait in front of it, not in it
	OnlyWrites  Cause = "writes"    // only writes are slow: a write cache may be off or full
	OnlyReads   Cause = "reads"     // only reads are slow
	MoreHeld    Cause = "held"      // it has more data or placement groups than its peers
	HasErrors   Cause = "errors"    // it counted errors, its peers did not
	Hotter      Cause = "heat"      // it is much hotter than its peers
)

// A Reason is something else that a print shows of a component.
type Reason struct {
	Cause    Cause
	Metric   Metric
	Value    float64
	Peers    float64 // median of the peers
	Explains bool    // it is enough to explain the latency without a fault
}

// A Host is a server whose components are slow together.
type Host struct {
	Name      string
	Slow, Of  int // components that are slow, and that were compared
	Metric    Metric
	Times     float64
	Low, High float64
	Sure      Sure
	Mark      Mark // Apart, or Explained if most of its components have a reason
	Odd       float64
}

// A Split is a group of which half or more is slow. Which part is odd cannot be decided by
// comparing peers.
type Split struct {
	Metric Metric
	Slow   []string // the slower part
	Fast   []string
	Hosts  []string // servers that the slower part is all of; empty: it is not made of servers
	Times  float64  // ratio of the medians of the two parts
}

// A Limit is something that the values cannot show.
type Limit string

// The limits.
const (
	FewPeers      Limit = "few peers"       // fewer than three components can be compared
	SmallGroup    Limit = "small group"     // so few peers that only large differences can be told from chance
	AllIdle       Limit = "idle"            // nothing was done
	NotThePresent Limit = "since start"     // means since the start: a slow hour is averaged away
	Coarse        Limit = "coarse"          // most values are as small as the tool can print
	NoWork        Limit = "no work"         // the print has no load: whether work explains it is open
	NoSpeed       Limit = "no latency"      // the print has no latency: only work can be compared
	OnlyOneLook   Limit = "one look"        // one look cannot show what persists
	SlowAlike     Limit = "slow alike"      // several are slow to the same degree: they may be of another model
	UnknownHosts  Limit = "unknown servers" // several stand apart, and the print does not have their servers
)

// Rank compares the components of some looks. Looks of one source follow each other in the
// given order.
func Rank(looks []Look, o Options) *Ranking {
	r := &Ranking{}
	looks, r.Repeated = prepare(looks)
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
		return cmp.Or(-cmp.Compare(a.oddest(), b.oddest()), cmp.Compare(a.Kind, b.Kind))
	})
	return r
}

// oddest orders groups: those with a marked component first.
func (g *Group) oddest() float64 {
	odd := 0.0
	for _, h := range g.Hosts {
		odd = max(odd, 1e6+h.Odd)
	}
	for i := range g.Components {
		c := &g.Components[i]
		if len(c.Measures) > 0 {
			odd = max(odd, float64(len(markOrder)-slices.Index(markOrder, c.Mark))*1e4+min(c.Measures[0].Odd, 9e3))
		}
	}
	return odd
}

// markOrder is the order of components in a ranking.
var markOrder = []Mark{Apart, OfHost, Explained, Unsure, Within, Alone, Idle}

// Apart returns the number of servers and of components that stand apart without an
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

// Compared returns the number of components that were compared with peers.
func (r *Ranking) Compared() (n int) {
	for i := range r.Groups {
		for _, c := range r.Groups[i].Components {
			if c.Mark != Alone && c.Mark != Idle {
				n++
			}
		}
	}
	return n
}
