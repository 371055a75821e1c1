package source

// A gatherer reorders records so that the records of a group and hour follow each other. The
// hours must be complete and ascending. Groups keep the order of their first records.
type gatherer struct {
	marks []int32 // by group: last run in which it occurred
	run   int32   // number of the current run over the records of an hour
	place []int32 // by group: its place among the groups of the hour
	count []int32 // by place: first the number of records, then the index for the next record
	order []int32 // indexes of the records in their new order
	spare *records
}

func newGatherer(groups, directions int) *gatherer {
	return &gatherer{marks: make([]int32, groups), place: make([]int32, groups), spare: newRecords(directions)}
}

// gather returns the records in the new order. If it reorders, it returns its spare records
// and keeps r as the next spare.
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

// together reports whether the records of each group and hour already follow each other.
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

// sort appends the new order of the records of an hour. The index of its first record is first.
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
