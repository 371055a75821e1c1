package source

// A gatherer puts the records of a group and hour together, where hours are
// whole and ascend. Groups keep the order in which they come up.
type gatherer struct {
	marks []int32 // by group: the last run of hours that it was in
	run   int32
	place []int32 // by group: its place among those of the hour
	count []int32 // by place: its records, then where the next one goes
	order []int32
	spare *records
}

func newGatherer(groups, directions int) *gatherer {
	return &gatherer{marks: make([]int32, groups), place: make([]int32, groups), spare: newRecords(directions)}
}

// gather reorders the records where need be; they may change places with
// spare ones.
func (g *gatherer) gather(r *records) *records {
	if g.together(r) {
		return r
	}
	g.order = g.order[:0]
	for from := 0; from < r.Len(); {
		to := from + 1
		for to < r.Len() && r.Hour[to] == r.Hour[from] {
			to++
		}
		g.sort(r.Group[from:to], int32(from))
		from = to
	}
	g.spare.Reset()
	g.spare.pick(r, g.order)
	r, g.spare = g.spare, r
	return r
}

// together reports whether no group comes up twice in an hour.
func (g *gatherer) together(r *records) bool {
	group, hour := int32(-1), int32(-1)
	for i, next := range r.Group {
		if next == group && r.Hour[i] == hour {
			continue
		}
		if r.Hour[i] != hour {
			hour = r.Hour[i]
			g.run++
		}
		group = next
		if g.marks[group] == g.run {
			return false
		}
		g.marks[group] = g.run
	}
	return true
}

// sort appends the order of the records of an hour, which begins at first.
func (g *gatherer) sort(groups []int32, first int32) {
	g.run++
	g.count = g.count[:0]
	for _, group := range groups {
		if g.marks[group] != g.run {
			g.marks[group], g.place[group] = g.run, int32(len(g.count))
			g.count = append(g.count, 0)
		}
		g.count[g.place[group]]++
	}
	next := int32(len(g.order))
	for i, n := range g.count {
		g.count[i] = next
		next += n
	}
	for range groups {
		g.order = append(g.order, 0)
	}
	for i, group := range groups {
		at := &g.count[g.place[group]]
		g.order[*at] = first + int32(i)
		*at++
	}
}
