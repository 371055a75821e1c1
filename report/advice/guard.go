package advice

import (
	"cmp"

	"github.com/limpet-storage/limpet/topology"
)

// Reason is why a part may be taken out, or may not.
type Reason uint8

// The reasons.
const (
	Bears     Reason = iota // redundancy bears it
	Exhausted               // as many are slow or out already as redundancy bears
	NoneLeft                // there is no redundancy
	NotSaid                 // the topology does not say what redundancy there is
	NoKind                  // the topology does not say what kind of storage it is
	NotKnown                // what else is slow or out is not known here
	Beneath                 // the redundancy is beneath the part, of the drives that it is made of
)

// A Guard says whether redundancy allows that a part is taken out.
type Guard struct {
	Allowed bool
	Reason  Reason
	Spares  int    // members of the group that may be out
	Lost    int    // others of it that are slow or out already
	Group   string // the pool, or what kind of storage it is
	Name    string // of the redundancy: "raidz2"
}

// GuardOf returns the guard of a component of a problem.
func GuardOf(system *topology.System, p *Problem, component int) Guard {
	a := adviser{system, p}
	return a.guard(component)
}

// LoseTogether reports whether two components may be of one group that bears losses together. A
// component without a pool may be of any group of its kind of storage.
func LoseTogether(a, b *topology.Component) bool { return groupOf(a).isNeighbour(groupOf(b)) }

// guard counts what a group has lost. A group is a pool; where the topology names
// none, all that has the same redundancy: rather too many are counted than too few.
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
	g.Allowed = g.Reason == Bears
	return g
}

// beneath says whether a redundancy is that of the drives within a part, so that the
// part itself has no twin: a LUN of 8+2 drives, an OST on RAID 6.
func beneath(c *topology.Component, r *topology.Redundancy) bool {
	replicas := r.Copies && r.Width > 0 // "3 replicas", not raid1
	switch c.Storage {
	case "zfs", "md", "raid", "limpet":
		return c.LUN != ""
	case "ceph", "hdfs", "gluster":
		return r.Width == 0 // replicas, or erasure coding over parts
	}
	return !replicas
}

// Thing is what a component is, whoever sees it: a LUN or a drive.
func Thing(c *topology.Component) string {
	if host, device := c.RunsOn(); c.Service && device != "" { // an OSD and the drive that holds its data are lost together
		return host + "/" + device
	}
	return cmp.Or(c.LUN, c.WWN, c.Name)
}
