package draft

import (
	"slices"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// newSetAfter is the pause in the creation of LUNs after which the next LUNs are a new set:
// installations take weeks, and upgrades are years apart.
const newSetAfter = 90 * 24 * time.Hour

// sets returns up to two maps from the name of a LUN to its set: one by storage pool, one by
// date of creation. LUNs of different sets are not compared. Dates make no sets if no set would have
// enough LUNs for a comparison: then LUNs were added one by one, and there was no upgrade.
func (d *drafter) sets(arrays []array) []map[string]string {
	pools, ages := map[string]string{}, map[string]string{}
	var times []time.Time
	distinct := map[string]bool{}
	known, total := 0, 0
	for _, a := range arrays {
		for _, l := range a.luns {
			total++
			pools[l.name] = l.pool
			distinct[l.pool] = true
			if !l.created.IsZero() {
				known++
				times = append(times, l.created)
			}
		}
	}
	var sets []map[string]string
	if len(distinct) > 1 {
		sets = append(sets, pools)
		d.check("LUNs of different storage pools are in different sets and are not compared with each other")
	}
	if begins := upgrades(times); known == total && len(begins) > 1 {
		largest, members := 0, map[string]int{}
		for _, a := range arrays {
			for _, l := range a.luns {
				set := setOf(l.created, begins)
				ages[l.name] = set
				members[set]++
				largest = max(largest, members[set])
			}
		}
		if largest < topology.MinPeers {
			d.check("the NSDs were created at different times, in %d periods (limpet reads the dates from the volume IDs). All LUNs are in one set, because sets by date would have fewer than %d LUNs, too few for a comparison: if LUNs are of different kinds, add the setting \"sets\"", len(begins), topology.MinPeers)
			return sets
		}
		sets = append(sets, ages)
		d.check("LUNs are in different sets if their NSDs were created more than %d days apart (limpet reads the dates from the volume IDs): check that all LUNs of a set are of the same kind", int(newSetAfter.Hours()/24))
	}
	return sets
}

// upgrades returns the time of the first LUN of each set. It sorts times.
func upgrades(times []time.Time) []time.Time {
	slices.SortFunc(times, time.Time.Compare)
	var begins []time.Time
	for i, t := range times {
		if i == 0 || t.Sub(times[i-1]) > newSetAfter {
			begins = append(begins, t)
		}
	}
	return begins
}

// setOf returns the name of the set that a time belongs to: the month in which the set began.
func setOf(t time.Time, begins []time.Time) string {
	for _, begin := range slices.Backward(begins) {
		if !t.Before(begin) {
			return "since " + begin.Format("2006-01")
		}
	}
	return ""
}
