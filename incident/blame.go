package incident

import (
	"slices"
)

// Who lost a path? A device that is missing was taken from its server: by the
// controller where all of its servers miss theirs, by the array where some of
// several servers do at once, by the server itself where it is the only one. A
// device that is there and unused was given up by its server, unless the load
// went past the next server, too: two servers of one controller that cannot
// serve the same LUN have the controller in common.

// together is how many seconds apart losses may begin and have one cause.
const together = 3600

// absent finds servers that never sent anything and whose LUNs others serve.
func (t *Tracker) absent() []finding {
	var found []finding
	for i := range t.silence {
		if s := &t.silence[i]; s.last > 0 || t.schema.Sparse || !t.stoodIn(i) {
			s.stands = 0
			continue
		}
		s := &t.silence[i]
		if s.stands++; s.stands >= t.k {
			f := t.silent(i)
			f.onset = Onset{At: t.facts.begin, Early: t.facts.begin, Late: t.facts.begin, Earlier: true}
			found = append(found, f)
		}
	}
	return found
}

// stoodIn says whether most LUNs of a server that is silent are served by
// others.
func (t *Tracker) stoodIn(server int) bool {
	mine, others := 0, 0
	for _, list := range t.layout.paths {
		if first := list[0]; t.serverOf[first] == server && t.of(first).Priority == 1 {
			mine++
			if slices.ContainsFunc(list[1:], func(c int) bool { return t.paths.all[c].now == serving }) {
				others++
			}
		}
	}
	return mine > 0 && 2*others > mine
}

// lostPaths finds who lost them.
func (t *Tracker) lostPaths() []finding {
	var found []finding
	for _, lost := range t.lostByArray() {
		var missing, unused []int
		for _, c := range lost {
			if t.paths.all[c].role == Gone {
				missing = append(missing, c)
			} else {
				unused = append(unused, c)
			}
		}
		found = append(found, t.takenAway(missing)...)
		found = append(found, t.givenUp(unused)...)
	}
	return found
}

