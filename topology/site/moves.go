package site

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// A Snapshot holds the maps that a site's tools printed at one time.
type Snapshot struct {
	Inventory
	Time  time.Time // time of the output; zero: the output does not have it
	Zoned bool      // the output has the time zone of Time
}

// A Change is the kind of a move.
type Change string

// The changes.
const (
	OtherServer Change = "server" // another server has the volume
	OtherState  Change = "state"  // the tool prints another state
	PathGone    Change = "path"   // a path of a multipath device is not listed any more, or is new
	VolumeGone  Change = "volume" // a volume is not listed any more, or is new
)

// A Move is a difference between maps that were printed one after the other.
type Move struct {
	Object   string // the volume, or the multipath device and its path
	What     Change
	From, To string    // "": not listed
	Since    time.Time // time of the first map with the new position; zero: unknown
	Until    time.Time // time of the map in which the position changed again; zero: it did not change, or the time is unknown
	Back     bool      // the position changed back to the position in the first map
	Print    int       // number of the first map with the new position, from 1
	Zoned    bool
}

// moveKey identifies an object that can move.
type moveKey struct {
	system, object string
	what           Change
}

// Moves compares maps with the first map, in the given order. An object that a map does not have is
// gone only if the map has other objects of the same system.
func Moves(maps []Snapshot) (moves []Move) {
	home := map[moveKey]string{}
	open := map[moveKey]int{} // index into moves, plus 1
	systems := map[string]bool{}
	for n := range maps {
		now, listed := positions(&maps[n].Inventory)
		keys := map[moveKey]bool{}
		for k := range home {
			if listed[k.system] {
				keys[k] = true
			}
		}
		for k := range now {
			keys[k] = true
		}
		for _, k := range sortedMoves(keys) {
			if _, known := home[k]; !known {
				if !systems[k.system] || k.what != VolumeGone && k.what != PathGone {
					home[k] = now[k]
					continue
				}
				home[k] = "" // not in the maps before
			}
			if now[k] == "" && k.what != VolumeGone && k.what != PathGone {
				continue // its disappearance is another move
			}
			moves = follow(moves, open, k, home[k], now[k], n, &maps[n])
		}
		for system := range listed {
			systems[system] = true
		}
	}
	return moves
}

// follow adds the position of one object in one map.
func follow(moves []Move, open map[moveKey]int, k moveKey, home, now string, n int, s *Snapshot) []Move {
	last := open[k]
	if last > 0 && moves[last-1].To == now {
		return moves
	}
	if last > 0 {
		m := &moves[last-1]
		m.Until, m.Back = s.Time, now == home
		delete(open, k)
	}
	if now == home {
		return moves
	}
	moves = append(moves, Move{Object: k.object, What: k.what, From: home, To: now, Since: s.Time, Print: n + 1, Zoned: s.Zoned})
	open[k] = len(moves)
	return moves
}

func sortedMoves(keys map[moveKey]bool) []moveKey {
	list := make([]moveKey, 0, len(keys))
	for k := range keys {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b moveKey) int {
		return cmp.Or(topology.Compare(a.object, b.object), cmp.Compare(a.what, b.what), cmp.Compare(a.system, b.system))
	})
	return list
}

const listedMark = "listed"

// positions returns the position of each object, and the systems that the map lists.
func positions(inv *Inventory) (at map[moveKey]string, listed map[string]bool) {
	at, listed = map[moveKey]string{}, map[string]bool{}
	join := func(k moveKey, value string) {
		if value == "" {
			return
		}
		all := strings.Split(at[k], ",")
		if at[k] == "" {
			all = nil
		}
		if !slices.Contains(all, value) {
			all = append(all, value)
			slices.SortFunc(all, topology.Compare)
		}
		at[k] = strings.Join(all, ",")
	}
	for i := range inv.Volumes {
		v := &inv.Volumes[i]
		listed[v.System] = true
		name := v.Name
		at[moveKey{v.System, name, VolumeGone}] = listedMark
		for _, server := range v.Servers {
			join(moveKey{v.System, name, OtherServer}, server)
		}
		if v.Host != "" && len(v.Servers) == 0 {
			join(moveKey{v.System, name, OtherServer}, v.Host)
		}
		join(moveKey{v.System, name, OtherState}, v.State)
	}
	states := map[[3]string]string{}
	for i := range inv.Devices {
		if p := &inv.Devices[i]; p.Kind == Drive {
			states[[3]string{p.Host, p.Name, p.WWN}] = p.State
		}
	}
	for i := range inv.Devices {
		d := &inv.Devices[i]
		if d.Kind != Multipath {
			continue
		}
		system := "multipath " + d.Host
		listed[system] = true
		name := strings.TrimPrefix(d.Host+" "+d.Name, " ")
		at[moveKey{system, name, VolumeGone}] = listedMark
		for _, path := range d.Of {
			k := moveKey{system, name + " path " + path, PathGone}
			at[k] = listedMark
			if state := states[[3]string{d.Host, path, d.WWN}]; state != "" {
				at[moveKey{system, name + " path " + path, OtherState}] = state
			}
		}
	}
	return at, listed
}
