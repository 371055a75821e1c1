package path

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/window"
)

// The place to blame for a lost path depends on the state of its device (gone or unused), and on
// the other paths that were lost at about the same time.
//
// For missing devices, an array or a controller is to blame if it lost nearly all of its
// paths, on more than one server. Otherwise the place that all of the paths have in
// common is to blame: the server, the LUN, the controller or the array.
//
// A device that is present and unused was given up by its server, so the server is to blame. If
// several paths to one LUN are unused, several servers gave up the LUN. Then the place that these
// paths have in common is to blame, for example the controller.
//
// If no other path was lost at about the same time, the lost path itself is the place to blame.

// Findings returns one finding for each place that is to blame for lost paths. The parameter `open`
// has the open problems.
func (d *Detector) Findings(open []finding.OpenIncident) []finding.Finding {
	var found []finding.Finding
	for _, lost := range d.lostByArray() {
		var missing, unused []int
		for _, c := range lost {
			if d.paths[c].role == finding.Gone {
				missing = append(missing, c)
			} else {
				unused = append(unused, c)
			}
		}
		found = append(found, d.goneFindings(missing)...)
		found = append(found, d.unusedFindings(unused, open)...)
	}
	return found
}

// lostByArray returns the paths that have been lost for a long time, in one list for each array.
// Paths without an array have one list for each server. Paths of silent servers are left out,
// because package silence reports these servers.
func (d *Detector) lostByArray() [][]int {
	var lists [][]int
	at := map[blame.Place]int{}
	for _, c := range d.facts.Attachments {
		if s := d.facts.ServerOf[c]; !d.paths[c].lostForLong || s >= 0 && d.facts.IsSilent(s) {
			continue
		}
		key := blame.Place{Tier: blame.Array, Name: d.facts.Component(c).Array}
		if key.Name == "" {
			key = d.server(c)
		}
		i, ok := at[key]
		if !ok {
			i = len(lists)
			at[key], lists = i, append(lists, nil)
		}
		lists[i] = append(lists[i], c)
	}
	return lists
}

func (d *Detector) server(c int) blame.Place {
	return blame.Place{Tier: blame.Server, Name: d.facts.Component(c).Server}
}

// goneFindings returns the findings for paths whose devices are missing.
func (d *Detector) goneFindings(lost []int) []finding.Finding {
	var found []finding.Finding
	for _, lost := range d.groupByOnset(lost) {
		for _, tier := range []blame.Tier{blame.Array, blame.Controller} {
			for _, p := range d.wholePlaces(tier, lost) {
				hit, rest := d.splitByPlace(lost, p)
				found, lost = append(found, d.findingAt(d.facts.Places[p], hit)), rest
			}
		}
		if len(lost) > 0 {
			found = append(found, d.blameTogether(lost)...)
		}
	}
	return found
}

// wholePlaces returns the indexes of the places of a tier that lost nearly all of their paths
// (NearlyAllShare), if these lost paths belong to more than one server. Paths whose state is
// unknown do not count.
func (d *Detector) wholePlaces(tier blame.Tier, lost []int) []int {
	var found []int
	for p := range d.facts.Places {
		if d.facts.Places[p].Tier != tier {
			continue
		}
		all, missing, servers := 0, 0, map[int]bool{}
		for _, c := range d.facts.Dependents[p] {
			mine := slices.Contains(lost, c)
			if mine {
				missing++
				servers[d.facts.ServerOf[c]] = true
			}
			if now := d.facts.Conditions[c]; mine || now != window.Mute && now != window.Unknown {
				all++
			}
		}
		if len(servers) > 1 && float64(missing) >= d.criteria.NearlyAllShare*float64(all) {
			found = append(found, p)
		}
	}
	return found
}

// splitByPlace divides components into components that belong to place p (`on`) and other
// components (`off`).
func (d *Detector) splitByPlace(all []int, p int) (on, off []int) {
	for _, c := range all {
		if slices.Contains(d.facts.PlacesOf[c], p) {
			on = append(on, c)
		} else {
			off = append(off, c)
		}
	}
	return on, off
}

// groupByOnset sorts lost paths by onset and divides them into groups. A path belongs to the same
// group as the path before it if their onsets are at most SameCauseSeconds apart.
func (d *Detector) groupByOnset(lost []int) [][]int {
	slices.SortStableFunc(lost, func(a, b int) int { return int(d.paths[a].onset.At - d.paths[b].onset.At) })
	var lists [][]int
	last := int64(math.MinInt64 / 2)
	for _, c := range lost {
		at := d.paths[c].onset.At
		if at-last > d.criteria.SameCauseSeconds {
			lists = append(lists, nil)
		}
		last = at
		lists[len(lists)-1] = append(lists[len(lists)-1], c)
	}
	return lists
}