// lostByArray lists lost paths by array, or server where there is none. Those
// of servers that are down are told with them.
func (t *Tracker) lostByArray() [][]int {
	var lists [][]int
	at := map[place]int{}
	for _, c := range t.watched {
		if s := t.serverOf[c]; !t.paths.all[c].odd || s >= 0 && t.silence[s].down {
			continue
		}
		key := place{Array, t.of(c).Array}
		if key.name == "" {
			key = place{Server, t.of(c).Server}
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

// takenAway blames for devices that are missing.
func (t *Tracker) takenAway(lost []int) []finding {
	if len(lost) == 0 {
		return nil
	}
	var found []finding
	for _, lost := range t.atOnce(lost) {
		for _, tier := range []Tier{Array, Controller} {
			for _, p := range t.wholly(tier, lost) {
				hit, rest := t.split(lost, p)
				found, lost = append(found, t.lostAt(t.places[p], hit)), rest
			}
		}
		if len(lost) > 0 {
			found = append(found, t.shared(lost)...)
		}
	}
	return found
}

// wholly lists the places of a tier that have lost all that hangs on them, of
// more than one server.
func (t *Tracker) wholly(tier Tier, lost []int) []int {
	var found []int
	for p := range t.places {
		if t.places[p].tier != tier {
			continue
		}
		all, missing, servers := 0, 0, map[int]bool{}
		for _, c := range t.on[p] {
			x, mine := &t.paths.all[c], slices.Contains(lost, c)
			if mine {
				missing++
				servers[t.serverOf[c]] = true
			}
			if mine || x.now != silent && x.now != unknown {
				all++
			}
		}
		if len(servers) > 1 && 10*missing >= 9*all {
			found = append(found, p)
		}
	}
	return found
}

// split parts components into those that hang on a place and those that do not.
func (t *Tracker) split(all []int, p int) (on, off []int) {
	for _, c := range all {
		if slices.Contains(t.in[c], p) {
			on = append(on, c)
		} else {
			off = append(off, c)
		}
	}
	return on, off
}

// atOnce parts lost paths by when they were lost.
func (t *Tracker) atOnce(lost []int) [][]int {
	slices.SortStableFunc(lost, func(a, b int) int { return int(t.paths.all[a].onset.At - t.paths.all[b].onset.At) })
	var lists [][]int
	last := int64(-2 * together)
	for _, c := range lost {
		at := t.paths.all[c].onset.At
		if at-last > together {
			lists = append(lists, nil)
		}
		last = at
		lists[len(lists)-1] = append(lists[len(lists)-1], c)
	}
	return lists
}

// shared blames what paths that were lost at once have in common: the server,
// the LUN, the controller, the array, or nothing.
func (t *Tracker) shared(lost []int) []finding {
	first := t.of(lost[0])
	same := func(name func(int) string) bool {
		return name(lost[0]) != "" && !slices.ContainsFunc(lost, func(c int) bool { return name(c) != name(lost[0]) })
	}
	switch {
	case len(lost) == 1:
		return []finding{t.lostAt(t.itself(lost[0]), lost)}
	case same(func(c int) string { return t.of(c).Server }):
		return []finding{t.lostAt(place{Server, first.Server}, lost)}
	case same(func(c int) string { return t.of(c).LUN }):
		return []finding{t.lostAt(place{LUN, first.LUN}, lost)}
	case same(func(c int) string { return t.of(c).Controller }):
		return []finding{t.lostAt(place{Controller, first.Controller}, lost)}
	case same(func(c int) string { return t.of(c).Array }):
		return []finding{t.lostAt(place{Array, first.Array}, lost)}
	}
	return t.byServer(lost)
}

// itself is how a path is blamed that was lost alone.
func (t *Tracker) itself(c int) place {
	if t.of(c).LUN == "" {
		return place{Drive, t.of(c).Name}
	}
	return place{Attachment, t.of(c).Name}
}

// byServer blames each server for its own.
func (t *Tracker) byServer(lost []int) []finding {
	var found []finding
	for len(lost) > 0 {
		server := t.of(lost[0]).Server
		var mine, rest []int
		for _, c := range lost {
			if t.of(c).Server == server {
				mine = append(mine, c)
			} else {
				rest = append(rest, c)
			}
		}
		p := place{Server, server}
		if len(mine) == 1 {
			p = t.itself(mine[0])
		}
		found, lost = append(found, t.lostAt(p, mine)), rest
	}
	return found
}

// givenUp blames for devices that are there and unused. A server that is known
// to serve nothing is passed by for that.
func (t *Tracker) givenUp(lost []int) []finding {
	count := map[int]int{} // by LUN
	for _, c := range lost {
		if !t.gaveUp(c) {
			count[t.lunOf[c]]++
		}
	}
	var passed, plain []int
	for _, c := range lost {
		if t.lunOf[c] >= 0 && count[t.lunOf[c]] > 1 && !t.gaveUp(c) {
			passed = append(passed, c)
		} else {
			plain = append(plain, c)
		}
	}
	var found []finding
	for _, hit := range t.atOnce(passed) {
		found = append(found, t.shared(hit)...)
	}
	return append(found, t.byServer(t.join(found, plain))...)
}

// gaveUp says whether the server of a path is known to have lost others long
// before.
func (t *Tracker) gaveUp(c int) bool {
	server := place{Server, t.of(c).Server}
	return slices.ContainsFunc(t.open, func(in *Incident) bool {
		return in.class == pathClass && in.State == Active && in.at(server) && in.Onset.At < t.paths.all[c].onset.At-together
	})
}

// join puts paths under a finding that they began with and hang on, and
// returns the others.
func (t *Tracker) join(found []finding, lost []int) []int {
	var rest []int
	for _, c := range lost {
		at := slices.IndexFunc(found, func(f finding) bool {
			apart := t.paths.all[c].onset.At - f.onset.At
			return t.hangs(c, f.place) && apart <= together && apart >= -together
		})
		if at < 0 {
			rest = append(rest, c)
			continue
		}
		found[at].members = append(found[at].members, t.lostMember(c))
		found[at].heirs = appendHeir(found[at].heirs, t.paths.all[c].heir)
	}
	return rest
}

// lostAt is the finding that paths were lost for one reason.
func (t *Tracker) lostAt(p place, lost []int) finding {
	f := finding{class: pathClass, place: p}
	var onsets []Onset
	for _, c := range lost {
		f.members = append(f.members, t.lostMember(c))
		f.heirs = appendHeir(f.heirs, t.paths.all[c].heir)
		onsets = append(onsets, t.paths.all[c].onset)
	}
	if at := slices.Index(t.places, p); at >= 0 {
		f.judged = len(t.on[at])
	} else {
		f.judged = len(lost)
	}
	f.onset = common(onsets)
	return f
}

func (t *Tracker) lostMember(c int) Member {
	x := &t.paths.all[c]
	return Member{Component: c, Role: x.role, Odd: x.odd, Value: x.value, Ratio: t.opts.Lost, Worst: t.opts.Lost, Since: x.onset.At}
}

func appendHeir(heirs []int, c int) []int {
	if c < 0 || slices.Contains(heirs, c) {
		return heirs
	}
	return append(heirs, c)
}
