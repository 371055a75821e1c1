package advice

import (
	"cmp"

	"github.com/limpet-storage/limpet/topology"
)

// Reason is the reason why a part may or may not be taken out.
type Reason uint8

// The reasons.
const (
	Tolerated Reason = iota // the group survives without the part
	Exhausted               // as many parts of the group are already slow or out as it can lose
	NoneLeft                // there is no redundancy
	NotSaid                 // the topology lacks the redundancy
	NoKind                  // the topology lacks the kind of storage
	NotKnown                // the other slow parts are unknown here
	Beneath                 // the redundancy is inside the part, among its drives
)

// A Guard is the decision whether redundancy allows taking a part out, with its reason.
type Guard struct {
	Allowed bool
	Reason  Reason
	Spares  int // number of members that the group can lose
	Lost    int // number of other members that are already slow or out
	// Width is the number of parts that the data of an object need, and Others is the number of other
	// parts that can take over the data. Both are 0 unless there are too few other parts.
	Width, Others int
	Group         string // name of the pool; without a pool, the kind of storage
	Name          string // name of the redundancy: "raidz2"
}

// GuardOf returns the guard of a component of a problem.
func GuardOf(system *topology.System, p *Problem, component int) Guard {
	a := adviser{system, p}
	return a.guard(component)
}

// LoseTogether reports whether two components may belong to one redundancy group. A component
// without a pool may belong to any group of its kind of storage.
func LoseTogether(a, b *topology.Component) bool { return groupOf(a).isNeighbour(groupOf(b)) }

// guard compares the redundancy of a part's group with its losses. A group is a pool. If the
// topology names no pool, all parts of the same kind of storage count, so the losses may be counted
// too high, but never too low.
func (a *adviser) guard(c int) Guard {
	part := a.of(c)
	g := Guard{Group: cmp.Or(part.Pool, part.Storage), Name: part.Redundancy}
	r, err := topology.ParseRedundancy(part.Redundancy)
	switch {
	case part.Storage == "":
		g.Reason = NoKind
	case part.Redundancy == "" || err != nil:
		g.Reason = NotSaid
	case a.Open == nil:
		g.Reason = NotKnown
	case r.Spares == 0:
		g.Reason = NoneLeft
	case beneath(part, &r):
		g.Reason = Beneath
	default:
		g.Spares, g.Lost = r.Spares, a.lost(c)
		if g.Lost >= g.Spares {
			g.Reason = Exhausted
		}
	}
	g.Allowed = g.Reason == Tolerated
	return g
}

// beneath reports whether the redundancy is among the drives inside a part. Then no other part can
// replace the part: a LUN of 8+2 drives, an OST on RAID 6.
func beneath(c *topology.Component, r *topology.Redundancy) bool {
	replicas := r.Copies && r.Width > 0 // "3 replicas", not raid1
	switch c.Storage {
	case "zfs", "md", "raid", "limpet":
		return c.LUN != ""
	case "ceph", "hdfs", "gluster":
		return r.Width == 0 // otherwise, the redundancy is replicas or erasure coding over several parts
	}
	return !replicas
}