// blameTogether returns the findings for paths that were lost at about the same time. It blames
// the first place that all of the paths have in common, in the order server, LUN,
// controller, array. If the paths have no place in common, each server is blamed for its
// own paths. If there is only one path, the path itself is blamed.
func (d *Detector) blameTogether(lost []int) []finding.Finding {
	if len(lost) == 1 {
		return []finding.Finding{d.findingAt(d.facts.OwnPlace(lost[0]), lost)}
	}
	first := d.facts.Component(lost[0])
	for _, p := range []blame.Place{
		{Tier: blame.Server, Name: first.Server},
		{Tier: blame.LUN, Name: first.LUN},
		{Tier: blame.Controller, Name: first.Controller},
		{Tier: blame.Array, Name: first.Array},
	} {
		if p.Name != "" && !slices.ContainsFunc(lost, func(c int) bool { return !d.facts.DependsOn(c, p) }) {
			return []finding.Finding{d.findingAt(p, lost)}
		}
	}
	return d.blameServers(lost)
}

// blameServers blames each server for its own paths. If a server lost only one path, the
// path itself is blamed.
func (d *Detector) blameServers(lost []int) []finding.Finding {
	var found []finding.Finding
	for len(lost) > 0 {
		p := d.server(lost[0])
		var mine, rest []int
		for _, c := range lost {
			if d.server(c) == p {
				mine = append(mine, c)
			} else {
				rest = append(rest, c)
			}
		}
		if len(mine) == 1 {
			p = d.facts.OwnPlace(mine[0])
		}
		found, lost = append(found, d.findingAt(p, mine)), rest
	}
	return found
}

// unusedFindings returns the findings for paths whose devices are present and unused. If several
// paths to a LUN are unused, the place that they have in common is blamed. Otherwise the server is
// blamed. If a server had lost other paths long before, this older problem explains its new lost
// paths as well. So these new lost paths are not used to find a common place.
func (d *Detector) unusedFindings(lost []int, open []finding.OpenIncident) []finding.Finding {
	ways := map[int]int{} // by LUN: number of its unused paths without an older explanation
	for _, c := range lost {
		if !d.isServerBlamed(c, open) {
			ways[d.facts.LUNOf[c]]++
		}
	}
	var passed, plain []int
	for _, c := range lost {
		if lun := d.facts.LUNOf[c]; lun >= 0 && ways[lun] > 1 && !d.isServerBlamed(c, open) {
			passed = append(passed, c)
		} else {
			plain = append(plain, c)
		}
	}
	var found []finding.Finding
	for _, hit := range d.groupByOnset(passed) {
		found = append(found, d.blameTogether(hit)...)
	}
	return append(found, d.blameServers(d.joinFindings(found, plain))...)
}

// isServerBlamed reports whether an open problem already blames the server of a path for lost paths.
// Only a problem counts that began more than SameCauseSeconds before the path was lost.
func (d *Detector) isServerBlamed(c int, open []finding.OpenIncident) bool {
	return slices.ContainsFunc(open, func(o finding.OpenIncident) bool {
		return o.Class == finding.Path && o.Active && o.Place == d.server(c) && o.Onset.At < d.paths[c].onset.At-d.criteria.SameCauseSeconds
	})
}

// joinFindings adds a lost path to a finding under two conditions: the path belongs to the place of
// the finding, and the path was lost at most SameCauseSeconds before or after the onset of the
// finding. It returns the lost paths that it has not added.
func (d *Detector) joinFindings(found []finding.Finding, lost []int) []int {
	var rest []int
	for _, c := range lost {
		at := slices.IndexFunc(found, func(f finding.Finding) bool {
			apart := d.paths[c].onset.At - f.Onset.At
			return d.facts.DependsOn(c, f.Place) && max(apart, -apart) <= d.criteria.SameCauseSeconds
		})
		if at < 0 {
			rest = append(rest, c)
			continue
		}
		f := &found[at]
		f.Members = append(f.Members, d.member(c))
		f.Amount += d.amount(c)
		f.AddTakeover(d.paths[c].servedBy)
	}
	return rest
}

// findingAt returns the finding at a place, for paths that were lost for the same
// reason.
func (d *Detector) findingAt(p blame.Place, lost []int) finding.Finding {
	f := finding.Finding{Class: finding.Path, Kind: finding.LostAttachment, Place: p, Sure: true, Judged: len(lost)}
	var onsets []finding.Onset
	for _, c := range lost {
		f.Members = append(f.Members, d.member(c))
		f.Amount += d.amount(c)
		f.AddTakeover(d.paths[c].servedBy)
		onsets = append(onsets, d.paths[c].onset)
	}
	if at := slices.Index(d.facts.Places, p); at >= 0 {
		f.Judged = len(d.facts.Dependents[at])
	}
	f.Onset = finding.CommonOnset(onsets)
	return f
}

func (d *Detector) member(c int) finding.Member {
	w := &d.paths[c]
	return finding.Member{
		Component: c, Role: w.role, Odd: w.lostForLong, Windows: w.windows, Ratio: d.opts.LostTimes, Worst: d.opts.LostTimes, Since: w.onset.At,
	}
}

// amount returns the time for which a path has been lost, divided by LostSeconds. When the amounts
// of a finding's paths add up to 1, the finding becomes an incident.
func (d *Detector) amount(c int) float64 {
	return float64(int64(d.paths[c].windows)*d.facts.ShiftSeconds) / float64(LostSeconds(&d.criteria))
}
